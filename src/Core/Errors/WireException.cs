namespace Slipstream.Core.Errors;

/// <summary>Why a connection could not be made or did not last.</summary>
public enum WireFailure
{
    /// <summary>Nothing is listening there.</summary>
    Refused,

    /// <summary>The host name could not be resolved.</summary>
    UnknownHost,

    /// <summary>No route, network down, or the socket could not be made.</summary>
    Unreachable,

    /// <summary>Time ran out.</summary>
    TimedOut,

    /// <summary>The caller's token was cancelled.</summary>
    Canceled,

    /// <summary>The peer closed or reset the connection.</summary>
    Lost,

    /// <summary>The peer closed the connection on a request so large that it may have done so because of its size.</summary>
    LostOnLargeRequest,

    /// <summary>TLS was demanded and the server does not offer it.</summary>
    TlsNotOffered,

    /// <summary>The TLS handshake failed or the server's certificate was not accepted.</summary>
    TlsFailed,

    /// <summary>Who answered does not speak the protocol.</summary>
    WrongServer,

    /// <summary>A rule of the client forbids what the server asked for.</summary>
    Forbidden,

    /// <summary>A value is longer than the options let it be.</summary>
    ValueTooLarge,
}

/// <summary>The network, the time or a client-side rule ended a connection. The public shell makes the provider's exception of it.</summary>
public sealed class WireException(WireFailure failure, string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>What happened to the connection.</summary>
    public WireFailure Failure { get; } = failure;

    /// <summary>Whether the command under way can be repeated; the session fills it in.</summary>
    public RetrySafety RetrySafety { get; init; } = RetrySafety.Unknown;

    /// <summary>The same for the inside of the provider's exception, whose message this one's is: said once is enough.</summary>
    internal WireException Told() => new(Failure, Reference, InnerException) { RetrySafety = RetrySafety };

    private string Reference => $"{Failure}: the message of the outer exception says what happened.";
}
