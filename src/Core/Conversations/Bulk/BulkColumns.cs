namespace Slipstream.Core.Conversations;

/// <summary>A column of a bulk copy's destination.</summary>
/// <param name="Name">The name as the server spells it.</param>
/// <param name="IsGenerated">Whether the column is computed from others and accepts no value.</param>
/// <param name="IsIdentity">Whether the server generates a number if it receives no value.</param>
internal readonly record struct BulkColumn(string Name, bool IsGenerated, bool IsIdentity);

/// <summary>One value of the source and its destination column.</summary>
/// <param name="Source">Index of the value in the source's row, from 0.</param>
/// <param name="Column">The column's name.</param>
/// <param name="Expression">SQL expression to apply to the value; null for none.</param>
internal readonly record struct BulkMapping(int Source, string Column, string? Expression = null);

/// <summary>Decides which value of a source goes into which column.</summary>
internal static class BulkColumns
{
    /// <summary>
    /// Maps values to columns by position, for a bulk copy without mappings. The values go into all writable columns. If a row has as many values as the table
    /// has columns, those of the generated columns are skipped. If it has fewer values than writable columns, identity columns are left out too.
    /// </summary>
    /// <param name="table">Name of the table, for messages.</param>
    /// <param name="columns">The destination's columns.</param>
    /// <param name="sourceFields">Number of values of a row; −1 if the source writes exactly the values that are needed.</param>
    /// <returns>For each value to send: its index in the source, and the index of its column in the table.</returns>
    /// <exception cref="InvalidOperationException">The number of values does not match.</exception>
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
                $"The rows have {sourceFields} values, but {table} has {writable.Length} columns that can be written: add ColumnMappings that assign values "
                + "to columns.");
    }

    /// <summary>The mappings in the order in which values are sent. A source that writes its own values writes them in the order of their indexes.</summary>
    /// <exception cref="InvalidOperationException">A mapping uses a value that the rows do not have.</exception>
    public static BulkMapping[] InOrder(IReadOnlyList<BulkMapping> mappings, int sourceFields)
    {
        var ordered = mappings.ToArray();
        if (sourceFields < 0)
            Array.Sort(ordered, static (left, right) => left.Source.CompareTo(right.Source));
        foreach (var mapping in ordered)
        {
            if (mapping.Source < 0 || (sourceFields >= 0 && mapping.Source >= sourceFields))
                throw new InvalidOperationException($"A column mapping refers to value {mapping.Source} of rows that have {Math.Max(sourceFields, 0)} "
                    + "values; the first value has the number 0.");
        }

        return ordered;
    }

    /// <summary>The column of that name: an exact match first, then ignoring case.</summary>
    /// <exception cref="InvalidOperationException">No column has that name.</exception>
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
