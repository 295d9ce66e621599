using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.Fuzzing.Targets;

/// <summary>The packets of <c>src/MySql/Protocol</c> that a server sends.</summary>
internal static class MySqlResponses
{
    public static IReadOnlyList<IFuzzTarget> All { get; } =
    [
        new BytesTarget("mysql-ok", ReadOk) { Frames = new LengthEncodedStrings(7), Origin = OkSeeds },
        new BytesTarget("mysql-err", ReadErr) { MostInput = 10_000, Origin = ErrSeeds },
        new BytesTarget("mysql-eof", ReadEof) { Origin = static () => [[0, 0, 2, 0], [0xFF, 0xFF, 0xFF, 0xFF]] },
        new BytesTarget("mysql-prepare-ok", ReadPrepareOk)
        {
            Origin = static () => [[1, 0, 0, 0, 2, 0, 1, 0, 0, 0, 0], [255, 255, 255, 255, 255, 255, 255, 255, 0, 255, 255]]
        },
        new BytesTarget("mysql-local-infile", ReadLocalInfile)
        {
            MostInput = 1024,
            Origin = static () => ["/etc/passwd"u8.ToArray(), "data.csv"u8.ToArray(), []]
        },
        new BytesTarget("mysql-column-definitions", ReadDefinitions) { Frames = new PacketFrames(), Origin = DefinitionSeeds },
        new BytesTarget("mysql-handshake", ReadHandshake) { MostInput = 512, Origin = HandshakeSeeds },
        new BytesTarget("mysql-auth-switch", ReadAuthSwitch) { MostInput = 512, Origin = AuthSwitchSeeds },
    ];

    // The first byte determines the agreed capabilities.
    private static void ReadOk(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var reader = new ByteReader(input[1..]);
        var ok = Ok.Read(ref reader);
        states.Visit(1, (long)ok.AffectedRows);
        states.Visit(2, (long)ok.LastInsertId);
        states.Visit(3, (long)ok.Status);
        states.Note(ok.Warnings);
        var behind = reader;
        states.Note(Ok.ReadInfo(ref behind, (input[0] & 1) != 0));
        states.Visit(behind.Failed ? 4 : 5);
        var changes = SessionChanges.Read(ref reader);
        states.Visit(reader.Failed ? 6 : 7);
        states.Visit(8, changes.Variables?.Count ?? -1);
        foreach (var (name, value) in changes.Variables ?? [])
        {
            states.Note(name);
            states.Note(value);
        }

        states.Visit(9, changes.Schema?.Length ?? -1);
        states.Visit(10, changes.TransactionCharacteristics?.Length ?? -1);
        states.Visit(changes.StateChanged ? 11 : 12);
        states.Visit(changes.IsIdle switch { true => 13, false => 14, null => 15 });
        states.Note(changes.TransactionState);
        Outcome.Length(changes.TransactionState, 8);
    }

    private static void ReadErr(ReadOnlySpan<byte> input, StateSet states)
    {
        var reader = new ByteReader(input);
        var err = Err.Read(ref reader);
        states.Visit(reader.Failed ? 1 : 2);
        states.Visit(3, err.SqlState.Length);
        states.Visit(4, err.Message.Length);
        states.Note(err.Number);
        states.Note(err.SqlState);
        states.Note(err.Message);
        Outcome.Printable(err.SqlState, 6);
        Outcome.Printable(err.Message, 8193);
    }

    private static void ReadEof(ReadOnlySpan<byte> input, StateSet states)
    {
        var reader = new ByteReader(input);
        var eof = Eof.Read(ref reader);
        states.Visit(reader.Failed ? 1 : 2);
        states.Visit(3, eof.Warnings);
        states.Visit(4, (long)eof.Status);
    }

    private static void ReadPrepareOk(ReadOnlySpan<byte> input, StateSet states)
    {
        var reader = new ByteReader(input);
        var ok = PrepareOk.Read(ref reader);
        states.Visit(reader.Failed ? 1 : 2);
        states.Visit(3, ok.StatementId);
        states.Visit(4, ok.Columns);
        states.Visit(5, ok.Parameters);
        states.Visit(6, ok.Warnings);
    }

    private static void ReadLocalInfile(ReadOnlySpan<byte> input, StateSet states)
    {
        var reader = new ByteReader(input);
        var request = LocalInfileRequest.Read(ref reader);
        states.Visit(reader.Failed ? 1 : 2);
        states.Visit(3, request.FileName.Length);
        states.Note(request.FileName);
        Outcome.Holds(!reader.Failed, "a name of any length is read");
    }

    // The first byte is the number of columns.
    private static void ReadDefinitions(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        try
        {
            var metadata = ResultMetadata.Read(input[1..], input[0], CodecSettings.Default);
            states.Visit(1, metadata.Columns.Length);
            states.Visit(2, metadata.FixedCount);
            states.Note((ulong)metadata.FixedEnd);
            Outcome.Holds(metadata.FixedCount <= metadata.Columns.Length, "the columns of fixed width are some of all");
            for (var i = 0; i < metadata.Columns.Length; i++)
            {
                ref readonly var column = ref metadata.Columns[i];
                states.Visit(3 + (int)column.Kind);
                states.Note(metadata.Name(i));
                states.Note((ulong)metadata.OriginalName(i).Length + (ulong)metadata.Table(i).Length + (ulong)metadata.OriginalTable(i).Length);
                states.Note((ulong)metadata.Schema(i).Length + (ulong)metadata.Catalog(i).Length);
                states.Note(ColumnTypes.Name(column));
                states.Note((ulong)ColumnTypes.DbType(column));
                states.Note(ColumnTypes.ClrType(column.Kind, CodecSettings.Default).Name);
                var found = metadata.IndexOf(metadata.Name(i));
                Outcome.Holds(found >= 0 && found <= i, "a column is found by its name, or one before it");
            }
        }
        catch (ProtocolException)
        {
            states.Visit(99);
        }
    }

