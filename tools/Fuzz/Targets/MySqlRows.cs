using Slipstream.Core.Errors;
using Slipstream.MySql;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conversations;

namespace Slipstream.Fuzzing.Targets;

/// <summary>
/// A row of text or binary values that the getters of a reader read. Its first three bytes determine its shape, how it is read, and where reading begins. A row
/// is read until an error, because an exception costs as much as a hundred values.
/// </summary>
internal sealed class MySqlRows(bool isBinary) : IFuzzTarget
{
    private const int HeadLength = 3;

    private static readonly CodecSettings[] Settings =
    [
        CodecSettings.Default,
        new() { StrictConversions = true, AllowZeroDateTime = true, GuidFormat = MySqlGuidFormat.Binary16 },
        new() { ConvertZeroDateTime = true, TreatTinyAsBoolean = false, GuidFormat = MySqlGuidFormat.TimeSwapBinary16, DateTimeKind = DateTimeKind.Utc },
        new() { GuidFormat = MySqlGuidFormat.None, DateTimeKind = DateTimeKind.Local },
    ];

    private readonly PoisonedBuffer _buffer = new();
    private readonly ResultMetadata?[] _metadata = new ResultMetadata[MySqlShapes.All.Count * Settings.Length];
    private readonly MySqlRow?[] _rows = new MySqlRow[Settings.Length];

    public string Name => isBinary ? "mysql-binary-row" : "mysql-text-row";

    public FuzzLevel Level => FuzzLevel.Bytes;

    // The strings of a binary row follow values of fixed width: the map finds only some of them.
    public IFrameMap? Frames => isBinary ? null : new LengthEncodedStrings(HeadLength);

    public int MostInput => 1024;

    public IReadOnlyList<byte[]> Seeds()
    {
        var seeds = new List<byte[]>();
        for (var shape = 0; shape < MySqlShapes.All.Count; shape++)
        {
            for (var settings = 0; settings < Settings.Length; settings++)
            {
                var head = (byte)(shape | settings << 4);
                for (byte how = 32; how < 40; how++)
                    seeds.Add([head, how, 0, .. MySqlShapes.Row(MySqlShapes.All[shape], isBinary, 0)]);
                for (byte how = 0; how < RowReading.Ways; how += 5)
                    seeds.Add([head, how, 0, .. MySqlShapes.Row(MySqlShapes.All[shape], isBinary, 0)]);
                seeds.Add([head, 32, 0, .. MySqlShapes.Row(MySqlShapes.All[shape], isBinary, 0x55555555)]);
                seeds.Add([head, 33, 0, .. MySqlShapes.Row(MySqlShapes.All[shape], isBinary, -1)]);
            }
        }

        return seeds;
    }

    public void Execute(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.Length < HeadLength)
            return;
        var shape = (input[0] & 15) % MySqlShapes.All.Count;
        var settings = (input[0] >> 4) % Settings.Length;
        // One in eight reads the columns in ways that do not suit them.
        var (how, well) = input[1] >= 32 ? (input[1] - 32, true) : (input[1] % RowReading.Ways, false);
        var metadata = _metadata[shape * Settings.Length + settings] ??= MySqlShapes.Metadata(MySqlShapes.All[shape], Settings[settings]);
        var row = _rows[settings] ??= new(Settings[settings]);
        _buffer.Set(input[HeadLength..], states.Poison);
        states.Visit(1000 + shape * 100 + how);
        row.Describe(metadata, isBinary);
        var ordinal = input[2];
        try
        {
            row.Set(_buffer.Array, _buffer.Start, input.Length - HeadLength);
            for (var i = 0; i < row.FieldCount; i++)
            {
                if (well)
                    RowReading.ReadWell(row, (ordinal + i) % row.FieldCount, how + i, states);
                else
                    RowReading.Read(row, (ordinal + i) % row.FieldCount, how, states);
            }

            states.Visit(1);
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
        catch (MySqlConversionException)
        {
            states.Visit(6);
        }
    }
}
