using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Diagnostics;

/// <summary>What the conventions call the type of an error: the server's code, what happened to the connection, or the exception's type.</summary>
internal static class ErrorTypes
{
    private const string TimedOut = "timeout";
    private const string Canceled = "canceled";

    /// <summary>Of an exception below the public shells.</summary>
    public static string Of(Exception exception) => exception switch
    {
        ServerRefusedException refused => CodeOf(refused.Error),
        WireException { Failure: WireFailure.TimedOut } => TimedOut,
        WireException { Failure: WireFailure.Canceled } or OperationCanceledException => Canceled,
        WireException wire => wire.Failure.ToString(),
        TimeoutException => TimedOut,
        _ => exception.GetType().Name,
    };

    /// <summary>Of an operation that was interrupted; null when it was not.</summary>
    public static string? Of(Interruption reason) => reason switch
    {
        Interruption.TimedOut => TimedOut,
        Interruption.Canceled or Interruption.Asked => Canceled,
        _ => null,
    };

    /// <summary>The server's code of an error; null when it is not the server's.</summary>
    public static string? CodeOf(Exception exception) => exception is ServerRefusedException refused ? CodeOf(refused.Error) : null;

    /// <summary>What the conventions call the status code: the server's number where it has numbers, else the SQLSTATE.</summary>
    public static string CodeOf(ServerError error) => error.Number != 0 ? error.Number.ToString() : error.SqlState.Length > 0 ? error.SqlState : "_OTHER";
}
