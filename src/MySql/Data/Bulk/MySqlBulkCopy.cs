using System.Data;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.MySql.Conventions;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>
/// Writes many rows into a table: all of them or, if one fails, none. It works with and without LOAD DATA LOCAL. If the server can report the row of a
/// failure, the exception has its number, counted from 1, in its message and in <c>exception.Data["Row"]</c>. Only
/// <see cref="MySqlRowsCopiedEventArgs.Abort"/> keeps the rows written so far.
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

    /// <summary>Creates a bulk copy that writes over the given connection.</summary>
    /// <param name="connection">The connection. If it is closed, the copy opens it and closes it again.</param>
    /// <param name="transaction">The connection's transaction, if one is open. Without it, the copy runs in its own transaction.</param>
    public MySqlBulkCopy(MySqlConnection connection, MySqlTransaction? transaction = null)
        : base(connection, transaction) => _connection = connection;

    /// <summary>
    /// Gets the mappings of source values to columns. If the list is empty (default), the copy maps values by position to all columns that can be written. It
    /// leaves out the AUTO_INCREMENT column if there are only as many values as other columns.
    /// </summary>
    public List<MySqlBulkCopyColumnMapping> ColumnMappings { get; } = [];

    /// <summary>
    /// Gets or sets what happens to a row whose key already exists in the table. Default: <see cref="MySqlBulkLoaderConflictOption.None"/>, the copy fails.
    /// </summary>
    public MySqlBulkLoaderConflictOption ConflictOption { get; set; }

    /// <summary>
    /// Gets or sets how the rows are sent. Default: <see cref="MySqlBulkCopyMethod.Auto"/>, the fastest method that the server and the options allow. (Not in
    /// MySqlConnector.)
    /// </summary>
    public MySqlBulkCopyMethod Method { get; set; }

    /// <summary>Gets the number of rows that the last copy took from its source.</summary>
    [Obsolete("Use the result of WriteToServer.")]
    public int RowsCopied => (int)_rowsCopied;

    /// <summary>Occurs after every <see cref="ProviderBulkCopy{TRow, TResult}.NotifyAfter"/> rows.</summary>
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
        TrustsLoadData = ThisAssembly.Conventions.CopiesAsLoadData,
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
    // A row that the table refuses has one error code with every method of sending. The server's error is the inner exception.
    private protected override Exception CreateRefusal(BulkExchange exchange, ServerError error)
    {
        ArgumentNullException.ThrowIfNull(exchange);
        ArgumentNullException.ThrowIfNull(error);
        return ((BulkCopyExchange)exchange).IsRowRefused
            ? CreateFailure(error.Message, base.CreateRefusal(exchange, exchange.Error!))
            : base.CreateRefusal(exchange, error);
    }

    /// <inheritdoc/>
    private protected override void OnEnded(BulkExchange exchange) => _connection.RaiseInfoMessage(((BulkCopyExchange)exchange).Warnings);

    /// <inheritdoc/>
    // LOAD DATA LOCAL skips rows that it cannot insert.
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
    private protected override bool KeepsRows(BulkExchange exchange) =>
        ThisAssembly.Conventions.CopiesAsLoadData && exchange is { Error: null, SourceFailure: null } && FindFault(exchange) is not null;

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
