using System.Diagnostics;
using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Diagnostics;

/// <summary>Opens sessions and reports each opening to listeners: a span, its duration, a log message.</summary>
/// <param name="factory">Opens the sessions.</param>
/// <param name="telemetry">Telemetry of the data source.</param>
internal sealed class TracedFactory(ISessionFactory<Session> factory, Telemetry telemetry) : ISessionFactory<Session>, IDisposable
{
    /// <inheritdoc/>
    public void Dispose() => (factory as IDisposable)?.Dispose();

    /// <inheritdoc/>
    public Session Open(long milliseconds) => Open(milliseconds, null);

    /// <inheritdoc/>
    public ValueTask<Session> OpenAsync(long milliseconds, CancellationToken cancellationToken) => OpenAsync(milliseconds, null, cancellationToken);

    /// <inheritdoc/>
    public Session Open(long milliseconds, object? holder)
    {
        var began = Stopwatch.GetTimestamp();
        var activity = telemetry.StartConnect();
        try
        {
            return Opened(factory.Open(milliseconds, holder), activity, began);
        }
        catch (Exception exception)
        {
            Telemetry.End(activity, ErrorTypes.Of(exception), ErrorTypes.CodeOf(exception));
            throw;
        }
    }

    /// <inheritdoc/>
    public async ValueTask<Session> OpenAsync(long milliseconds, object? holder, CancellationToken cancellationToken)
    {
        var began = Stopwatch.GetTimestamp();
        var activity = telemetry.StartConnect();
        try
        {
            return Opened(await factory.OpenAsync(milliseconds, holder, cancellationToken).ConfigureAwait(false), activity, began);
        }
        catch (Exception exception)
        {
            Telemetry.End(activity, ErrorTypes.Of(exception), ErrorTypes.CodeOf(exception));
            throw;
        }
    }

    private Session Opened(Session session, Activity? activity, long began)
    {
        telemetry.System = session.DatabaseSystem ?? telemetry.System;
        if (activity is { IsAllDataRequested: true })
        {
            activity.SetTag("db.system.name", telemetry.System);
            if (telemetry.At(session) is var server && server != telemetry)
                server.SetServer(activity);
            Telemetry.SetPeer(activity, session.PeerAddress, session.Endpoint.Port);
        }

        telemetry.EndConnect(activity, began);
        if (telemetry.ConnectionLog is { } log)
            Log.Connected(log, session.ServerId, session.Endpoint.ToString());
        return session;
    }
}
