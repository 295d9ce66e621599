using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol;

namespace Slipstream.Fuzzing.Targets;

/// <summary>The code that takes packets from the connection. The first bytes of an input determine in which pieces the rest arrives.</summary>
internal static class MySqlFraming
{
    // For a server that sends nothing useful but never stops: more steps than bytes and pieces means that a step made no progress.
    private const int StepsPerByte = 4;

    private static readonly ResultMetadata LargeShape = MySqlShapes.Metadata(MySqlShapes.All[2], CodecSettings.Default);

    public static IReadOnlyList<IFuzzTarget> All { get; } =
    [
        new BytesTarget("mysql-packets", new PacketReading().Read) { Frames = new PacketFrames { From = 2 }, MostInput = 2048, Origin = PacketSeeds },
        new BytesTarget("mysql-result-set", new ResultReading().Read)
        {
            Frames = new PacketFrames { From = 2 },
            MostInput = 2048,
            Origin = ResultSeeds,
            AllocationPerByte = 256
        },
        new BytesTarget("mysql-compressed", ReadCompressed)
        {
            Frames = new CompressedFrameMap(),
            MostInput = 2048,
            Origin = CompressedSeeds,
            AllocationPerByte = 2 * 1032,
            AllocationConstant = 1 << 20
        },
        // Memory for a small value (up to 1 MiB, one at a time) is reserved when it is announced; for a large one, up to MaxValueBytes, after 32 KiB of it have
        // arrived.
        new BytesTarget("mysql-large-row", ReadLargeRow)
        {
            Frames = new PacketFrames { From = 2 },
            MostInput = 8192,
            Origin = LargeRowSeeds,
            AllocationConstant = 5 << 20
        },
    ];

    // The first piece has the length in the first byte, the others that in the second; 0 means all bytes at once.
    internal static int NextPiece(ReadOnlySpan<byte> input, int arrived) =>
        Math.Min(input.Length - 2 - arrived, (arrived == 0 ? input[0] : input[1]) is > 0 and var piece ? piece : int.MaxValue);

    private static void ReadCompressed(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.Length < 2)
            return;
        using var frames = new CompressedFrames();
        Span<byte> room = stackalloc byte[512];
        var steps = 0;
        long produced = 0;
        try
        {
            for (var arrived = 0; arrived < input.Length - 2;)
            {
                var piece = NextPiece(input, arrived);
                var place = frames.FreeMemory().Span;
                piece = Math.Min(piece, place.Length);
                input.Slice(2 + arrived, piece).CopyTo(place);
                frames.Advance(piece);
                arrived += piece;
                while (true)
                {
                    Outcome.Holds(++steps < 100_000, "decompression makes progress");
                    var count = frames.Decode(room);
                    if (count == 0)
                        break;
                    produced += count;
                    states.Note(room[..count]);
                }
            }

            states.Visit(frames.HasLeft ? 1 : 2);
            Outcome.Holds(produced <= 1032L * input.Length, "nothing grows by more than deflate can");
        }
        catch (ProtocolException)
        {
            states.Visit(3);
        }

