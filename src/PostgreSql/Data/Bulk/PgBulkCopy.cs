using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>
/// Writes many rows into a table with COPY in the binary format: all of them or, when one fails, none. A failure names the row in its message and in
/// <c>exception.Data["Row"]</c>, counted from 1, when the server tells.
/// </summary>
/// <example>
/// <code>
/// var bulk = new PgBulkCopy(connection) { DestinationTableName = "points" };
/// bulk.WriteToServer(points, static (row, point) => { row.Write(point.Id); row.Write(point.Name); });
/// </code>
/// </example>
public sealed class PgBulkCopy : ProviderBulkCopy<PgBulkRow, PgBulkCopyResult>
{
    /// <summary>Creates a bulk copy that writes over this connection.</summary>
    /// <param name="connection">Opened for the copy, and closed again, when it is not open.</param>
    /// <param name="transaction">The connection's transaction when one is open. Without one the copy is its own.</param>
    public PgBulkCopy(PgConnection connection, PgTransaction? transaction = null)
        : base(connection, transaction)
    {
    }

    /// <summary>
    /// Which value goes into which column. Empty: by position, into all columns that can be written;
    /// without identity and serial columns when there are only as many values.
    /// </summary>
    public List<PgBulkCopyColumnMapping> ColumnMappings { get; } = [];

    /// <summary>Raised after every <see cref="ProviderBulkCopy{TRow, TResult}.NotifyAfter"/> rows.</summary>
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

/// <summary>Says which value of the source goes into which column.</summary>
/// <param name="sourceOrdinal">The value's place in the source's row, from 0.</param>
/// <param name="destinationColumn">The column's name, without quotes.</param>
public sealed class PgBulkCopyColumnMapping(int sourceOrdinal, string destinationColumn)
{
    /// <summary>The value's place in the source's row, from 0.</summary>
    public int SourceOrdinal { get; set; } = sourceOrdinal;

    /// <summary>The column's name, without quotes.</summary>
    public string DestinationColumn { get; set; } = destinationColumn;
}

/// <summary>What a bulk copy has done.</summary>
public sealed class PgBulkCopyResult
{
    internal PgBulkCopyResult(long rowsInserted) => RowsInserted = rowsInserted;

    /// <summary>Rows that were inserted.</summary>
    public long RowsInserted { get; }
}

/// <summary>Tells how many rows have been copied.</summary>
public sealed class PgRowsCopiedEventArgs : EventArgs
{
    internal PgRowsCopiedEventArgs(long rowsCopied) => RowsCopied = rowsCopied;

    /// <summary>Set it to end the copy: the rows so far stay.</summary>
    public bool Abort { get; set; }

    /// <summary>Rows that have been taken from the source.</summary>
    public long RowsCopied { get; }
}
