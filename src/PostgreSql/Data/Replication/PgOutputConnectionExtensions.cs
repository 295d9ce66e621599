using Slipstream.PostgreSql.Replication.Internal;
using Slipstream.PostgreSql.Replication.PgOutput;
using Slipstream.PostgreSql.Replication.PgOutput.Messages;

namespace Slipstream.PostgreSql.Replication;

/// <summary>Logical replication with the plug-in pgoutput, which the server's own subscriptions use.</summary>
public static class PgOutputConnectionExtensions
{
    /// <summary>Creates a replication slot of the plug-in.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="slotName">The name of the slot.</param>
    /// <param name="temporarySlot">True for a temporary slot, which the server drops at the end of the session.</param>
    /// <param name="slotSnapshotInitMode">What the server does with its snapshot; null for its default, which is to export it.</param>
    /// <param name="twoPhase">True to decode prepared transactions when they are prepared; since PostgreSQL 15.</param>
    /// <param name="cancellationToken">Cancels the command.</param>
    /// <returns>The slot.</returns>
    /// <inheritdoc cref="LogicalReplicationConnectionExtensions.CreateLogicalReplicationSlot" path="/exception"/>
    public static async Task<PgOutputReplicationSlot> CreatePgOutputReplicationSlot(
        this LogicalReplicationConnection connection, string slotName, bool temporarySlot = false, LogicalSlotSnapshotInitMode? slotSnapshotInitMode = null,
        bool twoPhase = false, CancellationToken cancellationToken = default) =>
        new(await connection.CreateLogicalReplicationSlot(
            slotName, PgOutputReplicationSlot.Plugin, temporarySlot, slotSnapshotInitMode, twoPhase, cancellationToken).ConfigureAwait(false));

    /// <summary>Streams the changes of a slot.</summary>
    /// <remarks>
    /// The messages of inserts, updates and deletes, their rows and their values are reused: they are valid until the next message is requested. Call
    /// <see cref="ReplicationConnection.SetReplicationStatus"/> after the changes of a transaction have been stored.
    /// </remarks>
    /// <param name="connection">The connection.</param>
    /// <param name="slot">The slot, which keeps the log for this stream.</param>
    /// <param name="options">The publications, the version of the protocol, and the options of the plug-in.</param>
    /// <param name="cancellationToken">Ends the stream with an <see cref="OperationCanceledException"/>. The connection stays usable.</param>
    /// <param name="walLocation">The location from which to stream; null for that of the slot.</param>
    /// <returns>The messages. The server is asked when the enumeration begins.</returns>
    /// <exception cref="ArgumentNullException">The connection, the slot or the options are null.</exception>
    /// <exception cref="InvalidOperationException">The connection is not open, or another stream is open. Thrown by the enumeration.</exception>
    /// <exception cref="PgException">The server refused the command, or the connection was lost. Thrown by the enumeration.</exception>
    public static IAsyncEnumerable<PgOutputReplicationMessage> StartReplication(
        this LogicalReplicationConnection connection, PgOutputReplicationSlot slot, PgOutputReplicationOptions options, CancellationToken cancellationToken,
        PgLogSequenceNumber? walLocation = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        return LogicalReplicationConnectionExtensions.Start(connection, slot, walLocation, options.Pairs(), cancellationToken)
            .Enumerate<PgOutputReplicationMessage>(operation =>
            {
                var decoder = new PgOutputDecoder(options.SendsParallelAborts, operation.Types, operation.Buffer);
                return () => decoder.Decode(operation.Start, operation.End);
            }, default);
    }
}
