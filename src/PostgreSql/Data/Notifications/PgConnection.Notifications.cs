using Slipstream.Core.Diagnostics;
using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql;

/// <content>Notifications: messages that other sessions send with NOTIFY to the channels of LISTEN.</content>
public sealed partial class PgConnection
{
    /// <summary>
    /// Occurs when a notification arrives on a channel to which the session listens (LISTEN). The driver reads notifications only while it waits for the
    /// server: during a command, or during <see cref="Wait()"/> and its overloads. The event is raised on the thread that reads. An exception
    /// that a handler throws is logged and ignored. The session must not be used in the handler.
    /// </summary>
    public event PgNotificationEventHandler? Notification
    {
        add => Events.AddHandler(NotificationKey, value);
        remove => Events.RemoveHandler(NotificationKey, value);
    }

    /// <summary>Blocks until one message arrives that the server sends without a request: a notification, a notice or a changed setting.</summary>
    /// <remarks>The message is delivered through <see cref="Notification"/> or <see cref="Notice"/> before the method returns.</remarks>
    /// <exception cref="InvalidOperationException">The connection is not open, or it is busy.</exception>
    /// <exception cref="PgException">The connection was lost, or another thread closed it.</exception>
    public void Wait() => NotificationWait.Run(this, 0);

    /// <inheritdoc cref="Wait()"/>
    /// <param name="timeout">Time limit in milliseconds; 0 or −1: no limit.</param>
    /// <returns>True if a message arrived; false if the time has passed. The connection then stays usable.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The limit is less than −1.</exception>
    public bool Wait(int timeout) => NotificationWait.Run(this, timeout);

    /// <inheritdoc cref="Wait(int)"/>
    /// <param name="timeout">Time limit; zero or −1 ms: no limit.</param>
    public bool Wait(TimeSpan timeout) => NotificationWait.Run(this, Milliseconds(timeout));

    /// <summary>Waits until one message arrives that the server sends without a request: a notification, a notice or a changed setting.</summary>
    /// <remarks>The message is delivered through <see cref="Notification"/> or <see cref="Notice"/> before the task completes.</remarks>
    /// <param name="cancellationToken">Ends the wait. The connection stays usable, and no message is lost.</param>
    /// <returns>A task that completes when a message has arrived.</returns>
    /// <exception cref="InvalidOperationException">The connection is not open, or it is busy.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="PgException">The connection was lost, or another thread closed it.</exception>
    public Task WaitAsync(CancellationToken cancellationToken = default) => NotificationWait.RunAsync(this, 0, cancellationToken);

    /// <inheritdoc cref="WaitAsync(CancellationToken)"/>
    /// <param name="timeout">Time limit in milliseconds; 0 or −1: no limit.</param>
    /// <param name="cancellationToken">Ends the wait. The connection stays usable, and no message is lost.</param>
    /// <returns>A task whose result is true if a message arrived, and false if the time has passed. The connection then stays usable.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The limit is less than −1.</exception>
    public Task<bool> WaitAsync(int timeout, CancellationToken cancellationToken = default) => NotificationWait.RunAsync(this, timeout, cancellationToken);

    /// <inheritdoc cref="WaitAsync(int, CancellationToken)"/>
    /// <param name="timeout">Time limit; zero or −1 ms: no limit.</param>
    /// <param name="cancellationToken">Ends the wait. The connection stays usable, and no message is lost.</param>
    public Task<bool> WaitAsync(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        NotificationWait.RunAsync(this, Milliseconds(timeout), cancellationToken);

    // A limit of less than a millisecond must not become "no limit".
    private static int Milliseconds(TimeSpan timeout) => timeout.TotalMilliseconds > int.MaxValue
        ? throw new ArgumentOutOfRangeException(nameof(timeout), timeout, "The time limit of a wait is at most 24 days (2,147,483,647 ms).")
        : (int)Math.Ceiling(timeout.TotalMilliseconds);

    void Sessions.INoticeSink.OnNotification(in NotificationResponse notification)
    {
        if (Events[NotificationKey] is { } handlers)
            Raise(nameof(Notification), handlers, new PgNotificationEventArgs(notification));
    }

    // An exception of a handler would otherwise stop the reading in the middle of an answer, and break the connection.
    private void Raise(string name, Delegate handlers, EventArgs arguments)
    {
        foreach (var handler in handlers.GetInvocationList())
        {
            try
            {
                if (handler is PgNotificationEventHandler notified)
                    notified(this, (PgNotificationEventArgs)arguments);
                else
                    ((PgNoticeEventHandler)handler)(this, (PgNoticeEventArgs)arguments);
            }
            catch (Exception exception)
            {
                if (Source.Telemetry.ConnectionLog is { } log)
                    Log.HandlerFailed(log, ProcessID, name, exception);
            }
        }
    }
}
