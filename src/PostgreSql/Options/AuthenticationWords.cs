namespace Slipstream.PostgreSql.Options;

/// <summary>Parses the option Require Auth: "ScramSHA256, MD5", or "!Password, !MD5".</summary>
internal static class AuthenticationWords
{
    // MD5 is a broken hash that an eavesdropper can replay, so the option must name it.
    private const PgAuthenticationMethods Default =
        PgAuthenticationMethods.Trust | PgAuthenticationMethods.Password | PgAuthenticationMethods.ScramSha256 | PgAuthenticationMethods.ScramSha256Plus
            | PgAuthenticationMethods.Gss | PgAuthenticationMethods.Sspi;

    public static PgAuthenticationMethods Parse(string text)
    {
        var words = Words(text);
        if (words.Length == 0)
            return Default;
        var named = PgAuthenticationMethods.None;
        foreach (var word in words)
            named |= Method(word.TrimStart('!')) ?? PgAuthenticationMethods.None;
        return words[0][0] == '!' ? Default & ~named : named;
    }

    /// <summary>Returns the reason why the text is not valid; null if it is.</summary>
    public static string? Fault(string text)
    {
        var words = Words(text);
        foreach (var word in words)
        {
            if (word[0] == '!' != (words[0][0] == '!'))
                return "either all methods begin with '!' or none of them does.";
            if (Method(word.TrimStart('!')) is null)
                return $"'{word}' is not supported. Use ScramSHA256, MD5, Password, GSS, SSPI or None.";
        }

        return words.Length > 0 && words[0][0] == '!' && Parse(text) == PgAuthenticationMethods.None ? "no method is left that the server may ask for." : null;
    }

    private static string[] Words(string text) => text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    private static PgAuthenticationMethods? Method(string word) => word.ToUpperInvariant() switch
    {
        "SCRAMSHA256" or "SCRAM-SHA-256" => PgAuthenticationMethods.ScramSha256 | PgAuthenticationMethods.ScramSha256Plus,
        "MD5" => PgAuthenticationMethods.Md5,
        "PASSWORD" => PgAuthenticationMethods.Password,
        "GSS" => PgAuthenticationMethods.Gss,
        "SSPI" => PgAuthenticationMethods.Sspi,
        "NONE" => PgAuthenticationMethods.Trust,
        _ => null,
    };
}
