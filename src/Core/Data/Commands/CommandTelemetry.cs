using System.Diagnostics;
using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;

namespace Slipstream.Core.Data;

/// <summary>The span, the metrics and the log message of one command. Without a listener, only a check.</summary>
internal static class CommandTelemetry
{
    /// <summary>Records the beginning of a command.</summary>
    public static void Begin(Session session, ProviderDataSource source, ProviderCommand command)
    {
        var telemetry = source.Telemetry;
        if (!telemetry.HasListeners)
            return;
        Begin(session, telemetry, telemetry.WantsSummaries ? command.SummaryFor(session) : null, command);
        if (telemetry.LogsTexts)
            session.LoggedText = TextOf(session, telemetry, command);
        session.IsCommand = command is not ProviderBatchExecution;
        if (session.Activity is { IsAllDataRequested: true } span)
        {
            command.Describe(span, telemetry.Tracing, session.Summary);
            telemetry.SpanCallbacks?.Enrich(span, command);
        }
    }

    // Before the command is sent: the application may change it afterwards.
    private static string? TextOf(Session session, Telemetry telemetry, ProviderCommand command)
    {
        var text = new StringBuilder();
        try
        {
            command.Write(text, session, telemetry.Logging.ParameterValues);
        }
        catch (ArgumentException)
        {
            // The text cannot be sent. Encoding it throws the exception for the caller.
            return null;
        }

        return text.ToString();
    }

    /// <summary>Records the beginning of an operation that is not a command of the caller.</summary>
    public static void Begin(Session session, ProviderDataSource source, QuerySummary summary)
    {
        if (source.Telemetry.HasListeners)
            Begin(session, source.Telemetry, summary);
    }

    /// <summary>Records the beginning of a bulk copy.</summary>
    public static void BeginCopy(Session session, ProviderDataSource source, QuerySummary summary, string text)
    {
        var telemetry = source.Telemetry;
        if (!telemetry.HasListeners)
            return;
        Begin(session, telemetry, summary, text);
        if (session.Activity is { IsAllDataRequested: true } span)
            telemetry.SpanCallbacks?.Enrich(span, text);
    }

    private static void Begin(Session session, Telemetry telemetry, QuerySummary? summary, object? subject = null)
    {
        session.Began = Stopwatch.GetTimestamp();
        session.Summary = summary;
        session.IsCommand = false;
        session.IsCounted = telemetry.Counts.HasListeners;
        if (session.IsCounted)
        {
            telemetry.Counts.Begin();
            (session.ReceivedBefore, session.SentBefore) = (session.Wire.Received, session.Wire.Sent);
        }

        var callbacks = subject is null ? null : telemetry.SpanCallbacks;
        var server = telemetry.At(session);
        session.Activity = callbacks is null ? server.StartCommand(summary)
            : callbacks.IsWanted(subject!) ? server.StartCommand(summary, callbacks.NameOf(subject!))
            : null;
        if (session.Activity is { IsAllDataRequested: true } span)
            Telemetry.SetPeer(span, session.PeerAddress, session.Endpoint.Port);
    }

    /// <summary>Records a statement that is sent with the next command: its span has a tag for that, and the next command's span contains its time.</summary>
    public static void Defer(Session session, ProviderDataSource source, QuerySummary summary)
    {
        if (!source.Telemetry.HasListeners || source.Telemetry.At(session).StartCommand(summary) is not { } span)
            return;
        span.SetTag("slipstream.deferred", true);
        Stop(span, null, null);
    }

    /// <summary>Records that the first answer has arrived.</summary>
    public static void Answered(Session session, ProviderDataSource source)
    {
        if (session.Activity is { IsAllDataRequested: true } span && source.Telemetry.Tracing.ResultSetHeaderEvent)
            span.AddEvent(new("read-result-set-header"));
    }

    /// <summary>Records the end of a command, with the server's error if there was one.</summary>
    public static void End(Session session, ProviderDataSource source, ServerError? error)
    {
        if (session.Began == 0)
            return;
        if (error is null)
            End(session, source, InterruptionWithoutError(session) ?? (session.IsBroken ? nameof(WireFailure.Lost) : null), null);
        else
        {
            var code = ErrorTypes.CodeOf(error);
            End(session, source, source.IsInterruption(error, session.Operation.Interruption, out var reason) ? ErrorTypes.Of(reason) : code, code);
        }
    }

    /// <summary>Records the failure of a command, by the server's last error or below its answers.</summary>
    public static void Failed(Session session, ProviderDataSource source, Exception exception)
    {
        if (session.Began == 0)
            return;
        if (exception is ServerRefusedException refused)
            End(session, source, refused.Error);
        else
            End(session, source, InterruptionOf(session) ?? ErrorTypes.Of(exception), null);
    }

    private static string? InterruptionOf(Session session) => ErrorTypes.Of(session.Operation.Interruption);

    // A late DbCommand.Cancel leaves a complete result.
    private static string? InterruptionWithoutError(Session session) => session.Operation.Interruption == Interruption.Asked ? null : InterruptionOf(session);

    private static void End(Session session, ProviderDataSource source, string? error, string? status)
    {
        var (telemetry, span, outer) = (source.Telemetry, session.Activity, Activity.Current);
        // Listeners of metrics and logs see the command's span as the current one.
        if (span is not null)
        {
            Telemetry.StopClock(span);
            Activity.Current = span;
        }

        telemetry.At(session).Record(session.Began, session.Summary, error, status);
        if (session.IsCounted)
            telemetry.Counts.End(
                session.Wire.Received - session.ReceivedBefore, session.Wire.Sent - session.SentBefore, session.IsCommand ? session.Exchange.IsPrepared : null);
        if (telemetry.CommandLog is { } log)
        {
            var milliseconds = Stopwatch.GetElapsedTime(session.Began).TotalMilliseconds;
            if (session.LoggedText is { } text)
                Log.Write(log, session.ServerId, milliseconds, error, text);
            else if (error is null)
                Log.CommandEnded(log, session.ServerId, milliseconds);
            else
                Log.CommandFailed(log, session.ServerId, milliseconds, error);
        }

        session.Began = 0;
        session.Summary = null;
        session.LoggedText = null;
        session.Activity = null;
        if (span is null)
            return;
        Telemetry.End(span, error, status);
        Restore(outer);
    }

    private static void Stop(Activity span, string? error, string? status)
    {
        var outer = Activity.Current;
        Telemetry.End(span, error, status);
        Restore(outer);
    }

    // The end of a span restores the span that was current at its beginning. Meanwhile, the caller may have started another one.
    private static void Restore(Activity? outer)
    {
        if (outer is not { IsStopped: true })
            Activity.Current = outer;
    }
}
