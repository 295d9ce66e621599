using System.Buffers.Binary;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Fuzzing.Targets.Conversations;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.Types;

namespace Slipstream.Fuzzing.Targets.PostgreSql;

/// <summary>Parts of exchanges with a state over several messages: the types of a database, rows of a COPY, notifications, the tokens of Kerberos.</summary>
internal static class PgExchanges
{
    public static IReadOnlyList<IFuzzTarget> All { get; } =
    [
        new BytesTarget("pg-type-catalogue", ReadTypes)
        {
            Origin = static () => [Compact(), [1, .. Row("1", "16385", "e", "0", "mood", "public")], [1, .. Row("3", "16385", "", "23", "field", "")]],
            AllocationPerByte = 8192, AllocationConstant = 1 << 20,
        },
        new BytesTarget("pg-copy-binary", CopyReader.Read)
        {
            Origin = CopyReader.Seeds, AllocationPerByte = 1024, Frames = new CopyReader.Messages(),
            Tokens = [[0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00], [0xFF, 0xFF]],
        },
        new BytesTarget("pg-notification", ReadNotification)
        {
            Origin = static () => [[0, 0, 1, 2, .. "channel\0payload\0"u8], [0, 0, 1, 2, .. "chännel\0\0"u8], [1, 0, 0, 0, 0, 0]],
        },
        new BytesTarget("pg-gss-login", ReadTokens) { Origin = static () => [[3, 2, 1, 2, 0, 9], [1, 0, 9], [0, 9], [12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]] },
    ];

    // The rows of the query for types. Source: TypeLoading.
    private static byte[] Row(params string[] values)
    {
        var writer = new ByteWriter();
        writer.Int16BigEndian((short)values.Length);
        foreach (var value in values)
        {
            writer.Int32BigEndian(Encoding.UTF8.GetByteCount(value));
            writer.Text(value);
        }

        return writer.Written.ToArray();
    }

    // Five bytes for each row: part, object id, kind, related object id, name.
    private static byte[] Compact() =>
    [
        0, 1, 1, (byte)'e', 0, 1, 1, 2, (byte)'a', 1, 2, 1, 3, (byte)'d', 200, 3, 1, 4, (byte)'c', 0, 4, 1, 5, (byte)'r', 200, 5, 1, 6, (byte)'m', 5, 6,
        1, 7, (byte)'r', 5, 7, 1, 8, (byte)'d', 8, 8, 1, 9, (byte)'a', 9, 9, 2, 1, 0, 0, 1, 2, 1, 0, 0, 2, 3, 4, 0, 4, 1, 3, 4, 0, 200, 2,
    ];

    // Small numbers name types of the server; from 200 on, those that are built in.
    private static uint Oid(byte number) => number < 200 ? TypeCatalogue.FirstNormalOid + number : number < 230 ? number - 200u + 16 : 3900u + number - 230u;

