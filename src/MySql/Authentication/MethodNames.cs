namespace Slipstream.MySql.Authentication;

/// <summary>The names of methods as servers send them, which the option Require Auth lists.</summary>
internal static class MethodNames
{
    public const string Gssapi = "auth_gssapi_client";
    public const string Kerberos = "authentication_kerberos_client";
    public const string Dialog = "dialog";

    private static readonly string[] BuiltIn =
    [
        CachingSha2.Name, RsaPassword.Sha256Name, NativePassword.Name, Ed25519.Name, Parsec.Name, ClearPassword.Name, Dialog, Scram.Name, Gssapi, Kerberos,
    ];

    /// <summary>Returns the methods that the option lists; empty for all.</summary>
    public static string[] Parse(string text) => text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    /// <summary>Returns why the option's text is not valid; null if it is.</summary>
    public static string? Refusal(string text)
    {
        foreach (var name in Parse(text))
        {
            if (!BuiltIn.Contains(name) && !AuthenticationPlugins.TryGet(name, out _))
                return $"'{name}' is not an authentication method of the driver. Use one or more of {string.Join(", ", BuiltIn)}.";
        }

        return null;
    }

    /// <summary>Returns advice about a method that the driver does not support.</summary>
    public static string Advice(string name) => name switch
    {
        "authentication_windows_client" =>
            "Windows authentication is not supported: give the account a password (caching_sha2_password) or Kerberos (authentication_kerberos)",
        "authentication_oci_client" => "Oracle Cloud's authentication is not supported: give the account a password (caching_sha2_password)",
        "authentication_openid_connect_client" =>
            "OpenID Connect is not supported: give the account a password (caching_sha2_password), renewed by a password provider if it must be short-lived",
        "authentication_webauthn_client" or "authentication_fido_client" => "security keys are not supported: give the account factors that use passwords",
        "mysql_old_password" => "the password hash of MySQL before 4.1 is not secure: set the account's password again on the server",
        _ => $"change the account's method to {CachingSha2.Name}, {NativePassword.Name}, {Ed25519.Name} or {Parsec.Name}, or register a plug-in for the "
            + "method (AuthenticationPlugins.Register)",
    };
}
