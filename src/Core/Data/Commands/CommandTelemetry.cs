using System.Diagnostics;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <summary>The span, the metric and the log message of one command: nothing but a look when nobody listens.</summary>
internal static class CommandTelemetry
{
    /// <param name="session">Where the command will run.</param>
    /// <param name="telemetry">Who listens.</param>
    /// <param name="command">Describes itself; null for what is no command.</param>
    public static void Begin(Session session, Telemetry telemetry, ProviderCommand? command)
    {
        if (!telemetry.IsListening)
            return;
        session.Began = Stopwatch.GetTimestamp();
        session.Activity = telemetry.StartCommand();
        if (session.Activity is { IsAllDataRequested: true } span)
            command?.Describe(span, telemetry.Tracing);
    }

    /// <summary>The first answer has arrived.</summary>
    public static void Answered(Session session, Telemetry telemetry)
    {
        if (session.Activity is { IsAllDataRequested: true } span && telemetry.Tracing.ResultSetHeaderEvent)
            span.AddEvent(new("read-result-set-header"));
    }

    /// <summary>The command has ended, or the server refused it.</summary>
    public static void End(Session session, Telemetry telemetry, ServerError? error)
    {
        if (session.Began != 0)
            End(session, telemetry, error is null ? null : Telemetry.CodeOf(error), error is not null);
    }

    /// <summary>The command failed, by the server's last words or below its answers.</summary>
    public static void Failed(Session session, Telemetry telemetry, Exception exception)
    {
        if (exception is ServerRefusedException refused)
            End(session, telemetry, refused.Error);
        else
            Failed(session, telemetry, exception.GetType().Name);
    }

    /// <summary>The command failed below the server's answers.</summary>
    public static void Failed(Session session, Telemetry telemetry, string exception)
    {
        if (session.Began != 0)
            End(session, telemetry, exception, false);
    }

    private static void End(Session session, Telemetry telemetry, string? error, bool isServers)
    {
        telemetry.EndCommand(session.Activity, session.Began, error, isServers);
        if (telemetry.CommandLog is { } log)
        {
            var milliseconds = Stopwatch.GetElapsedTime(session.Began).TotalMilliseconds;
            if (error is null)
                Log.CommandEnded(log, session.ServerId, milliseconds);
            else
                Log.CommandFailed(log, session.ServerId, milliseconds, error);
        }

        session.Began = 0;
        session.Activity = null;
    }
}
