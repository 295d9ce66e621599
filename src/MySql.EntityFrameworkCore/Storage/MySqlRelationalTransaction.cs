using System.Data.Common;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Storage;

/// <summary>
/// A transaction whose savepoints are not released: the end of the transaction does it, a savepoint of the same name replaces an earlier one, and RELEASE fails
/// with error 1305 after a statement that commits, such as CREATE TABLE.
/// </summary>
internal sealed class MySqlRelationalTransaction(
    IRelationalConnection connection, DbTransaction transaction, Guid transactionId, IDiagnosticsLogger<DbLoggerCategory.Database.Transaction> logger,
    bool transactionOwned, ISqlGenerationHelper sqlGenerationHelper)
    : RelationalTransaction(connection, transaction, transactionId, logger, transactionOwned, sqlGenerationHelper)
{
    public override void ReleaseSavepoint(string name)
    {
        // See the summary.
    }

    public override Task ReleaseSavepointAsync(string name, CancellationToken cancellationToken = default) => Task.CompletedTask;
}
