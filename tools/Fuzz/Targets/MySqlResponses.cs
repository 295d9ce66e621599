using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.Fuzzing.Targets;

/// <summary>The packets of <c>src/MySql/Protocol/Responses</c>, each from behind its first byte.</summary>
internal static class MySqlResponses
{
    public static IReadOnlyList<IFuzzTarget> All { get; } =
    [
        new BytesTarget("mysql-ok", ReadOk) { Frames = new LengthEncodedStrings(6), Origin = OkSeeds },
        new BytesTarget("mysql-err", ReadErr) { Origin = ErrSeeds },
    ];

    // The first byte says which capabilities were agreed.
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

    private static IReadOnlyList<byte[]> OkSeeds() =>
    [
        [1, 0, 0, 2, 0, 0, 0],
        [0, 3, 42, 2, 0, 1, 0, .. "Rows matched: 3  Changed: 3  Warnings: 1"u8],
        [1, 0xFC, 0, 4, 0xFE, 1, 2, 3, 4, 5, 6, 7, 8, 2, 0x40, 0, 0, 0, 13, 1, 11, 10, .. "slipstream"u8],
        [1, 0, 0, 3, 0x40, 0, 0, 5, .. "hello"u8, 48, 0, 15, 10, .. "autocommit"u8, 3, .. "OFF"u8, 2, 1, .. "1"u8, 5, 9, 8, .. "T_______"u8, 4, 14, 13, .. "START TRANSAC"u8],
        [1, 0, 0, 2, 0x40, 0, 0, 0, 11, 0, 9, 1, .. "a"u8, 1, .. "b"u8, 1, .. "c"u8, 1, .. "d"u8, 0, 0, 0],
    ];

    private static IReadOnlyList<byte[]> ErrSeeds() =>
    [
        [0x28, 4, .. "#42000You have an error in your SQL syntax"u8],
        [0x10, 4, .. "Too many connections"u8],
        [0xFF, 0xFF, .. "#HY000"u8, 27, .. "[31mred"u8, 0xC2, 0x85, 0xF0, 0x9F, 0x98, 0x80, 0xFF],
    ];
}