    private static void ReadTypes(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var loading = new TypeLoading(TypeLoadingOptions.Default, "18.0");
        try
        {
            loading.TryTake(BackendMessage.ParseComplete, []);
            loading.TryTake(BackendMessage.BindComplete, []);
            if ((input[0] & 1) != 0)
                loading.TryTake(BackendMessage.DataRow, input[1..]);
            for (var rest = input[1..]; (input[0] & 1) == 0 && rest.Length >= 5; rest = rest[5..])
                loading.TryTake(
                    BackendMessage.DataRow,
                    Row(
                        $"{rest[0] % 4}", $"{Oid(rest[1])}", rest[0] > 1 ? "" : $"{(char)(rest[2] & 0x7F)}", $"{Oid(rest[3])}", $"t{rest[4] & 0x3F}",
                        rest[4] < 0x80 ? "public" : "p\u001B\nq"));
        }
        catch (ProtocolException)
        {
            states.Visit(1);
            return;
        }

        var catalogue = new TypeCatalogue(TypeMappings.None, loading.Types);
        states.Visit(2, loading.Types.Count);
        foreach (var loaded in loading.Types)
        {
            var type = catalogue.Get(loaded.Oid);
            states.Visit(3 + (int)loaded.Category, type.HasBinary ? 1 : 0);
            Outcome.Holds(type.Oid == loaded.Oid && catalogue.Describe(loaded.Oid).OID == loaded.Oid, "a type has the object id under which it was asked for");
            Outcome.Printable(type.Name, ServerText.LongestName + 64);
            Outcome.Holds(!type.Name.Contains('\n'), "the name of a type is on one line of a message");
            Outcome.Holds(ReferenceEquals(catalogue.Describe(loaded.Oid), catalogue.Describe(loaded.Oid)), "a type has one description");
            if (catalogue.Describe(loaded.Oid) is PostgresCompositeType composite)
                states.Visit(200, composite.Fields.Count);
            states.Note(type.ClrType.Name);
            Try(type, [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 23, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0], isBinary: true, states);
            Try(type, "{}"u8, isBinary: false, states);
            Try(type, "(,)"u8, isBinary: false, states);
            try
            {
                var found = catalogue.Find(loaded.Name);
                Outcome.Holds(found == 0 || catalogue.Describe(found).InternalName == loaded.Name, "a type has the name under which it was found");
            }
            catch (ArgumentException)
            {
                states.Visit(201);
            }
        }
    }

    private static void Try(DataType type, ReadOnlySpan<byte> value, bool isBinary, StateSet states)
    {
        try
        {
            states.Note(type.Read(value, isBinary).GetType().Name);
        }
        catch (Exception exception) when (Documented.OfValues(exception))
        {
            states.Visit(202);
        }
    }

    private static void ReadNotification(ReadOnlySpan<byte> input, StateSet states)
    {
        var reader = new ByteReader(input);
        var notification = NotificationResponse.Read(ref reader);
        states.Visit(reader.Failed ? 1 : 2, notification.Payload.Length);
        if (reader.Failed)
            return;
        Outcome.Holds(!notification.Channel.Contains('\0') && !notification.Payload.Contains('\0'), "texts end at their zero byte");
        var channel = input[4..].IndexOf((byte)0);
        Outcome.Holds(input.Length == 6 + channel + input[(5 + channel)..].IndexOf((byte)0), "a notification has nothing behind it");
        states.Note(notification.Channel);
        states.Note(notification.Payload);
    }

    // The client's side is completed after as many tokens as the first byte says. Then: the length of each token that the server sends, or 9 for "accepted".
    private static void ReadTokens(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var client = new Client(input[0] % 16);
        var login = new GssLogin("peer");
        try
        {
            login.Begin(() => client);
            foreach (var token in input[1..])
            {
                if (token == 9)
                {
                    login.Complete();
                    Outcome.Holds(client.IsCompleted, "a login with Kerberos ends only after the server's proof");
                    states.Visit(1, client.Asked);
                    break;
                }

                states.Visit(login.Continue(new byte[token]) is null ? 2 : 3, client.Asked);
            }
        }
        catch (Exception exception) when (exception is ProtocolException or WireException)
        {
            states.Visit(4 + (exception is WireException ? 1 : 0), client.Asked);
        }

        Outcome.Holds(client.Asked <= 11, "a server cannot make the client compute tokens without end");
    }

    private sealed class Client(int rounds) : INegotiation
    {
        public int Asked { get; private set; }

        public bool IsCompleted => Asked > rounds;

        public byte[]? Next(ReadOnlySpan<byte> incoming, out string? problem)
        {
            Asked++;
            problem = incoming.Length == 255 ? "refused" : null;
            return problem is null && (Asked <= rounds || Asked == 1) ? [1] : null;
        }

        public void Dispose()
        {
            // Nothing is held.
        }
    }

