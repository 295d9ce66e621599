using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql;

/// <summary>Provides data for the <see cref="PgConnection.Notification"/> event.</summary>
public sealed class PgNotificationEventArgs : EventArgs
{
    internal PgNotificationEventArgs(in NotificationResponse notification) =>
        (PID, Channel, Payload) = (notification.ProcessId, notification.Channel, notification.Payload);

    /// <summary>Gets the process id of the session that sent the notification, as in pg_stat_activity.</summary>
    public int PID { get; }

    /// <summary>Gets the name of the channel.</summary>
    public string Channel { get; }

    /// <summary>Gets the payload; an empty string if the NOTIFY had none.</summary>
    public string Payload { get; }
}

/// <summary>Handles the <see cref="PgConnection.Notification"/> event.</summary>
/// <param name="sender">The connection.</param>
/// <param name="e">The notification.</param>
public delegate void PgNotificationEventHandler(object sender, PgNotificationEventArgs e);
