using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Update;
using Microsoft.EntityFrameworkCore.Update.Internal;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Storage;

#pragma warning disable EF1001 // the executor around which the transaction is has no public counterpart

namespace Slipstream.MySql.EntityFrameworkCore.Update;

/// <summary>Executes the batches of SaveChanges, if the option says so in a transaction whose statements are in their texts.</summary>
internal sealed class MySqlBatchExecutor(
    ICurrentDbContext currentContext, IDiagnosticsLogger<DbLoggerCategory.Update> updateLogger, IDbContextOptions contextOptions, IInterceptors interceptors)
    : BatchExecutor(currentContext, updateLogger)
{
    private readonly bool _putsInText = MySqlOptions.Of(contextOptions).TransactionsInText;

    public override int Execute(IEnumerable<ModificationCommandBatch> commandBatches, IRelationalConnection connection)
    {
        if (!_putsInText)
            return base.Execute(commandBatches, connection);
        var own = Own(connection);
        own.BeginsInText = true;
        try
        {
            return base.Execute(commandBatches, own);
        }
        finally
        {
            own.BeginsInText = false;
        }
    }

    public override async Task<int> ExecuteAsync(
        IEnumerable<ModificationCommandBatch> commandBatches, IRelationalConnection connection, CancellationToken cancellationToken = default)
    {
        if (!_putsInText)
            return await base.ExecuteAsync(commandBatches, connection, cancellationToken).ConfigureAwait(false);
        var own = Own(connection);
        own.BeginsInText = true;
        try
        {
            return await base.ExecuteAsync(commandBatches, own, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            own.BeginsInText = false;
        }
    }

    private MySqlRelationalConnection Own(IRelationalConnection connection)
    {
        if (interceptors.Aggregate<IDbTransactionInterceptor>() is { } interceptor)
            throw new InvalidOperationException(
                $"The transaction interceptor '{interceptor.GetType().Name}' would not see the transactions of SaveChanges, because EnableTransactionsInText "
                    + "puts them into the texts. Remove one of the two.");
        return (MySqlRelationalConnection)connection;
    }
}
