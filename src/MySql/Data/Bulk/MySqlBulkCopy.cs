using System.Data;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>
/// Writes many rows into a table: all of them or, when one fails, none. It works with and without LOAD DATA LOCAL. A failure names the row in its
/// message and in <c>exception.Data["Row"]</c>, counted from 1, wherever the server can be made to tell. Only <see cref="MySqlRowsCopiedEventArgs.Abort"/>
/// keeps the rows so far.
/// </summary>
/// <example>
/// <code>
/// var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "points" };
/// bulk.WriteToServer(points, static (row, point) => { row.Write(point.Id); row.Write(point.Name); });
/// </code>
/// </example>
public sealed class MySqlBulkCopy : ProviderBulkCopy<MySqlBulkRow, MySqlBulkCopyResult>
{
    private readonly MySqlConnection _connection;
    private long _rowsCopied;

    /// <summary>Creates a bulk copy that writes over this connection.</summary>
    /// <param name="connection">Opened for the copy, and closed again, when it is not open.</param>
    /// <param name="transaction">The connection's transaction when one is open. Without one the copy is its own.</param>
    public MySqlBulkCopy(MySqlConnection connection, MySqlTransaction? transaction = null)
        : base(connection, transaction) => _connection = connection;

    /// <summary>
    /// Which value goes into which column. Empty: by position, into all columns that can be written;
    /// without the AUTO_INCREMENT column when there are only as many values.
    /// </summary>
    public List<MySqlBulkCopyColumnMapping> ColumnMappings { get; } = [];

    /// <summary>What becomes of a row whose key the table has already. Default: it is an error.</summary>
    public MySqlBulkLoaderConflictOption ConflictOption { get; set; }

    /// <summary>How the rows travel. Default: the fastest that server and options allow. (Not in MySqlConnector.)</summary>
    public MySqlBulkCopyMethod Method { get; set; }

    /// <summary>Rows of the last copy.</summary>
    [Obsolete("Use the result of WriteToServer.")]
    public int RowsCopied => (int)_rowsCopied;

    /// <summary>Raised after every <see cref="ProviderBulkCopy{TRow, TResult}.NotifyAfter"/> rows.</summary>
    [SuppressMessage("Design", "CA1003:Use generic event handler instances", Justification = "MySqlConnector's signature.")]
    public event MySqlRowsCopiedEventHandler? MySqlRowsCopied;

    /// <inheritdoc/>
    private protected override IEnumerable<string?> DestinationColumns => ColumnMappings.ConvertAll(static mapping => mapping.DestinationColumn);

    /// <inheritdoc/>
    private protected override string BeginTransaction => "START TRANSACTION";

    /// <inheritdoc/>
    private protected override bool MustNameTransaction => !_connection.MySqlSource.Settings.IgnoreCommandTransaction;

    /// <inheritdoc/>
    private protected override string NameQuotes => MySqlCommand.NameQuotes;

    /// <inheritdoc/>
    private protected override BulkExchange CreateExchange(Session session, string table, int sourceFields) =>
        CreateExchange((MySqlSession)session, table, sourceFields);

    private BulkCopyExchange CreateExchange(MySqlSession session, string table, int sourceFields) =>
        new(session.Context, session.Results, new(MySqlCommand.Readable(table, session))
    {
        Method = (BulkMethod)Method,
        Conflict = (BulkConflict)ConflictOption,
        Mappings = ColumnMappings.ConvertAll(static mapping => new BulkMapping(mapping.SourceOrdinal, mapping.DestinationColumn, mapping.Expression)),
        SourceFields = sourceFields,
        BatchSize = BatchSize,
        AllowsLocalInfile = _connection.MySqlSource.Settings.AllowLoadLocalInfile,
    })
    {
        SourceFields = sourceFields,
    };

    /// <inheritdoc/>
    private protected override MySqlBulkRow RowOf(BulkExchange exchange) => new((BulkCopyExchange)exchange);

    /// <inheritdoc/>
    private protected override bool OnRowsCopied(long rows)
    {
        if (MySqlRowsCopied is not { } handler)
            return true;
        var arguments = new MySqlRowsCopiedEventArgs { RowsCopied = rows };
        handler(this, arguments);
        return !arguments.Abort;
    }

    /// <inheritdoc/>
    private protected override Exception CreateFailure(string message, Exception? inner) =>
        inner is MySqlException cause
            ? new MySqlException(MySqlErrorCode.BulkCopyFailed, message, cause)
            : new MySqlException(MySqlErrorCode.BulkCopyFailed, message, inner);

    /// <inheritdoc/>
    // A row that the table refuses has one error code, whatever the wire; what the server said is inside.
    private protected override Exception CreateRefusal(BulkExchange exchange, ServerError error)
    {
        ArgumentNullException.ThrowIfNull(exchange);
        ArgumentNullException.ThrowIfNull(error);
        return ((BulkCopyExchange)exchange).IsRowRefused ? CreateFailure(error.Message, base.CreateRefusal(exchange, exchange.Error!)) : base.CreateRefusal(exchange, error);
    }

    /// <inheritdoc/>
    private protected override void OnEnded(BulkExchange exchange) => _connection.TellMessages(((BulkCopyExchange)exchange).Warnings);

    /// <inheritdoc/>
    // LOAD DATA LOCAL leaves out what it cannot insert.
    private protected override string? FindFault(BulkExchange exchange)
    {
        var own = (BulkCopyExchange)exchange;
        if (ConflictOption != MySqlBulkLoaderConflictOption.None || own.MethodUsed != BulkMethod.LoadData)
            return null;
        if (exchange.RowsInserted != exchange.RowsTaken)
            return $"{exchange.RowsTaken} rows were copied to {DestinationTableName}, but only {exchange.RowsInserted} were inserted.";
        return null;
    }

    /// <inheritdoc/>
    private protected override bool HasLeftRows(ProviderConnection connection) =>
        ((MySqlConnection)connection) is { State: ConnectionState.Open, WarningCount: > 0 };

    /// <inheritdoc/>
    private protected override MySqlBulkCopyResult ResultOf(BulkExchange exchange)
    {
        _rowsCopied = exchange.RowsTaken;
        var own = (BulkCopyExchange)exchange;
        var replaces = ConflictOption is MySqlBulkLoaderConflictOption.Replace or MySqlBulkLoaderConflictOption.Update;
        var warnings = new MySqlError[own.Warnings.Count];
        for (var i = 0; i < warnings.Length; i++)
            warnings[i] = new(own.Warnings[i].Level, own.Warnings[i].Code, own.Warnings[i].Message);
        return new(warnings, (int)(replaces ? exchange.RowsTaken : exchange.RowsInserted), (MySqlBulkCopyMethod)own.MethodUsed);
    }
}