        states.Visit(4, produced);
        states.Visit(5, steps);
    }

    private static void ReadLargeRow(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.Length < 2 + Packets.HeaderLength)
            return;
        var wire = new Wire(new Silence(PeerTrust.Loopback), 64) { Sequence = 1 };
        var row = new MySqlRow(CodecSettings.Default);
        // Pieces, use and content of the row are three parameters of one byte each; the first two share one.
        var binary = (input[0] & 0x80) != 0;
        var use = (LargeRowUse)(input[1] % 3);
        row.Describe(LargeShape, binary);
        var large = new LargeRow(row, new RowLimits(1 << 20, 1L << 30));
        var begun = false;
        var steps = 0;
        Span<byte> piece = stackalloc byte[256];
        try
        {
            for (var arrived = 0; arrived < input.Length - 2;)
            {
                var room = wire.FreeSpan();
                var count = Math.Min(Math.Min(room.Length, input.Length - 2 - arrived), (input[0] & 0x7F) is > 0 and var some ? some : int.MaxValue);
                input.Slice(2 + arrived, count).CopyTo(room);
                wire.Advance(count);
                arrived += count;
                if (!begun && wire.Buffered < Packets.HeaderLength)
                    continue;
                if (!begun)
                    large.Begin(wire, LargeShape, binary, use);
                begun = true;
                while (large.Advance(wire) == Step.Completed)
                {
                    Outcome.Holds(++steps < StepsPerByte * 65536, "a large row makes progress");
                    states.Visit(10 + large.Ordinal);
                    if (large.Ordinal < 0)
                    {
                        Finish(row, large, use, states);
                        return;
                    }

                    var got = large.Read(piece);
                    states.Note(piece[..got]);
                    if (got > 0)
                        continue;
                    if (large.Position == large.Length)
                        large.Seek(large.Ordinal + 1);
                    else
                        large.More();
                }
            }

            states.Visit(1);
        }
        catch (WireException exception) when (exception.Failure == WireFailure.ValueTooLarge)
        {
            states.Visit(6);
        }
        catch (ProtocolException)
        {
            states.Visit(2);
        }
        catch (FormatException)
        {
            states.Visit(3);
        }
        catch (InvalidCastException)
        {
            states.Visit(4);
        }
        catch (OverflowException)
        {
            states.Visit(5);
        }
    }

    private static void Finish(MySqlRow row, LargeRow large, LargeRowUse use, StateSet states)
    {
        states.Visit(6 + (int)use);
        if (use == LargeRowUse.Pass)
        {
            // Columns that are not large are read automatically, up to the requested one.
            states.Visit(9, large.Length);
            return;
        }

        if (use == LargeRowUse.Skip)
            return;
        for (var i = 0; i < row.FieldCount; i++)
            RowReading.ReadWell(row, i, i, states);
    }

    private static IReadOnlyList<byte[]> PacketSeeds() => [.. Raw().SelectMany(static raw => (byte[][])[[0, 0, .. raw], [3, 5, .. raw], [1, 1, .. raw]])];

    private static IReadOnlyList<byte[]> ResultSeeds() =>
    [
        .. RecordedPackets.MySqlResults(1500).SelectMany(
            static result =>
                (byte[][])[
                    [result.Columns, 0, .. result.Packets], [result.Columns, 7, .. result.Packets], [(byte)(result.Columns | 0x80), 0, .. result.Packets]
                ]),
        .. MySqlShapes.All.Select(static shape => Result(shape, isBinary: false)),
        .. MySqlShapes.All.Select(static shape => Result(shape, isBinary: true)),
    ];

    private static byte[] Result(ShapeColumn[] shape, bool isBinary)
    {
        var row = MySqlShapes.Row(shape, isBinary, 0);
        return [
            (byte)(shape.Length | (isBinary ? 0x80 : 0)), 0, .. MySqlShapes.Raw(shape), (byte)row.Length, (byte)(row.Length >> 8), 0, (byte)(shape.Length + 2),
            .. row
        ];
    }

    private static IReadOnlyList<byte[]> LargeRowSeeds()
    {
        var seeds = new List<byte[]>();
        foreach (var binary in (bool[])[false, true])
        {
            var row = MySqlShapes.Row(MySqlShapes.All[2], binary, 0);
            for (byte use = 0; use < 3; use++)
            {
                seeds.Add([(byte)(binary ? 0x80 : 0), use, (byte)row.Length, 0, 0, 1, .. row]);
                seeds.Add([(byte)(binary ? 0x83 : 0x03), use, (byte)row.Length, 0, 0, 1, .. row]);
                seeds.Add([(byte)(binary ? 0x80 : 0), use, 0xFF, 0xFF, 0xFF, 1, .. row]);
            }
        }

        // A text of 2 MiB and one of 1.5 MiB, of which a part arrives; in a full packet, so that more may follow.
        seeds.Add([0, 0, 0xFF, 0xFF, 0xFF, 1, 2, .. "42"u8, 0xFD, 0, 0, 0x20, .. new byte[100]]);
        seeds.Add([0, 1, 0xFF, 0xFF, 0xFF, 1, 2, .. "42"u8, 0xFD, 0, 0, 0x10, .. new byte[3000]]);
        seeds.Add([100, 1, 0xFF, 0xFF, 0xFF, 1, 2, .. "42"u8, 0xFE, 0, 0, 0x10, 0, 0, 0, 0, 0, .. new byte[3000]]);
        return seeds;
    }

    private static IReadOnlyList<byte[]> CompressedSeeds()
    {
        var seeds = new List<byte[]>();
        foreach (var raw in Raw())
        {
            seeds.Add([0, 0, (byte)raw.Length, (byte)(raw.Length >> 8), 0, 1, 0, 0, 0, .. raw]);
            var room = new byte[raw.Length + 64];
            using var zlib = new Zlib();
            var length = zlib.Deflate(raw, room);
            byte[] frame = [(byte)length, (byte)(length >> 8), 0, 1, (byte)raw.Length, (byte)(raw.Length >> 8), 0, .. room.AsSpan(0, length)];
            seeds.Add([0, 0, .. frame]);
            seeds.Add([5, 1, .. frame, .. frame]);
        }

        var zeros = new byte[1000];
        using var many = new Zlib();
        var deflated = many.Deflate(new byte[400_000], zeros);
        seeds.Add([0, 0, (byte)deflated, (byte)(deflated >> 8), 0, 1, 0x80, 0x1A, 0x06, .. zeros.AsSpan(0, deflated)]);
        return seeds;
    }

    private static List<byte[]> Raw() =>
    [
        [7, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0],
        [1, 0, 0, 1, 1, .. MySqlShapes.Raw(MySqlShapes.All[0][..1]), 4, 0, 0, 3, 3, .. "123"u8, 7, 0, 0, 4, 0xFE, 0, 0, 2, 0, 0, 0],
        [12, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, .. MySqlShapes.Raw(MySqlShapes.All[0][..1]), .. MySqlShapes.Raw(MySqlShapes.All[0][..1])],
        [9, 0, 0, 1, 0xFF, 0x28, 4, .. "#42000"u8],
        [0xFF, 0xFF, 0xFF, 1, 1, 2, 3, 4, 5, 6, 7, 8],
        [0, 0, 0, 1, 0, 0, 0, 2],
    ];
}

