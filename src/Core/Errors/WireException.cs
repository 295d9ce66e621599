namespace Slipstream.Core.Errors;

/// <summary>Why a connection could not be opened or was lost.</summary>
public enum WireFailure
{
    /// <summary>No server listens at the address.</summary>
    Refused,

    /// <summary>The host name could not be resolved.</summary>
    UnknownHost,

    /// <summary>There is no route, the network is down, or the socket could not be created.</summary>
    Unreachable,

    /// <summary>A time limit expired.</summary>
    TimedOut,

    /// <summary>The caller's token was cancelled.</summary>
    Canceled,

    /// <summary>The peer closed or reset the connection.</summary>
    Lost,

    /// <summary>The peer closed the connection after a request so large that its size may be the reason.</summary>
    LostOnLargeRequest,

    /// <summary>The options require TLS and the server does not offer it.</summary>
    TlsNotOffered,

    /// <summary>The TLS handshake failed, or the server's certificate was not accepted.</summary>
    TlsFailed,

    /// <summary>The peer does not speak the protocol.</summary>
    WrongServer,

    /// <summary>A rule of the client forbids what the server requested.</summary>
    Forbidden,

    /// <summary>A value is longer than the options allow.</summary>
    ValueTooLarge,
}

/// <summary>
/// The exception for a connection that the network, a time limit or a rule of the client ended. Applications see it as the inner exception of the provider's
/// exception.
/// </summary>
/// <param name="failure">What happened to the connection.</param>
/// <param name="message">The message.</param>
/// <param name="inner">The cause, if there was one.</param>
public sealed class WireException(WireFailure failure, string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>Gets what happened to the connection.</summary>
    public WireFailure Failure { get; } = failure;

    /// <summary>Gets whether the current command can be repeated. The default is <see cref="RetrySafety.Unknown"/>.</summary>
    public RetrySafety RetrySafety { get; init; } = RetrySafety.Unknown;

    /// <summary>The exception for a session that is in the middle of a message for which there was not enough memory.</summary>
    internal static WireException NoMemory(Exception cause) => new(
        WireFailure.ValueTooLarge,
        "There is not enough memory for the data that the server sent; the connection is closed. Lower Max Value Bytes and Max Row Bytes to what the process "
            + "may use, or read large values with CommandBehavior.SequentialAccess.",
        cause);

    /// <summary>A copy for the inner exception of the provider's exception. Its message refers to the outer one instead of repeating it.</summary>
    internal WireException Told() => new(Failure, Reference, InnerException) { RetrySafety = RetrySafety };

    /// <summary>The same failure with another cause.</summary>
    internal WireException Because(Exception cause) => new(Failure, Message, cause) { RetrySafety = RetrySafety };

    /// <summary>The same failure with what is known about the operation, unless that was known before.</summary>
    internal WireException With(RetrySafety safety) =>
        safety == RetrySafety || RetrySafety != RetrySafety.Unknown ? this : new(Failure, Message, InnerException) { RetrySafety = safety };

    private string Reference => $"{Failure}: see the message of the outer exception.";
}
