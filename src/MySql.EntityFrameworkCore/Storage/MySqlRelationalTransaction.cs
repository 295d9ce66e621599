using System.Data.Common;
using System.Globalization;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Storage;

/// <summary>
/// A transaction in which the savepoints of SaveChanges cost no round trip: it asks for one before its first command, whose text then begins with it. They are
/// not released: the end of the transaction does it, and RELEASE fails with error 1305 after a statement that commits, such as CREATE TABLE.
/// </summary>
internal sealed class MySqlRelationalTransaction(
    IRelationalConnection connection, DbTransaction transaction, Guid transactionId, IDiagnosticsLogger<DbLoggerCategory.Database.Transaction> logger,
    bool transactionOwned, ISqlGenerationHelper sqlGenerationHelper)
    : RelationalTransaction(connection, transaction, transactionId, logger, transactionOwned, sqlGenerationHelper)
{
    // The name that EF Core's BatchExecutor uses, always the same one.
    private const string AutomaticName = "__EFSavePoint";

    private int _number;
    private bool _isPending;

    // Each savepoint has a name of its own. If the text of the second one never reached the server, a rollback to an earlier one of the same name would undo
    // what was saved in between.
    private string Current => AutomaticName + _number.ToString(CultureInfo.InvariantCulture);

    private DbTransaction Inner => ((IInfrastructure<DbTransaction>)this).Instance;

    /// <summary>Returns the statement that the next text begins with, once; null if there is none.</summary>
    public string? TakePendingStatement()
    {
        if (!_isPending)
            return null;
        _isPending = false;
        return $"SAVEPOINT `{Current}`;\n";
    }

    public override void CreateSavepoint(string name)
    {
        if (name != AutomaticName)
        {
            base.CreateSavepoint(name);
            return;
        }

        var start = DateTimeOffset.UtcNow;
        Defer(Logger.CreatingTransactionSavepoint(Connection, Inner, TransactionId, start));
        Logger.CreatedTransactionSavepoint(Connection, Inner, TransactionId, start);
    }

    public override async Task CreateSavepointAsync(string name, CancellationToken cancellationToken = default)
    {
        if (name != AutomaticName)
        {
            await base.CreateSavepointAsync(name, cancellationToken).ConfigureAwait(false);
            return;
        }

        var start = DateTimeOffset.UtcNow;
        Defer(await Logger.CreatingTransactionSavepointAsync(Connection, Inner, TransactionId, start, cancellationToken).ConfigureAwait(false));
        await Logger.CreatedTransactionSavepointAsync(Connection, Inner, TransactionId, start, cancellationToken).ConfigureAwait(false);
    }

    public override void RollbackToSavepoint(string name)
    {
        if (name != AutomaticName)
            base.RollbackToSavepoint(name);
        else if (TakePendingStatement() is null)
            base.RollbackToSavepoint(Current);
    }

    public override Task RollbackToSavepointAsync(string name, CancellationToken cancellationToken = default) =>
        name != AutomaticName ? base.RollbackToSavepointAsync(name, cancellationToken)
        : TakePendingStatement() is null ? base.RollbackToSavepointAsync(Current, cancellationToken)
        : Task.CompletedTask;

    public override void ReleaseSavepoint(string name)
    {
        if (name != AutomaticName)
            base.ReleaseSavepoint(name);
    }

    public override Task ReleaseSavepointAsync(string name, CancellationToken cancellationToken = default) =>
        name != AutomaticName ? base.ReleaseSavepointAsync(name, cancellationToken) : Task.CompletedTask;

    // The session may be lost although the driver does not know it yet, so that ROLLBACK fails. The server has rolled the transaction back then. The exception
    // would hide another one that is being thrown, and EF Core would keep the transaction: the context could do nothing more.
    public override void Dispose()
    {
        try
        {
            base.Dispose();
        }
        catch (DbException)
        {
            Connection.DbConnection.Close();
            ClearTransaction();
        }
    }

    public override async ValueTask DisposeAsync()
    {
        try
        {
            await base.DisposeAsync().ConfigureAwait(false);
        }
        catch (DbException)
        {
            await Connection.DbConnection.CloseAsync().ConfigureAwait(false);
            await ClearTransactionAsync().ConfigureAwait(false);
        }
    }

    private void Defer(InterceptionResult result)
    {
        if (result.IsSuppressed)
            return;
        _number++;
        _isPending = true;
    }
}
