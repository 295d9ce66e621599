using System.Globalization;
using System.Text;
using Slipstream.PostgreSql.Options;

namespace Slipstream.PostgreSql.Replication;

/// <summary>A connection for physical replication: it streams the write-ahead log of all databases of a server.</summary>
public sealed class PhysicalReplicationConnection : ReplicationConnection
{
    /// <summary>Creates a closed connection without a connection string.</summary>
    public PhysicalReplicationConnection()
        : base(ReplicationMode.Physical)
    {
    }

    /// <summary>Creates a closed connection.</summary>
    /// <param name="connectionString">The connection string.</param>
    /// <exception cref="ArgumentException">The string has an unknown option or a value that is not allowed.</exception>
    public PhysicalReplicationConnection(string? connectionString)
        : this() => ConnectionString = connectionString;

    /// <summary>Creates a replication slot for physical replication (CREATE_REPLICATION_SLOT … PHYSICAL).</summary>
    /// <param name="slotName">The name of the slot.</param>
    /// <param name="isTemporary">True for a temporary slot, which the server drops at the end of the session.</param>
    /// <param name="reserveWal">True to keep the log from now on; false to keep it from the first stream on.</param>
    /// <param name="cancellationToken">Cancels the command.</param>
    /// <returns>The slot.</returns>
    /// <exception cref="ArgumentException">The name is null, empty or contains a zero character.</exception>
    /// <exception cref="InvalidOperationException">The connection is not open, or a stream is open.</exception>
    /// <exception cref="PgException">The server refused the command, or the connection was lost.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<PhysicalReplicationSlot> CreateReplicationSlot(
        string slotName, bool isTemporary = false, bool reserveWal = false, CancellationToken cancellationToken = default)
    {
        var command = new StringBuilder("CREATE_REPLICATION_SLOT ").Append(ReplicationNames.Slot(slotName, nameof(slotName)));
        if (isTemporary)
            command.Append(" TEMPORARY");
        command.Append(" PHYSICAL");
        if (reserveWal)
            command.Append(" RESERVE_WAL");
        var row = await Require(command.ToString(), 4, cancellationToken).ConfigureAwait(false);
        return new(Text(row, 0));
    }

    /// <summary>Reads a physical replication slot (READ_REPLICATION_SLOT, since PostgreSQL 15).</summary>
    /// <param name="slotName">The name of the slot.</param>
    /// <param name="cancellationToken">Cancels the command.</param>
    /// <returns>The slot; null if it does not exist.</returns>
    /// <inheritdoc cref="CreateReplicationSlot" path="/exception"/>
    public async Task<PhysicalReplicationSlot?> ReadReplicationSlot(string slotName, CancellationToken cancellationToken = default)
    {
        var row = await Require($"READ_REPLICATION_SLOT {ReplicationNames.Slot(slotName, nameof(slotName))}", 3, cancellationToken).ConfigureAwait(false);
        return row[0] is null ? null : new(slotName, row[1] is null ? null : Location(row, 1), row[2] is null ? null : Number(row, 2));
    }

    /// <summary>Streams the log from a location on, for a slot.</summary>
    /// <remarks>
    /// If <paramref name="timeline"/> is not the latest one, the stream ends where the server switched to the next one. The sequence can be enumerated once at
    /// a time. Its elements are one reused object.
    /// </remarks>
    /// <param name="slot">The slot, which keeps the log for this stream.</param>
    /// <param name="walLocation">The location of the first byte.</param>
    /// <param name="cancellationToken">Ends the stream with an <see cref="OperationCanceledException"/>. The connection stays usable.</param>
    /// <param name="timeline">The timeline; 0: the latest one.</param>
    /// <returns>The messages. The server is asked when the enumeration begins.</returns>
    /// <exception cref="ArgumentNullException">The slot is null.</exception>
    /// <exception cref="InvalidOperationException">The connection is not open, or another stream is open. Thrown by the enumeration.</exception>
    /// <exception cref="PgException">The server refused the command, or the connection was lost. Thrown by the enumeration.</exception>
    public IAsyncEnumerable<XLogDataMessage> StartReplication(
        PhysicalReplicationSlot slot, PgLogSequenceNumber walLocation, CancellationToken cancellationToken, uint timeline = 0)
    {
        ArgumentNullException.ThrowIfNull(slot);
        return Start($"SLOT {ReplicationNames.Slot(slot.Name, nameof(slot))} ", walLocation, timeline, cancellationToken);
    }

    /// <summary>Streams the log from a location on, without a slot: the server may remove parts that the stream has not sent yet.</summary>
    /// <param name="walLocation">The location of the first byte.</param>
    /// <param name="cancellationToken">Ends the stream with an <see cref="OperationCanceledException"/>. The connection stays usable.</param>
    /// <param name="timeline">The timeline; 0: the latest one.</param>
    /// <inheritdoc cref="StartReplication(PhysicalReplicationSlot, PgLogSequenceNumber, CancellationToken, uint)"/>
    public IAsyncEnumerable<XLogDataMessage> StartReplication(PgLogSequenceNumber walLocation, CancellationToken cancellationToken, uint timeline = 0) =>
        Start("", walLocation, timeline, cancellationToken);

    /// <summary>Streams the log from <see cref="PhysicalReplicationSlot.RestartLsn"/> of a slot on.</summary>
    /// <param name="slot">The slot, as <see cref="ReadReplicationSlot"/> returns it.</param>
    /// <param name="cancellationToken">Ends the stream with an <see cref="OperationCanceledException"/>. The connection stays usable.</param>
    /// <exception cref="ArgumentException">The slot has no location.</exception>
    /// <inheritdoc cref="StartReplication(PhysicalReplicationSlot, PgLogSequenceNumber, CancellationToken, uint)"/>
    public IAsyncEnumerable<XLogDataMessage> StartReplication(PhysicalReplicationSlot slot, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(slot);
        return slot.RestartLsn is { } location
            ? StartReplication(slot, location, cancellationToken, slot.RestartTimeline ?? 0)
            : throw new ArgumentException("The slot has no RestartLsn: read the slot with ReadReplicationSlot, or pass a location.", nameof(slot));
    }

    private WalMessages Start(string slot, PgLogSequenceNumber location, uint timeline, CancellationToken cancellationToken)
    {
        var suffix = timeline == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $" TIMELINE {timeline}");
        return new(this, $"START_REPLICATION {slot}PHYSICAL {location}{suffix}", cancellationToken);
    }
}
