using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// GSSAPI and SSPI: an exchange of Kerberos tokens, in which the server proves its identity, too. The options name the service, never the server. Source:
/// PostgreSQL 18, 54.2.1 "Start-up", AuthenticationGSS.
/// </summary>
/// <param name="peer">The server, for messages.</param>
internal sealed class GssLogin(string peer)
{
    private const int MaxTokens = 10;

    private INegotiation? _negotiation;
    private int _tokens;

    /// <summary>Returns the first token.</summary>
    /// <param name="create">Creates the client's side of the exchange.</param>
    public byte[] Begin(Func<INegotiation> create)
    {
        try
        {
            _negotiation = create();
            return Next([]) ?? throw Failed("no token");
        }
        catch (Exception exception) when (exception is PlatformNotSupportedException or System.ComponentModel.Win32Exception or DllNotFoundException)
        {
            throw new WireException(WireFailure.Forbidden, $"{peer} asks for Kerberos, which is not installed on this machine: install its library "
                + "(libgssapi-krb5-2), or log in as a user with a password.", exception) { RetrySafety = RetrySafety.NotSent };
        }
    }

    /// <summary>Returns the answer to a token of the server; null if there is none.</summary>
    public byte[]? Continue(byte[] token) => _negotiation is null or { IsCompleted: true } || ++_tokens > MaxTokens
        ? throw new ProtocolException("the end of the Kerberos exchange", $"another token of {token.Length} bytes")
        : Next(token);

    /// <summary>Checks, at the end of the login, that the server has proved its identity.</summary>
    public void Complete()
    {
        var isCompleted = _negotiation is { IsCompleted: true };
        _negotiation?.Dispose();
        if (!isCompleted)
            throw new WireException(WireFailure.Forbidden, $"{peer} accepted the login before it proved its identity with Kerberos: it may not be the intended "
                + "server.") { RetrySafety = RetrySafety.NotSent };
    }

    private byte[]? Next(ReadOnlySpan<byte> incoming)
    {
        var token = _negotiation!.Next(incoming, out var problem);
        return problem is null ? token : throw Failed(problem);
    }

    private WireException Failed(string problem)
    {
        _negotiation?.Dispose();
        return new WireException(WireFailure.Forbidden, $"{peer} asks for Kerberos, which failed on this machine ({problem}): get a ticket (kinit), or check "
            + "Kerberos Service Name and the name in Host.") { RetrySafety = RetrySafety.NotSent };
    }
}
