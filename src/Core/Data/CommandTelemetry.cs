using System.Diagnostics;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <summary>The span, the metric and the log message of one command: nothing but a look when nobody listens.</summary>
internal static class CommandTelemetry
{
    public static void Begin(Session session, Telemetry telemetry)
    {
        if (!telemetry.IsListening)
            return;
        session.Began = Stopwatch.GetTimestamp();
        session.Activity = telemetry.StartCommand();
    }

    /// <param name="session">Where the command ran.</param>
    /// <param name="telemetry">Who listens.</param>
    /// <param name="status">The server's error code or the exception's type; null for success.</param>
    public static void End(Session session, Telemetry telemetry, string? status)
    {
        if (session.Began == 0)
            return;
        telemetry.EndCommand(session.Activity, session.Began, status);
        if (telemetry.CommandLog is { } log)
        {
            var milliseconds = Stopwatch.GetElapsedTime(session.Began).TotalMilliseconds;
            if (status is null)
                Log.CommandEnded(log, session.ServerId, milliseconds);
            else
                Log.CommandFailed(log, session.ServerId, milliseconds, status);
        }

        session.Began = 0;
        session.Activity = null;
    }
}