    private static void ReadHandshake(ReadOnlySpan<byte> input, StateSet states)
    {
        var reader = new ByteReader(input);
        var greeting = InitialHandshake.Read(ref reader);
        states.Visit(reader.Failed ? 1 : 2);
        states.Visit(greeting.IsMariaDb ? 3 : 4);
        states.Visit(greeting.ProvesCertificates ? 5 : 6);
        states.Visit(greeting.TakesAttributes ? 7 : 8);
        states.Visit(9, (long)greeting.Capabilities);
        states.Visit(10, greeting.ServerVersion.Length);
        states.Visit(11, greeting.Plugin.Length);
        states.Note(greeting.Nonce);
        states.Note(greeting.ServerVersion);
        states.Note(greeting.Plugin);
        states.Note(greeting.ConnectionId);
        Outcome.Holds(greeting.Nonce.Length == InitialHandshake.NonceLength, "a nonce has 20 bytes");
    }

    // FE: a switch; 01: more data; 02: the next factor.
    private static void ReadAuthSwitch(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var reader = new ByteReader(input[1..]);
        if (input[0] == AuthMoreData.Header)
        {
            var more = AuthMoreData.Read(ref reader);
            states.Visit(reader.Failed ? 1 : 2);
            states.Visit(more.IsFastSuccess ? 3 : more.IsFullAuthenticationNeeded ? 4 : 5);
            states.Note(more.Data);
            return;
        }

        var change = input[0] == AuthNextFactor.Header ? AuthNextFactor.Read(ref reader) : AuthSwitchRequest.Read(ref reader);
        states.Visit(reader.Failed ? 6 : 7);
        states.Visit(8, change.Plugin.Length);
        states.Visit(9, change.Data.Length);
        states.Note(change.Plugin);
        states.Note(change.Data);
    }

    private static IReadOnlyList<byte[]> OkSeeds() =>
    [
        [1, 0, 0, 2, 0, 0, 0],
        [0, 3, 42, 2, 0, 1, 0, .. "Rows matched: 3  Changed: 3  Warnings: 1"u8],
        [1, 0xFC, 0, 4, 0xFE, 1, 2, 3, 4, 5, 6, 7, 8, 2, 0x40, 0, 0, 0, 13, 1, 11, 10, .. "slipstream"u8],
        [
            1, 0, 0, 3, 0x40, 0, 0, 5, .. "hello"u8, 48, 0, 15, 10, .. "autocommit"u8, 3, .. "OFF"u8, 2, 1, .. "1"u8, 5, 9, 8, .. "T_______"u8, 4, 14, 13,
            .. "START TRANSAC"u8
        ],
        [1, 0, 0, 2, 0x40, 0, 0, 0, 11, 0, 9, 1, .. "a"u8, 1, .. "b"u8, 1, .. "c"u8, 1, .. "d"u8, 0, 0, 0],
        .. RecordedPackets.MySql()
            .SelectMany(static packets => packets)
            .Where(static packet => packet is [0, ..] and { Length: >= 7 })
            .Select(static packet => (byte[])[1, .. packet.AsSpan(1)])
            .Take(50),
    ];

    private static IReadOnlyList<byte[]> ErrSeeds() =>
    [
        [0x28, 4, .. "#42000You have an error in your SQL syntax"u8],
        [0x10, 4, .. "Too many connections"u8],
        [0xFF, 0xFF, .. "#HY000"u8, 27, .. "[31mred"u8, 0xC2, 0x85, 0xF0, 0x9F, 0x98, 0x80, 0xFF],
        .. RecordedPackets.MySql().SelectMany(static packets => packets).Where(static packet => packet is [0xFF, ..]).Select(static packet => packet[1..]),
    ];

    private static IReadOnlyList<byte[]> DefinitionSeeds() =>
    [
        [3, .. MySqlShapes.Raw(MySqlShapes.All[0][..3])],
        .. MySqlShapes.All.Select(static shape => (byte[])[(byte)shape.Length, .. MySqlShapes.Raw(shape)]).Where(static raw => raw.Length < 4096),
    ];

    private static IReadOnlyList<byte[]> HandshakeSeeds() =>
        [
            .. Recorded(0x0A),
            [
                10, .. "5.5.5-10.11.6-MariaDB\0"u8, 1, 0, 0, 0, .. "12345678"u8, 0, 0xFF, 0xFF, 45, 2, 0, 0xFE, 0x81, 21, .. new byte[10],
                .. "123456789012\0mysql_native_password\0"u8
            ]
        ];

    private static IReadOnlyList<byte[]> AuthSwitchSeeds() =>
        [[0xFE, .. "mysql_native_password\0abcdefghijklmnopqrst\0"u8], [1, 3], [1, 4], [2, .. "dialog\0\u0004Password: "u8], [0xFE], .. Recorded(0xFE)];

    private static IEnumerable<byte[]> Recorded(byte first) =>
        RecordedPackets.MySql().SelectMany(static packets => packets.Take(3)).Where(packet => packet.Length > 8 && packet[0] == first);
}
