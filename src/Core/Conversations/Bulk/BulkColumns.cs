namespace Slipstream.Core.Conversations;

/// <summary>A column of a bulk copy's destination.</summary>
/// <param name="Name">As the server writes it.</param>
/// <param name="IsGenerated">Computed from others: it takes no value.</param>
/// <param name="IsIdentity">The server counts when it gets no value.</param>
internal readonly record struct BulkColumn(string Name, bool IsGenerated, bool IsIdentity);

/// <summary>One value of the source and where it goes.</summary>
/// <param name="Source">The value's place in the source's row, from 0.</param>
/// <param name="Column">The column's name.</param>
/// <param name="Expression">What is done with it on the way; null for nothing.</param>
internal readonly record struct BulkMapping(int Source, string Column, string? Expression = null);

/// <summary>Which value of a source goes into which column.</summary>
internal static class BulkColumns
{
    /// <summary>
    /// Without mappings: by position into all columns that take a value, or, when there are as many values as columns in all, past the generated ones, or,
    /// when there are fewer, into those that are no identity either.
    /// </summary>
    /// <param name="table">For messages.</param>
    /// <param name="columns">The destination's columns.</param>
    /// <param name="sourceFields">Values of a row; −1 when the source writes those that are wanted.</param>
    /// <returns>For each value that is sent: its place in the source, and its column's place in the table.</returns>
    /// <exception cref="InvalidOperationException">The numbers do not fit.</exception>
    public static (int[] Ordinals, int[] Columns) ByPosition(string table, IReadOnlyList<BulkColumn> columns, int sourceFields)
    {
        var writable = Where(columns, static column => !column.IsGenerated);
        if (sourceFields < 0 || sourceFields == writable.Length)
            return (UpTo(writable.Length), writable);
        if (sourceFields == columns.Count)
            return (writable, writable);
        var plain = Where(columns, static column => !column.IsGenerated && !column.IsIdentity);
        return sourceFields == plain.Length
            ? (UpTo(plain.Length), plain)
            : throw new InvalidOperationException(
                $"The rows have {sourceFields} values, but {table} has {writable.Length} columns that can be written: add ColumnMappings that say which value goes where.");
    }

    /// <summary>The mappings in the order in which values are sent: who writes his values himself writes them in the order of their places.</summary>
    /// <exception cref="InvalidOperationException">A mapping takes a value that the rows do not have.</exception>
    public static BulkMapping[] InOrder(IReadOnlyList<BulkMapping> mappings, int sourceFields)
    {
        var ordered = mappings.ToArray();
        if (sourceFields < 0)
            Array.Sort(ordered, static (left, right) => left.Source.CompareTo(right.Source));
        foreach (var mapping in ordered)
        {
            if (mapping.Source < 0 || (sourceFields >= 0 && mapping.Source >= sourceFields))
                throw new InvalidOperationException($"A column mapping takes value {mapping.Source} of rows that have {Math.Max(sourceFields, 0)} values; the first is 0.");
        }

        return ordered;
    }

    /// <summary>The column of that name: the exact one first, then ignoring case.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    public static int Find(string table, IReadOnlyList<BulkColumn> columns, string name)
    {
        foreach (var comparison in (ReadOnlySpan<StringComparison>)[StringComparison.Ordinal, StringComparison.OrdinalIgnoreCase])
        {
            for (var i = 0; i < columns.Count; i++)
            {
                if (columns[i].Name.Equals(name, comparison))
                    return i;
            }
        }

        throw new InvalidOperationException($"{table} has no column '{name}', which a column mapping names.");
    }

    private static int[] Where(IReadOnlyList<BulkColumn> columns, Predicate<BulkColumn> matches)
    {
        var found = new List<int>(columns.Count);
        for (var i = 0; i < columns.Count; i++)
        {
            if (matches(columns[i]))
                found.Add(i);
        }

        return [.. found];
    }

    private static int[] UpTo(int count) => [.. Enumerable.Range(0, count)];
}