    /// <summary>The messages of a COPY in the binary format: number of columns (1), then for each message its length (2) and its body.</summary>
    private static class CopyReader
    {
        private static readonly uint[] Oids = [23, 25, 1007, 3904, 600, 1700];

        public static void Read(ReadOnlySpan<byte> input, StateSet states)
        {
            if (input.IsEmpty)
                return;
            var columns = input[0] % 8;
            var buffer = new byte[input.Length + 16];
            buffer.AsSpan().Fill(states.Poison);
            input.CopyTo(buffer.AsSpan(8));
            var rows = new BinaryCopyRows(columns);
            var values = new CopyValueReader(columns, TypeCatalogue.BuiltIn);
            var seen = 0;
            try
            {
                for (var at = 9; at + 2 <= 8 + input.Length;)
                {
                    var end = Math.Min(at + 2 + BinaryPrimitives.ReadUInt16BigEndian(buffer.AsSpan(at)), 8 + input.Length);
                    Outcome.Holds(!rows.HasTrailer || seen >= 0, "nothing comes after the trailer");
                    rows.Take(buffer.AsSpan((at + 2)..end), out var row);
                    Outcome.Holds(rows.HasHeader, "the header comes first");
                    if (row >= 0)
                    {
                        values.Set(buffer, at + 2 + row, end);
                        values.Check();
                        seen++;
                        for (var i = 0; i < columns; i++)
                            Value(values, i, Oids[(i + seen) % Oids.Length], states);
                    }

                    at = end;
                }

                states.Visit(rows.HasTrailer ? 1 : 2, seen);
            }
            catch (ProtocolException)
            {
                states.Visit(3, seen);
            }
        }

        private static void Value(CopyValueReader values, int column, uint oid, StateSet states)
        {
            try
            {
                if (values.IsNull(column))
                    return;
                _ = oid switch
                {
                    23 => values.Read<int>(column, oid),
                    25 => values.Read<string>(column, oid).Length,
                    1007 => values.Read<int[]>(column, oid).Length,
                    3904 => values.Read<PgRange<int>>(column, oid).IsEmpty ? 1 : 0,
                    600 => (int)values.Read<PgPoint>(column, oid).X,
                    _ => values.Read<decimal>(column, oid).Scale,
                };
                states.Visit((int)oid);
            }
            catch (Exception exception) when (Documented.OfValues(exception))
            {
                states.Visit(-(int)oid);
            }
        }

        public static List<byte[]> Seeds()
        {
            byte[] header = [0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00, 0, 0, 0, 0, 0, 0, 0, 0];
            byte[] row = [0, 2, 0, 0, 0, 4, 0, 0, 0, 7, 0, 0, 0, 1, (byte)'x'];
            byte[] nulls = [0, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];
            byte[] array = [0, 1, 0, 0, 0, 28, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 23, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 7];
            return
            [
                [2, .. Message([.. header, .. row]), .. Message(row), .. Message(nulls), .. Message([0xFF, 0xFF])],
                [2, .. Message(header), .. Message(row), .. Message([0xFF, 0xFF])], [1, .. Message(header), .. Message(array), .. Message(array)],
                [0, .. Message([.. header, 0, 0]), .. Message([0xFF, 0xFF])],
            ];
        }

        private static byte[] Message(byte[] body) => [(byte)(body.Length >> 8), (byte)body.Length, .. body];

        public sealed class Messages : IFrameMap
        {
            public int Find(ReadOnlySpan<byte> input, Span<FrameField> fields)
            {
                var count = 0;
                for (var at = 1; at + 2 <= input.Length && count < fields.Length;)
                {
                    var there = Math.Min(BinaryPrimitives.ReadUInt16BigEndian(input[at..]), input.Length - at - 2);
                    fields[count++] = new(at, 2, FrameFieldKind.BigEndian, at + 2, there, 0, at);
                    at += 2 + there;
                }

                return count;
            }
        }
    }
}
