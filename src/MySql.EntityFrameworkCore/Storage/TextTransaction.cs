using System.Data;
using System.Data.Common;
using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Storage;

/// <summary>
/// A transaction of SaveChanges whose first text begins with START TRANSACTION, and whose last one ends with COMMIT if it only inserts. EF Core does not see it
/// as a transaction: no interceptor or log message tells of it.
/// </summary>
internal sealed class TextTransaction(MySqlRelationalConnection connection) : IDbContextTransaction
{
    /// <summary>The statement at the end of the last text.</summary>
    public const string CommitSql = "COMMIT;\n";

    private State _state;

    private enum State
    {
        /// <summary>Nothing was sent.</summary>
        New,

        /// <summary>A text with START TRANSACTION was sent.</summary>
        Begun,

        Ended,
    }

    public Guid TransactionId { get; } = Guid.NewGuid();

    public bool SupportsSavepoints => false;

    // A lost session has no transaction any more.
    private bool MustEnd => _state == State.Begun && connection.DbConnection.State == ConnectionState.Open;

    /// <summary>Returns the statement that the first text begins with, once; null after that.</summary>
    public string? TakeBegin()
    {
        if (_state != State.New)
            return null;
        _state = State.Begun;
        return "START TRANSACTION;\n";
    }

    /// <summary>Notes that a text with COMMIT has run.</summary>
    public void Committed() => _state = State.Ended;

    public void Commit()
    {
        if (_state == State.Begun)
            Run("COMMIT");
    }

    public async Task CommitAsync(CancellationToken cancellationToken = default)
    {
        if (_state == State.Begun)
            await RunAsync("COMMIT", cancellationToken).ConfigureAwait(false);
    }

    public void Rollback()
    {
        if (MustEnd)
            Run("ROLLBACK");
    }

    public async Task RollbackAsync(CancellationToken cancellationToken = default)
    {
        if (MustEnd)
            await RunAsync("ROLLBACK", cancellationToken).ConfigureAwait(false);
    }

    public void Dispose()
    {
        connection.TextTransaction = null;
        try
        {
            Rollback();
        }
        catch (Exception exception) when (exception is DbException or InvalidOperationException)
        {
            // What failed before is thrown, and not this. The pool's reset ends the transaction.
            connection.DbConnection.Close();
        }

        connection.Close();
    }

    public async ValueTask DisposeAsync()
    {
        connection.TextTransaction = null;
        try
        {
            await RollbackAsync().ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is DbException or InvalidOperationException)
        {
            await connection.DbConnection.CloseAsync().ConfigureAwait(false);
        }

        await connection.CloseAsync().ConfigureAwait(false);
    }

    private void Run(string sql)
    {
        using var command = Create(sql);
        command.ExecuteNonQuery();
        _state = State.Ended;
    }

    private async Task RunAsync(string sql, CancellationToken cancellationToken)
    {
        var command = Create(sql);
        await using (command.ConfigureAwait(false))
            await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        _state = State.Ended;
    }

    private DbCommand Create(string sql)
    {
        var command = connection.DbConnection.CreateCommand();
        command.CommandText = sql;
        if (connection.CommandTimeout is { } seconds)
            command.CommandTimeout = seconds;
        return command;
    }
}
