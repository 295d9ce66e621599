using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Diagnostics;

/// <summary>The type of an error in OpenTelemetry's terms: the server's code, what happened to the connection, or the exception's type.</summary>
internal static class ErrorTypes
{
    private const string TimedOut = "timeout";
    private const string Canceled = "canceled";

    /// <summary>The type of an exception below the data layer.</summary>
    public static string Of(Exception exception) => exception switch
    {
        ServerRefusedException refused => CodeOf(refused.Error),
        WireException { Failure: WireFailure.TimedOut } => TimedOut,
        WireException { Failure: WireFailure.Canceled } or OperationCanceledException => Canceled,
        WireException wire => wire.Failure.ToString(),
        TimeoutException => TimedOut,
        _ => exception.GetType().Name,
    };

    /// <summary>The type for an interrupted operation; null if it was not interrupted.</summary>
    public static string? Of(Interruption reason) => reason switch
    {
        Interruption.TimedOut => TimedOut,
        Interruption.Canceled or Interruption.Asked => Canceled,
        _ => null,
    };

    /// <summary>The server's code of an error; null if the error is not the server's.</summary>
    public static string? CodeOf(Exception exception) => exception is ServerRefusedException refused ? CodeOf(refused.Error) : null;

    /// <summary>The status code in OpenTelemetry's terms: the server's error number if it has one, otherwise the SQLSTATE.</summary>
    public static string CodeOf(ServerError error) => error.Number != 0 ? error.Number.ToString() : error.SqlState.Length > 0 ? error.SqlState : "_OTHER";
}
