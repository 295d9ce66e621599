using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.Fuzzing.Targets.Conversations;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol.Replication;
using Slipstream.PostgreSql.Replication;
using Slipstream.PostgreSql.Replication.PgOutput;
using Slipstream.PostgreSql.Replication.PgOutput.Messages;
using Slipstream.PostgreSql.Types;

namespace Slipstream.Fuzzing.Targets.PostgreSql;

/// <summary>The messages of replication, and whole streams of pgoutput with their rows.</summary>
internal static class PgReplication
{
    private static readonly byte[] Relation =
    [
        (byte)'R', .. Int32(99), .. "public\0t\0"u8, (byte)'f', 0, 4, 1, .. "id\0"u8, .. Int32(23), .. Int32(-1), 0, .. "v\0"u8, .. Int32(25), .. Int32(-1),
        0, .. "n\0"u8, .. Int32(1700), .. Int32(-1), 0, .. "a\0"u8, .. Int32(1007), .. Int32(-1),
    ];

    private static readonly byte[] Row =
        [0, 4, (byte)'t', .. Int32(2), .. "42"u8, (byte)'b', .. Int32(1), .. "x"u8, (byte)'t', .. Int32(3), .. "1.5"u8, (byte)'t', .. Int32(5), .. "{1,2}"u8];

    private static readonly byte[] Begin = [(byte)'B', .. new byte[20]];
    private static readonly byte[] Commit = [(byte)'C', .. new byte[25]];
    private static readonly byte[] Insert = [(byte)'I', .. Int32(99), (byte)'N', .. Row];

    public static IReadOnlyList<IFuzzTarget> All { get; } =
    [
        new BytesTarget("pg-replication-messages", ReadMessage)
        {
            Origin = static () => [[XLogData.Type, .. new byte[24]], [PrimaryKeepalive.Type, .. new byte[16], 1]],
        },
        new BytesTarget("pg-replication-row", ReadCommandRow) { Origin = static () => [[0, 2, .. Int32(1), 65, .. Int32(-1)]] },
        new BytesTarget("pg-output", ReadStream)
        {
            Origin = Seeds, AllocationPerByte = 1024, AllocationConstant = 1 << 20, Tokens = [Relation, Row, Begin, Commit, Insert, [(byte)'E']],
        },
    ];

    private static void ReadMessage(ReadOnlySpan<byte> input, StateSet states)
    {
        var reader = new ByteReader(input);
        switch (reader.Byte())
        {
            case XLogData.Type:
                var data = XLogData.Read(ref reader);
                states.Visit(reader.Failed ? 1 : 2, (long)data.WalEnd);
                Outcome.Holds(reader.Failed || reader.Position == XLogData.HeaderLength, "the data follows its header");
                break;
            case PrimaryKeepalive.Type:
                var keepalive = PrimaryKeepalive.Read(ref reader);
                states.Visit(reader.Failed ? 3 : keepalive.RequestsReply ? 4 : 5);
                break;
            default:
                states.Visit(6);
                break;
        }
    }

    private static void ReadCommandRow(ReadOnlySpan<byte> input, StateSet states)
    {
        try
        {
            states.Visit(1, OneRowCommand.ReadRow(input).Length);
        }
        catch (ProtocolException exception)
        {
            Outcome.Printable(exception.Message, 1000);
            states.Visit(2);
        }
    }

    // The first byte chooses the mode. Each message follows its length in two bytes.
    private static void ReadStream(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var buffer = new WalBuffer();
        var decoder = new PgOutputDecoder((input[0] & 1) != 0, TypeCatalogue.BuiltIn, buffer);
        var rest = input[1..];
        try
        {
            while (rest.Length >= 2)
            {
                var length = Math.Min(BinaryPrimitives.ReadUInt16BigEndian(rest), rest.Length - 2);
                buffer.Next();
                // Bytes around the message must not be read.
                var bytes = new byte[length + 16];
                bytes.AsSpan().Fill(states.Poison);
                rest.Slice(2, length).CopyTo(bytes.AsSpan(8));
                buffer.Bytes = bytes;
                Read(decoder.Decode(8, 8 + length), states);
                rest = rest[(2 + length)..];
            }
        }
        catch (ProtocolException exception)
        {
            Outcome.Printable(exception.Message, 1000);
            states.Visit(1);
        }
    }

