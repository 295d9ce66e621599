using System.Text;

namespace Slipstream.PostgreSql.Replication.Internal;

/// <summary>
/// Creates slots and begins streams for any plug-in. Libraries that support a plug-in use these methods; applications use those of the plug-in.
/// </summary>
public static class LogicalReplicationConnectionExtensions
{
    private const int OptionsInParentheses = 15;

    /// <summary>Creates a logical replication slot (CREATE_REPLICATION_SLOT … LOGICAL).</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="slotName">The name of the slot.</param>
    /// <param name="outputPlugin">The name of the plug-in.</param>
    /// <param name="isTemporary">True for a temporary slot, which the server drops at the end of the session.</param>
    /// <param name="slotSnapshotInitMode">What the server does with its snapshot; null for its default, which is to export it.</param>
    /// <param name="twoPhase">True to decode prepared transactions when they are prepared; since PostgreSQL 15.</param>
    /// <param name="cancellationToken">Cancels the command.</param>
    /// <returns>What the server reports about the slot.</returns>
    /// <exception cref="ArgumentNullException">The connection is null.</exception>
    /// <exception cref="ArgumentException">A name is null, empty or contains a zero character.</exception>
    /// <exception cref="InvalidOperationException">The connection is not open, or a stream is open.</exception>
    /// <exception cref="PgException">The server refused the command, or the connection was lost.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static async Task<ReplicationSlotOptions> CreateLogicalReplicationSlot(
        this LogicalReplicationConnection connection, string slotName, string outputPlugin, bool isTemporary = false,
        LogicalSlotSnapshotInitMode? slotSnapshotInitMode = null, bool twoPhase = false, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentException.ThrowIfNullOrEmpty(outputPlugin);
        var command = new StringBuilder("CREATE_REPLICATION_SLOT ").Append(ReplicationNames.Slot(slotName, nameof(slotName)));
        if (isTemporary)
            command.Append(" TEMPORARY");
        command.Append(" LOGICAL ").Append(ReplicationNames.Quoted(Core.Statements.Names.Checked(outputPlugin, "plug-in's name", nameof(outputPlugin))))
            .Append(Options(slotSnapshotInitMode, twoPhase, connection.PostgreSqlVersion.Major >= OptionsInParentheses));
        var row = await connection.Require(command.ToString(), 4, cancellationToken).ConfigureAwait(false);
        return new(ReplicationConnection.Text(row, 0), connection.Location(row, 1), ReplicationConnection.TextOrNull(row, 2));
    }

    /// <summary>Streams the changes of a slot as the plug-in writes them.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="slot">The slot, which keeps the log for this stream.</param>
    /// <param name="cancellationToken">Ends the stream with an <see cref="OperationCanceledException"/>. The connection stays usable.</param>
    /// <param name="walLocation">The location from which to stream; null for that of the slot.</param>
    /// <param name="options">The options of the plug-in. An option may have no value.</param>
    /// <param name="bypassingStream">Has no effect. It exists for programs that were written for Npgsql.</param>
    /// <returns>The messages. The server is asked when the enumeration begins. The elements are one reused object.</returns>
    /// <exception cref="ArgumentNullException">The connection or the slot is null.</exception>
    /// <exception cref="InvalidOperationException">The connection is not open, or another stream is open. Thrown by the enumeration.</exception>
    /// <exception cref="PgException">The server refused the command, or the connection was lost. Thrown by the enumeration.</exception>
    public static IAsyncEnumerable<XLogDataMessage> StartLogicalReplication(
        this LogicalReplicationConnection connection, LogicalReplicationSlot slot, CancellationToken cancellationToken,
        PgLogSequenceNumber? walLocation = null, IEnumerable<KeyValuePair<string, string?>>? options = null, bool bypassingStream = false) =>
        Start(connection, slot, walLocation, options, cancellationToken);

    /// <summary>Returns the messages of a slot.</summary>
    internal static WalMessages Start(
        LogicalReplicationConnection connection, LogicalReplicationSlot slot, PgLogSequenceNumber? walLocation,
        IEnumerable<KeyValuePair<string, string?>>? options, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentNullException.ThrowIfNull(slot);
        var command = $"START_REPLICATION SLOT {ReplicationNames.Slot(slot.Name, nameof(slot))} LOGICAL {walLocation ?? slot.ConsistentPoint}"
            + ReplicationNames.Options(options);
        return new(connection, command, cancellationToken);
    }

    /// <summary>Returns the options of CREATE_REPLICATION_SLOT. Servers before PostgreSQL 15 know only keywords.</summary>
    internal static string Options(LogicalSlotSnapshotInitMode? slotSnapshotInitMode, bool twoPhase, bool inParentheses)
    {
        var (modern, keyword) = slotSnapshotInitMode switch
        {
            null => ("", ""),
            LogicalSlotSnapshotInitMode.Export => ("SNAPSHOT 'export'", " EXPORT_SNAPSHOT"),
            LogicalSlotSnapshotInitMode.Use => ("SNAPSHOT 'use'", " USE_SNAPSHOT"),
            LogicalSlotSnapshotInitMode.NoExport => ("SNAPSHOT 'nothing'", " NOEXPORT_SNAPSHOT"),
            _ => throw new ArgumentOutOfRangeException(
                nameof(slotSnapshotInitMode), slotSnapshotInitMode, "The mode is not one of LogicalSlotSnapshotInitMode."),
        };
        if (!inParentheses)
            return keyword + (twoPhase ? " TWO_PHASE" : "");
        var options = modern + (modern.Length > 0 && twoPhase ? ", " : "") + (twoPhase ? "TWO_PHASE" : "");
        return options.Length == 0 ? "" : $" ({options})";
    }
}
