namespace Slipstream.MySql;

/// <summary>Maps a value of the source to a column of the table.</summary>
public sealed class MySqlBulkCopyColumnMapping
{
    /// <summary>Creates a mapping whose properties are set later.</summary>
    public MySqlBulkCopyColumnMapping() => DestinationColumn = "";

    /// <summary>Maps a value of the source to a column of the table, or to a user variable from which an expression computes the column's value.</summary>
    /// <param name="sourceOrdinal">The zero-based position of the value in the source's row.</param>
    /// <param name="destinationColumn">The column's name without quotes or, with <paramref name="expression"/>, a variable such as <c>@value</c>.</param>
    /// <param name="expression">The assignment that uses the variable, such as <c>column = UPPER(@value)</c>; null for none.</param>
    public MySqlBulkCopyColumnMapping(int sourceOrdinal, string destinationColumn, string? expression = null)
    {
        SourceOrdinal = sourceOrdinal;
        DestinationColumn = destinationColumn;
        Expression = expression;
    }

    /// <summary>Gets or sets the zero-based position of the value in the source's row.</summary>
    public int SourceOrdinal { get; set; }

    /// <summary>Gets or sets the column's name without quotes or, with an <see cref="Expression"/>, a variable such as <c>@value</c>.</summary>
    public string DestinationColumn { get; set; }

    /// <summary>
    /// Gets or sets the assignment that uses the variable, such as <c>column = UPPER(@value)</c>. Default: null. Only
    /// <see cref="MySqlBulkCopyMethod.LoadData"/> supports expressions.
    /// </summary>
    public string? Expression { get; set; }
}