    private static void Read(PgOutputReplicationMessage message, StateSet states)
    {
        states.Visit(2, message.GetType().Name.Length);
        states.Note(message.ToString());
        switch (message)
        {
            case InsertMessage insert:
                Read(insert.NewRow, states);
                break;
            case IndexUpdateMessage update:
                Read(update.Key, states);
                Read(update.NewRow, states);
                break;
            case FullUpdateMessage update:
                Read(update.OldRow, states);
                Read(update.NewRow, states);
                break;
            case UpdateMessage update:
                Read(update.NewRow, states);
                break;
            case KeyDeleteMessage delete:
                Read(delete.Key, states);
                break;
            case FullDeleteMessage delete:
                Read(delete.OldRow, states);
                break;
            case LogicalDecodingMessage said:
                var content = new byte[said.Data.Length];
                Outcome.Holds(said.Data.Read(content) == content.Length, "the content of a message is complete");
                states.Note(content);
                break;
        }
    }

    private static void Read(ReplicationTuple row, StateSet states)
    {
        var values = row.GetAsyncEnumerator();
        var count = 0;
        while (values.MoveNextAsync().AsTask().GetAwaiter().GetResult())
        {
            var value = values.Current;
            states.Visit(0x100 | (int)value.Kind, value.Length);
            Try(static value => value.Get().AsTask().GetAwaiter().GetResult(), value, states);
            Try(static value => value.Get<string>().AsTask().GetAwaiter().GetResult(), value, states);
            Try(static value => value.Get<int?>().AsTask().GetAwaiter().GetResult(), value, states);
            Try(static value => value.Get<int[]>().AsTask().GetAwaiter().GetResult(), value, states);
            Try(static value => value.GetStream().Length, value, states);
            count++;
        }

        Outcome.Holds(count == row.NumColumns, "a row has all of its columns");
    }

    private static void Try(Func<ReplicationValue, object?> getter, ReplicationValue value, StateSet states)
    {
        try
        {
            states.Note(getter(value)?.ToString() ?? "");
        }
        catch (Exception exception) when (Documented.OfValues(exception))
        {
            states.Visit(3);
        }
    }

    private static List<byte[]> Seeds() =>
    [
        Stream(
            0, Begin, Relation, Insert, [(byte)'U', .. Int32(99), (byte)'O', .. Row, (byte)'N', .. Row], [(byte)'D', .. Int32(99), (byte)'K', .. Row],
            Commit),
        Stream(
            1, [(byte)'S', .. Int32(5), 1], [(byte)'R', .. Int32(5), .. Relation[1..]], [(byte)'I', .. Int32(5), .. Insert[1..]], [(byte)'E'],
            [(byte)'A', .. new byte[24]], [(byte)'c', .. new byte[29]]),
        Stream(
            0, [(byte)'b', .. new byte[28], .. "gid\0"u8], Relation, [(byte)'T', .. Int32(1), 3, .. Int32(99)], [(byte)'Y', .. Int32(7), .. "s\0m\0"u8],
            [(byte)'O', .. new byte[8], .. "o\0"u8], [(byte)'P', .. new byte[29], .. "gid\0"u8], [(byte)'K', .. new byte[29], .. "gid\0"u8]),
        Stream(
            0, [(byte)'M', 0, .. new byte[8], .. "p\0"u8, .. Int32(2), 1, 2], [(byte)'r', .. new byte[37], .. "gid\0"u8],
            [(byte)'p', .. new byte[29], .. "gid\0"u8]),
    ];

    private static byte[] Stream(byte mode, params byte[][] messages) =>
        [mode, .. messages.SelectMany(static one => (byte[])[(byte)(one.Length >> 8), (byte)one.Length, .. one])];

    private static byte[] Int32(int value)
    {
        var bytes = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(bytes, value);
        return bytes;
    }
}
