using System.Text;
using Slipstream.PostgreSql.Replication.Internal;
using Slipstream.PostgreSql.Replication.TestDecoding;

namespace Slipstream.PostgreSql.Replication;

/// <summary>Logical replication with the plug-in test_decoding, which writes changes as text.</summary>
public static class TestDecodingConnectionExtensions
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
    public static async Task<TestDecodingReplicationSlot> CreateTestDecodingReplicationSlot(
        this LogicalReplicationConnection connection, string slotName, bool temporarySlot = false, LogicalSlotSnapshotInitMode? slotSnapshotInitMode = null,
        bool twoPhase = false, CancellationToken cancellationToken = default) =>
        new(await connection.CreateLogicalReplicationSlot(
            slotName, TestDecodingReplicationSlot.Plugin, temporarySlot, slotSnapshotInitMode, twoPhase, cancellationToken).ConfigureAwait(false));

    /// <summary>Streams the changes of a slot.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="slot">The slot, which keeps the log for this stream.</param>
    /// <param name="cancellationToken">Ends the stream with an <see cref="OperationCanceledException"/>. The connection stays usable.</param>
    /// <param name="options">The options of the plug-in; null for its defaults.</param>
    /// <param name="walLocation">The location from which to stream; null for that of the slot.</param>
    /// <returns>The changes. The server is asked when the enumeration begins. The elements are one reused object.</returns>
    /// <exception cref="ArgumentNullException">The connection or the slot is null.</exception>
    /// <exception cref="InvalidOperationException">The connection is not open, or another stream is open. Thrown by the enumeration.</exception>
    /// <exception cref="PgException">The server refused the command, or the connection was lost. Thrown by the enumeration.</exception>
    public static IAsyncEnumerable<TestDecodingData> StartReplication(
        this LogicalReplicationConnection connection, TestDecodingReplicationSlot slot, CancellationToken cancellationToken,
        TestDecodingOptions? options = null, PgLogSequenceNumber? walLocation = null) =>
        LogicalReplicationConnectionExtensions.Start(connection, slot, walLocation, options?.Pairs(), cancellationToken)
            .Enumerate<TestDecodingData>(static operation =>
            {
                var message = new TestDecodingData();
                return () =>
                {
                    message.Data = Encoding.UTF8.GetString(operation.Buffer.Bytes.AsSpan(operation.Start, operation.End - operation.Start));
                    return message;
                };
            }, default);
}