/// <summary>Reads consecutive packets. Some are copied, others only inspected.</summary>
internal sealed class PacketReading
{
    private readonly PoisonedBuffer _buffer = new();
    private readonly Wire _wire = new(new Silence(PeerTrust.Loopback), 0);

    public void Read(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.Length < 2)
            return;
        _buffer.Set(input[2..], states.Poison);
        (_wire.In, _wire.Start, _wire.End, _wire.Sequence, _wire.Want) = (_buffer.Array, _buffer.Start, _buffer.Start, 1, 0);
        var packets = 0;
        try
        {
            for (var arrived = 0; arrived < input.Length - 2;)
            {
                arrived += MySqlFraming.NextPiece(input, arrived);
                _wire.End = _buffer.Start + arrived;
                while (true)
                {
                    var before = _wire.Start;
                    if ((++packets & 3) == 0)
                    {
                        if (IncomingPackets.TakeCopy(_wire, 512) is not { } copy)
                            break;
                        states.Visit(1, copy.Length);
                        states.Note(copy);
                    }
                    else
                    {
                        if (!IncomingPackets.TryTake(_wire, out var at, out var length))
                            break;
                        Outcome.Holds(at >= before && at + length <= _wire.End, "a packet lies within what has arrived");
                        states.Visit(2, length);
                        states.Note(_wire.In.AsSpan(at, length));
                    }

                    Outcome.Holds(_wire.Start > before, "a packet that is taken is gone");
                }

                packets--;
                states.Visit(3, _wire.Want);
            }

            states.Visit(4, IncomingPackets.PeekLength(_wire));
        }
        catch (ProtocolException)
        {
            states.Visit(5);
        }
    }
}

/// <summary>
/// Reads column definitions and the rows after them, as in a result set. The first byte has the number of columns and whether the rows are binary, the second
/// the pieces.
/// </summary>
internal sealed class ResultReading
{
    private readonly PoisonedBuffer _buffer = new();
    private readonly Wire _wire = new(new Silence(PeerTrust.Loopback), 0);

    public void Read(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.Length < 2)
            return;
        _buffer.Set(input[2..], states.Poison);
        (_wire.In, _wire.Start, _wire.End, _wire.Sequence, _wire.Want) = (_buffer.Array, _buffer.Start, _buffer.Start, 2, 0);
        var binary = (input[0] & 0x80) != 0;
        var row = new MySqlRow(CodecSettings.Default);
        ResultMetadata? metadata = null;
        var block = new DefinitionBlock();
        var rows = 0;
        try
        {
            block.Begin(input[0] & 0x7F);
            while (_wire.End < _buffer.End)
            {
                _wire.End = Math.Min(_buffer.End, _wire.End + (input[1] is > 0 and var piece ? piece : int.MaxValue / 2));
                if (metadata is null)
                {
                    if (!block.TryTake(_wire, null, CodecSettings.Default, out metadata))
                        continue;
                    states.Visit(1, metadata.Columns.Length);
                    row.Describe(metadata, binary);
                    // The same definitions are recognised the second time.
                    Outcome.Holds(
                        ResultMetadata.Read(metadata.Raw, metadata.Columns.Length, CodecSettings.Default).FixedCount == metadata.FixedCount,
                        "definitions mean the same when they are read again");
                }

                while (IncomingPackets.TryTake(_wire, out var at, out var length))
                {
                    row.Set(_wire.In, at, length);
                    for (var i = 0; i < row.FieldCount; i++)
                        RowReading.ReadWell(row, i, rows + i, states);
                    rows++;
                }
            }

            states.Visit(2, rows);
        }
        catch (ProtocolException)
        {
            states.Visit(3, rows);
        }
        catch (FormatException)
        {
            states.Visit(4);
        }
        catch (InvalidCastException)
        {
            states.Visit(5);
        }
        catch (OverflowException)
        {
            states.Visit(6);
        }
    }
}
