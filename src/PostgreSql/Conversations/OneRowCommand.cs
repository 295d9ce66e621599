using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.Protocol.Replication;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.State;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// A simple query that has at most one row as its result: a question of the driver, or a command of the replication protocol, such as IDENTIFY_SYSTEM. A
/// replication session executes simple queries only. Source: PostgreSQL 18, 54.4 "Streaming Replication Protocol".
/// </summary>
/// <param name="session">Gets notices.</param>
/// <param name="state">Gets what the answer shows about the server's state.</param>
/// <param name="command">The command.</param>
/// <param name="maxRowBytes">The most bytes of a row.</param>
internal sealed class OneRowCommand(ISessionHost session, ServerState state, string command, long maxRowBytes) : SimpleExchange
{
    private bool _isDescribed;
    private bool _isComplete;

    public override string Description => command;

    /// <summary>The values of the row, each null if it is NULL; null if the command has returned no row.</summary>
    public byte[]?[]? Row { get; private set; }

    public override void Encode(Wire wire) => Query.Write(wire.Out, Encoding.UTF8.GetBytes(command));      // C: Query

    public override Step Advance(Wire wire)
    {
        while (Messages.TryTake(wire, out var type, out var start, out var end))
        {
            var body = wire.In.AsSpan(start, end - start);
            switch (type)
            {
                case BackendMessage.RowDescription when !_isDescribed && Error is null:                    // S: RowDescription, DataRow, CommandComplete
                    _isDescribed = true;
                    break;
                case BackendMessage.DataRow when _isDescribed && Row is null && !_isComplete && Error is null:
                    Row = ReadRow(body);
                    break;
                // After a stream, a server that creates a logical slot still sends the keepalives of a stream (WalSndWaitForWal in walsender.c).
                case BackendMessage.CopyData when IsKeepalive(body):
                    break;
                case BackendMessage.CommandComplete when !_isComplete && Error is null:
                    Messages.ReadComplete(body);
                    _isComplete = true;
                    break;
                case BackendMessage.ErrorResponse when Error is null && !_isComplete:
                    var error = Messages.ReadError(body);
                    Error = error.ToServerError();
                    if (!error.EndsSession)
                        break;
                    session.Break(error.MessageText);
                    return Step.Completed;
                case BackendMessage.ReadyForQuery when _isComplete || Error is not null:                   // S: ReadyForQuery
                    state.TransactionStatus = Messages.ReadStatus(body);
                    return Step.Completed;
                default:
                    Messages.TakeAsynchronous(session, state, type, body, $"the answer to {command}");
                    break;
            }
        }

        return wire.Want > maxRowBytes ? throw LargeRow.TooLarge(maxRowBytes) : Step.Receive;
    }

    private static bool IsKeepalive(ReadOnlySpan<byte> body)
    {
        var reader = new ByteReader(body);
        if (reader.Byte() != PrimaryKeepalive.Type)
            return false;
        PrimaryKeepalive.Read(ref reader);
        return !reader.Failed;
    }

    /// <summary>Reads the values of a DataRow.</summary>
    /// <exception cref="Core.Errors.ProtocolException">The message is malformed.</exception>
    public static byte[]?[] ReadRow(ReadOnlySpan<byte> body)
    {
        var reader = new ByteReader(body);
        var count = reader.Int16BigEndian();
        if (count is < 0 or > RowDescription.MaxColumns || count > reader.Remaining / 4)
            reader.Fail();
        if (reader.Failed)
            throw Messages.Broken(BackendMessage.DataRow, body.Length);
        var values = new byte[]?[count];
        for (var i = 0; i < values.Length; i++)
        {
            var length = reader.Int32BigEndian();
            values[i] = length == -1 ? null : reader.Bytes(length).ToArray();
        }

        return reader.Failed || reader.Remaining != 0 ? throw Messages.Broken(BackendMessage.DataRow, body.Length) : values;
    }
}
