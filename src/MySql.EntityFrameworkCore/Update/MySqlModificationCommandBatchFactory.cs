using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Update;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Update;

/// <summary>Creates the batches of SaveChanges.</summary>
internal sealed class MySqlModificationCommandBatchFactory(
    ModificationCommandBatchFactoryDependencies dependencies, IDbContextOptions contextOptions, MySqlSingletonOptions options)
    : IModificationCommandBatchFactory
{
    private readonly int _maxBatchSize = RelationalOptionsExtension.Extract(contextOptions).MaxBatchSize ?? MySqlModificationCommandBatch.DefaultMaxBatchSize;

    public ModificationCommandBatch Create() => new MySqlModificationCommandBatch(dependencies, options, _maxBatchSize);
}
