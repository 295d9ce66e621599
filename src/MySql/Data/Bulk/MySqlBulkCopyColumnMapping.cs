namespace Slipstream.MySql;

/// <summary>Says which value of the source goes into which column.</summary>
public sealed class MySqlBulkCopyColumnMapping
{
    /// <summary>A mapping to be filled in.</summary>
    public MySqlBulkCopyColumnMapping() => DestinationColumn = "";

    /// <summary>
    /// Maps a column of the source, counted from 0, to a column of the table, or to a user variable from which the expression makes the value.
    /// </summary>
    public MySqlBulkCopyColumnMapping(int sourceOrdinal, string destinationColumn, string? expression = null)
    {
        SourceOrdinal = sourceOrdinal;
        DestinationColumn = destinationColumn;
        Expression = expression;
    }

    /// <summary>The value's place in the source's row, from 0.</summary>
    public int SourceOrdinal { get; set; }

    /// <summary>The column's name, without quotes; or with an <see cref="Expression"/> a variable such as <c>@value</c>.</summary>
    public string DestinationColumn { get; set; }

    /// <summary>What is done with a value that goes into a variable, such as <c>column = UPPER(@value)</c>. Only the wire LOAD DATA can do that.</summary>
    public string? Expression { get; set; }
}
