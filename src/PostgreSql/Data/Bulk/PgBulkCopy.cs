using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>
/// Writes many rows into a table with COPY in the binary format. If one row fails, no row is inserted. If the server reports the failed row, the exception
/// names it in its message and in <c>exception.Data["Row"]</c>, counted from 1. Only <see cref="PgRowsCopiedEventArgs.Abort"/> keeps the rows so far.
/// </summary>
/// <example>
/// <code>
/// var bulk = new PgBulkCopy(connection) { DestinationTableName = "points" };
/// bulk.WriteToServer(points, static (row, point) => { row.Write(point.Id); row.Write(point.Name); });
/// </code>
/// </example>
public sealed class PgBulkCopy : ProviderBulkCopy<PgBulkRow, PgBulkCopyResult>
{
    /// <summary>Creates a bulk copy that writes over a connection.</summary>
    /// <param name="connection">The connection. If it is not open, it is opened for the copy and closed afterwards.</param>
    /// <param name="transaction">The connection's transaction if one is open. Without one, the copy is its own transaction.</param>
    public PgBulkCopy(PgConnection connection, PgTransaction? transaction = null)
        : base(connection, transaction)
    {
    }

    /// <summary>
    /// Gets the mapping of source values to columns. If it is empty (the default), values are mapped by position to all columns that can be written; identity
    /// and serial columns are left out if there are only as many values as other columns.
    /// </summary>
    public List<PgBulkCopyColumnMapping> ColumnMappings { get; } = [];

    /// <summary>Occurs after every <see cref="ProviderBulkCopy{TRow, TResult}.NotifyAfter"/> rows.</summary>
    public event EventHandler<PgRowsCopiedEventArgs>? RowsCopied;

    /// <inheritdoc/>
    private protected override IEnumerable<string?> DestinationColumns => ColumnMappings.ConvertAll(static mapping => mapping.DestinationColumn);

    /// <inheritdoc/>
    private protected override string BeginTransaction => "BEGIN";

    /// <inheritdoc/>
    private protected override bool MustNameTransaction => false;

    /// <inheritdoc/>
    private protected override string NameQuotes => StatementEncoder.NameQuotes;

    /// <inheritdoc/>
    private protected override BulkExchange CreateExchange(Session session, string table, int sourceFields)
    {
        var pg = (PgSession)session;
        var mappings = ColumnMappings.ConvertAll(static mapping => new BulkMapping(mapping.SourceOrdinal, mapping.DestinationColumn));
        return new CopyExchange(pg, pg.State, pg.Operation, table, mappings) { SourceFields = sourceFields };
    }

    /// <inheritdoc/>
    private protected override PgBulkRow RowOf(BulkExchange exchange) => new((CopyExchange)exchange);

    /// <inheritdoc/>
    private protected override bool OnRowsCopied(long rows)
    {
        if (RowsCopied is not { } handler)
            return true;
        var arguments = new PgRowsCopiedEventArgs(rows);
        handler(this, arguments);
        return !arguments.Abort;
    }

    /// <inheritdoc/>
    private protected override Exception CreateFailure(string message, Exception? inner) =>
        inner is PgException cause ? new PgException(message, inner) { RetrySafety = cause.RetrySafety, Kind = cause.Kind } : new PgException(message, inner);

    /// <inheritdoc/>
    private protected override PgBulkCopyResult ResultOf(BulkExchange exchange) => new(exchange.RowsInserted);
}

/// <summary>Maps a value of the source to a column.</summary>
/// <param name="sourceOrdinal">The value's index in the source's row, from 0.</param>
/// <param name="destinationColumn">The column's name, without quotes.</param>
public sealed class PgBulkCopyColumnMapping(int sourceOrdinal, string destinationColumn)
{
    /// <summary>Gets or sets the value's index in the source's row, from 0.</summary>
    public int SourceOrdinal { get; set; } = sourceOrdinal;

    /// <summary>Gets or sets the column's name, without quotes.</summary>
    public string DestinationColumn { get; set; } = destinationColumn;
}

/// <summary>The result of a bulk copy.</summary>
public sealed class PgBulkCopyResult
{
    internal PgBulkCopyResult(long rowsInserted) => RowsInserted = rowsInserted;

    /// <summary>Gets the number of inserted rows.</summary>
    public long RowsInserted { get; }
}

/// <summary>Provides data for the <see cref="PgBulkCopy.RowsCopied"/> event.</summary>
public sealed class PgRowsCopiedEventArgs : EventArgs
{
    internal PgRowsCopiedEventArgs(long rowsCopied) => RowsCopied = rowsCopied;

    /// <summary>Gets or sets whether to end the copy. The rows copied so far stay in the table. Default: false.</summary>
    public bool Abort { get; set; }

    /// <summary>Gets the number of rows that have been read from the source.</summary>
    public long RowsCopied { get; }
}
