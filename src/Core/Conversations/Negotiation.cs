using System.Net;
using System.Net.Security;

namespace Slipstream.Core.Conversations;

/// <summary>An exchange of Kerberos tokens.</summary>
internal interface INegotiation : IDisposable
{
    /// <summary>Returns the next token for the server; null if there is none to send.</summary>
    /// <param name="incoming">The server's token; empty for the first call.</param>
    /// <param name="problem">The system's message if the exchange cannot continue; otherwise null.</param>
    byte[]? Next(ReadOnlySpan<byte> incoming, out string? problem);

    /// <summary>Whether the client's side of the exchange has succeeded.</summary>
    bool IsCompleted { get; }
}

/// <summary>Kerberos with the system's library. It uses the ticket cache, or gets a ticket with a password.</summary>
internal sealed class Negotiation : INegotiation
{
    private readonly NegotiateAuthentication _system;

    // Never NTLM, with which any server that answers can guess the password. On Windows, the Negotiate package falls back to NTLM.
    private Negotiation(string target, NetworkCredential credential, Action<NegotiateAuthenticationClientOptions>? configure = null)
    {
        var options = new NegotiateAuthenticationClientOptions
        {
            Package = "Kerberos",
            TargetName = target,
            Credential = credential,
            RequireMutualAuthentication = true,
        };
        configure?.Invoke(options);
        _system = new(options);
    }

    public bool IsCompleted { get; private set; }

    /// <summary>Creates an exchange.</summary>
    /// <param name="target">The service's principal name, such as mariadb/host@REALM.</param>
    /// <param name="user">The user whose ticket the library gets with the password. Without a password, the user of the cache or of the process.</param>
    /// <param name="password">The password; empty for none.</param>
    /// <param name="realm">The realm; empty for the default one.</param>
    public static INegotiation Create(string target, string user, string password, string realm) =>
        new Negotiation(
            OperatingSystem.IsWindows() ? target : WithoutRealm(target),
            password.Length > 0 ? new NetworkCredential(user, password, realm) : CredentialCache.DefaultNetworkCredentials);

    /// <summary>Creates an exchange with the ticket of the cache, or of the user of the process.</summary>
    /// <param name="target">The service's principal name, such as service/host.</param>
    /// <param name="configure">Changes the options; null for no change.</param>
    public static INegotiation Create(string target, Action<NegotiateAuthenticationClientOptions>? configure) =>
        new Negotiation(target, CredentialCache.DefaultNetworkCredentials, configure);

    /// <summary>
    /// Removes the realm from service/host@REALM. On systems other than Windows, the runtime treats everything after the slash as the host, which no key
    /// distribution center has. The system's configuration maps hosts to realms.
    /// </summary>
    internal static string WithoutRealm(string target) =>
        target.IndexOf('/') is >= 0 and var slash && target.IndexOf('@', slash) is > 0 and var realm ? target[..realm] : target;

    public byte[]? Next(ReadOnlySpan<byte> incoming, out string? problem)
    {
        var token = _system.GetOutgoingBlob(incoming, out var status);
        IsCompleted = status == NegotiateAuthenticationStatusCode.Completed;
        problem = status is NegotiateAuthenticationStatusCode.Completed or NegotiateAuthenticationStatusCode.ContinueNeeded ? null : status.ToString();
        return token is { Length: > 0 } ? token : null;
    }

    public void Dispose() => _system.Dispose();
}
