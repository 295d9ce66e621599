using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// The column definitions of one result set. Immutable but for caches; shared by all sessions of a data source. Repeated definitions are
/// recognised by comparing bytes with <see cref="Raw"/>, names are decoded when they are asked for.
/// </summary>
internal sealed class ResultMetadata
{
    /// <summary>Most columns: a table or view has at most 4,096, and so has a result set.</summary>
    public const int MaxColumns = 4096;

    /// <summary>
    /// The most a definition's six names and fixed part can have: names are at most 64 characters, aliases 256, each up to four bytes;
    /// four times that is generous.
    /// </summary>
    public const int MaxDefinitionLength = 16 * 1024;

    // Below this a scan of the names is as quick as a dictionary, and needs none.
    private const int FewEnoughToScan = 8;

    // NOT_FIXED_DEC: a DOUBLE is written with as many digits as it takes.
    private const int AllDigits = 31;

    private readonly int[] _at;
    private readonly string?[] _names;
    private Dictionary<string, int>? _exact;
    private Dictionary<string, int>? _ignoringCase;

    private ResultMetadata(byte[] raw, Column[] columns, int[] at)
    {
        Raw = raw;
        Columns = columns;
        _at = at;
        _names = new string?[columns.Length];
        BitmapLength = (columns.Length + 9) / 8;
        FixedEnd = 1 + BitmapLength;
        foreach (var column in columns)
        {
            IsDearAsText |= column.Kind is ValueKind.Double or ValueKind.DateTime or ValueKind.Date or ValueKind.Time;
            DiffersAsText |= column.Kind is ValueKind.Float || (column.Kind is ValueKind.Double && column.Definition.Decimals != AllDigits);
        }

        while (FixedCount < columns.Length && columns[FixedCount].Width != 0)
            FixedEnd += columns[FixedCount++].Width;
    }

    /// <summary>The definitions as they came, packet headers included.</summary>
    public byte[] Raw { get; }

    public Column[] Columns { get; }

    /// <summary>
    /// True when there is a column that costs a server much to write as text, and a client to read: a DOUBLE costs five times its binary form.
    /// </summary>
    public bool IsDearAsText { get; }

    /// <summary>True when a server rounds a number that it writes as text: a FLOAT to six digits, a DOUBLE such as PI() to as many as the column has.</summary>
    public bool DiffersAsText { get; }

    /// <summary>Bytes of a binary row's NULL bitmap, which follows the row's first byte.</summary>
    public int BitmapLength { get; }

    /// <summary>How many columns at the left have a fixed width in a binary row: while a row has no NULL their offsets are constants.</summary>
    public int FixedCount { get; }

    /// <summary>Where those columns end, from the row's first byte.</summary>
    public int FixedEnd { get; }

    /// <summary>Checks what a server announces before anything is allocated for it.</summary>
    /// <exception cref="ProtocolException">No columns, or more than <see cref="MaxColumns"/>.</exception>
    public static int CheckCount(ulong count) => count is > 0 and <= MaxColumns
        ? (int)count
        : throw new ProtocolException($"a count of 1 to {MaxColumns} columns", $"{count}");

    /// <summary>Reads and copies the definitions.</summary>
    /// <param name="raw">The packets one after the other, with their headers; nothing in front, between or behind.</param>
    /// <param name="count">How many.</param>
    /// <param name="settings">The data source's.</param>
    /// <exception cref="ProtocolException">They are not what they should be.</exception>
    public static ResultMetadata Read(ReadOnlySpan<byte> raw, int count, CodecSettings settings)
    {
        CheckCount((ulong)count);
        var columns = new Column[count];
        var at = new int[count];
        var fixedAt = 1 + (count + 9) / 8;
        var all = new ByteReader(raw);
        for (var i = 0; i < count; i++)
        {
            var length = all.UInt24();
            all.Skip(1);
            at[i] = all.Position;
            if (length > MaxDefinitionLength)
                throw new ProtocolException($"a column definition of at most {MaxDefinitionLength} bytes", $"one of {length}");
            var reader = new ByteReader(all.Bytes(length));
            var definition = ColumnDefinition.Read(ref reader);
            if (all.Failed || reader.Failed)
                throw new ProtocolException($"the definition of column {i + 1} of {count}", $"{length} bytes that are none");
            columns[i] = new(definition, fixedAt, settings);
            fixedAt = fixedAt != 0 && columns[i].Width != 0 ? fixedAt + columns[i].Width : 0;
        }

        if (all.Remaining > 0)
            throw new ProtocolException($"{count} column definitions", $"{all.Remaining} bytes more");
        return new(raw.ToArray(), columns, at);
    }

    /// <summary>The column's name in the result: an alias if it has one.</summary>
    public string Name(int ordinal) => _names[ordinal] ??= Text(ordinal, 4);

    /// <summary>The column's name in its table; empty for an expression.</summary>
    public string OriginalName(int ordinal) => Text(ordinal, 5);

    /// <summary>The table's alias in the query; empty for an expression.</summary>
    public string Table(int ordinal) => Text(ordinal, 2);

    public string OriginalTable(int ordinal) => Text(ordinal, 3);

    public string Schema(int ordinal) => Text(ordinal, 1);

    public string Catalog(int ordinal) => Text(ordinal, 0);

    /// <summary>The first column of that name, as it is written first, then without regard to case; −1 when there is none.</summary>
    public int IndexOf(string name)
    {
        if (Columns.Length <= FewEnoughToScan)
        {
            var index = Scan(name, StringComparison.Ordinal);
            return index >= 0 ? index : Scan(name, StringComparison.OrdinalIgnoreCase);
        }

        // Two threads may build it at the same time: both build the same.
        var exact = _exact ??= BuildIndex(StringComparer.Ordinal);
        if (exact.TryGetValue(name, out var found))
            return found;
        var ignoringCase = _ignoringCase ??= BuildIndex(StringComparer.OrdinalIgnoreCase);
        return ignoringCase.GetValueOrDefault(name, -1);
    }

    /// <summary>There is no column of that name.</summary>
    /// <param name="name">What was looked for.</param>
    /// <param name="called">What a message may call a column, on one line.</param>
    public IndexOutOfRangeException Missing(string name, Func<int, string> called) => new($"There is no column '{name}' in the result: it has {ShownNames(called)}.");

    private string ShownNames(Func<int, string> called)
    {
        const int Shown = 20;
        var names = new StringBuilder();
        for (var i = 0; i < Columns.Length && i < Shown; i++)
            names.Append(i == 0 ? "'" : ", '").Append(called(i)).Append('\'');
        return Columns.Length > Shown ? $"{names} and {Columns.Length - Shown} more" : names.ToString();
    }

    private int Scan(string name, StringComparison comparison)
    {
        for (var i = 0; i < Columns.Length; i++)
        {
            if (string.Equals(Name(i), name, comparison))
                return i;
        }

        return -1;
    }

    private Dictionary<string, int> BuildIndex(StringComparer comparer)
    {
        var index = new Dictionary<string, int>(Columns.Length, comparer);
        for (var i = 0; i < Columns.Length; i++)
            index.TryAdd(Name(i), i);
        return index;
    }

    // The definition has been read whole once, so nothing can fail here.
    private string Text(int ordinal, int which)
    {
        var reader = new ByteReader(Raw.AsSpan(_at[ordinal]));
        for (; which > 0; which--)
            reader.LengthEncodedBytes();
        return reader.LengthEncodedText();
    }
}
