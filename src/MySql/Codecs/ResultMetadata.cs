using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.MySql.Conventions;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// The column definitions of a result set. Immutable except for caches, and shared by all sessions of a data source. The driver recognises repeated definitions
/// by comparing bytes with <see cref="Raw"/>. It decodes names at their first use.
/// </summary>
internal sealed class ResultMetadata
{
    /// <summary>The maximum number of columns: 4,096 in a table, a view and a result set.</summary>
    public const int MaxColumns = 4096;

    /// <summary>
    /// The maximum length of a definition's six names and fixed part, in bytes. Names have at most 64 characters and aliases 256, each up to four bytes; the
    /// limit is about four times that.
    /// </summary>
    public const int MaxDefinitionLength = 16 * 1024;

    // With fewer columns, scanning the names is as fast as a dictionary and needs none.
    private const int FewEnoughToScan = 8;

    // NOT_FIXED_DEC: a DOUBLE is written with as many digits as necessary.
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
            IsExpensiveAsText |= column.Kind is ValueKind.Double or ValueKind.DateTime or ValueKind.Date or ValueKind.Time;
            DiffersAsText |= column.Kind is ValueKind.Float || (column.Kind is ValueKind.Double && column.Definition.Decimals != AllDigits);
        }

        while (FixedCount < columns.Length && columns[FixedCount].Width != 0)
            FixedEnd += columns[FixedCount++].Width;
    }

    /// <summary>The definitions as received, including packet headers.</summary>
    public byte[] Raw { get; }

    public Column[] Columns { get; }

    /// <summary>Whether a column is expensive for a server to write as text and for a client to read: a DOUBLE costs five times its binary format.</summary>
    public bool IsExpensiveAsText { get; }

    /// <summary>Whether a server rounds a number that it writes as text: a FLOAT to six digits, a DOUBLE such as PI() to the column's digits.</summary>
    public bool DiffersAsText { get; }

    /// <summary>The number of bytes of a binary row's NULL bitmap, which follows the row's first byte.</summary>
    public int BitmapLength { get; }

    /// <summary>The number of columns from the left that have a fixed width in a binary row. In a row without NULLs, their offsets are constant.</summary>
    public int FixedCount { get; }

    /// <summary>The offset of those columns' end from the row's first byte.</summary>
    public int FixedEnd { get; }

    /// <summary>Checks the column count that a server announces, before anything is allocated for it.</summary>
    /// <exception cref="ProtocolException">The count is 0 or greater than <see cref="MaxColumns"/>.</exception>
    public static int CheckCount(ulong count) => count is > 0 and <= MaxColumns
        ? (int)count
        : throw new ProtocolException($"1 to {MaxColumns} columns", $"a count of {count}");

    /// <summary>Reads and copies the definitions.</summary>
    /// <param name="raw">The packets one after the other, with their headers and without anything else.</param>
    /// <param name="count">The number of columns.</param>
    /// <param name="settings">The data source's settings for values.</param>
    /// <exception cref="ProtocolException">The definitions are malformed.</exception>
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
                throw new ProtocolException($"a column definition of at most {MaxDefinitionLength} bytes", $"one of {length} bytes");
            var reader = new ByteReader(all.Bytes(length));
            var definition = ColumnDefinition.Read(ref reader);
            if (all.Failed || reader.Failed)
                throw new ProtocolException($"the definition of column {i + 1} of {count}", $"{length} bytes that are not one");
            columns[i] = new(definition, fixedAt, settings);
            fixedAt = fixedAt != 0 && columns[i].Width != 0 ? fixedAt + columns[i].Width : 0;
        }

        if (all.Remaining > 0)
            throw new ProtocolException($"only {count} column definitions", $"{all.Remaining} bytes after them");
        return new(raw.ToArray(), columns, at);
    }

    /// <summary>Returns the column's name in the result: its alias, if it has one.</summary>
    public string Name(int ordinal) => _names[ordinal] ??= Text(ordinal, 4);

    /// <summary>Returns the column's name in its table; empty for an expression.</summary>
    public string OriginalName(int ordinal) => Text(ordinal, 5);

    /// <summary>Returns the table's alias in the query; empty for an expression.</summary>
    public string Table(int ordinal) => Text(ordinal, 2);

    public string OriginalTable(int ordinal) => Text(ordinal, 3);

    public string Schema(int ordinal) => Text(ordinal, 1);

    public string Catalog(int ordinal) => Text(ordinal, 0);

    /// <summary>Returns the first column with this name; −1 if there is none. It first compares the exact spelling, then ignores case.</summary>
    public int IndexOf(string name)
    {
        if (Columns.Length <= FewEnoughToScan)
        {
            var index = ThisAssembly.Conventions.FindsColumnsInAnyCase ? -1 : Scan(name, StringComparison.Ordinal);
            return index >= 0 ? index : Scan(name, StringComparison.OrdinalIgnoreCase);
        }

        // Two threads may build the index at the same time: they build the same one.
        var exact = _exact ??= BuildIndex(StringComparer.Ordinal);
        if (!ThisAssembly.Conventions.FindsColumnsInAnyCase && exact.TryGetValue(name, out var found))
            return found;
        var ignoringCase = _ignoringCase ??= BuildIndex(StringComparer.OrdinalIgnoreCase);
        return ignoringCase.GetValueOrDefault(name, -1);
    }

    /// <summary>Returns the exception for a missing column.</summary>
    /// <param name="name">The name that was not found.</param>
    /// <param name="called">Returns a column's name for a message, on one line.</param>
    public IndexOutOfRangeException Missing(string name, Func<int, string> called) =>
        new($"There is no column '{name}' in the result: it has {ShownNames(called)}.");

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

    // The whole definition was read before, so reading it again cannot fail.
    private string Text(int ordinal, int which)
    {
        var reader = new ByteReader(Raw.AsSpan(_at[ordinal]));
        for (; which > 0; which--)
            reader.LengthEncodedBytes();
        return reader.LengthEncodedText();
    }
}
