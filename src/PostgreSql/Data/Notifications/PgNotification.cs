namespace Slipstream.PostgreSql;

/// <summary>A notification of <see cref="PgDataSource.ListenAsync(IEnumerable{string}, CancellationToken)"/>, or the signal that some may be missing.</summary>
public sealed class PgNotification
{
    internal static readonly PgNotification Gap = new(0, "", "") { MayHaveMissed = true };

    internal PgNotification(int processId, string channel, string payload) => (ProcessId, Channel, Payload) = (processId, channel, payload);

    /// <summary>
    /// Gets whether notifications may have been sent before this point that the sequence does not contain: the listening has begun or was interrupted, or the
    /// consumer was too slow. Read the announced state again. The element itself is not a notification: it has no channel.
    /// </summary>
    public bool MayHaveMissed { get; private init; }

    /// <summary>Gets the process id of the session that sent the notification, as in pg_stat_activity.</summary>
    public int ProcessId { get; }

    /// <summary>Gets the name of the channel.</summary>
    public string Channel { get; }

    /// <summary>Gets the payload; an empty string if the NOTIFY had none.</summary>
    public string Payload { get; }

    /// <inheritdoc/>
    public override string ToString() => MayHaveMissed ? "(notifications may have been missed)" : $"{Channel}: {Payload}";
}
