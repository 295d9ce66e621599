using System.Net;
using System.Net.Security;

namespace Slipstream.MySql.Authentication;

/// <summary>Kerberos, as an exchange of tokens.</summary>
internal interface INegotiation : IDisposable
{
    /// <summary>The next token for the server; null when none is due.</summary>
    /// <param name="incoming">The server's token; empty at the beginning.</param>
    /// <param name="problem">Why it cannot go on, in words of the system; null when it can.</param>
    byte[]? Next(ReadOnlySpan<byte> incoming, out string? problem);

    /// <summary>True when the client's side is content.</summary>
    bool IsOver { get; }
}

/// <summary>Kerberos by the system's own library: the ticket cache, or a password for which the library gets a ticket.</summary>
internal sealed class Negotiation : INegotiation
{
    private readonly NegotiateAuthentication _system;

    // Never NTLM, which lets whoever answers guess the password: on Windows the package of all kinds falls back to it.
    private Negotiation(string target, NetworkCredential credential) => _system = new(new NegotiateAuthenticationClientOptions
    {
        Package = "Kerberos",
        TargetName = target,
        Credential = credential,
        RequireMutualAuthentication = true,
    });

    public bool IsOver { get; private set; }

    /// <param name="target">The service's principal name, such as mariadb/host@REALM.</param>
    /// <param name="user">With a password: whose ticket is got. Otherwise the cache's, or the process's user.</param>
    /// <param name="password">Empty for none.</param>
    /// <param name="realm">Empty for the default one.</param>
    public static INegotiation Create(string target, string user, string password, string realm) =>
        new Negotiation(OperatingSystem.IsWindows() ? target : WithoutRealm(target), password.Length > 0 ? new NetworkCredential(user, password, realm) : CredentialCache.DefaultNetworkCredentials);

    /// <summary>
    /// service/host@REALM without the realm: elsewhere than on Windows the runtime takes all behind the slash for the host, which no centre knows. The system's
    /// own configuration says which realm a host belongs to.
    /// </summary>
    internal static string WithoutRealm(string target) => target.IndexOf('/') is >= 0 and var slash && target.IndexOf('@', slash) is > 0 and var realm ? target[..realm] : target;

    public byte[]? Next(ReadOnlySpan<byte> incoming, out string? problem)
    {
        var token = _system.GetOutgoingBlob(incoming, out var status);
        IsOver = status == NegotiateAuthenticationStatusCode.Completed;
        problem = status is NegotiateAuthenticationStatusCode.Completed or NegotiateAuthenticationStatusCode.ContinueNeeded ? null : status.ToString();
        return token is { Length: > 0 } ? token : null;
    }

    public void Dispose() => _system.Dispose();
}
