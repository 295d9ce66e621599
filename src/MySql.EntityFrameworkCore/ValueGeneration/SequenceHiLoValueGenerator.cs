using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.ValueGeneration;

namespace Slipstream.MySql.EntityFrameworkCore.ValueGeneration;

/// <summary>
/// Makes values from the block that a sequence gave, and asks for the next block when it is used up. EF Core's state lets one thread ask at a time.
/// </summary>
internal sealed class SequenceHiLoValueGenerator<TValue>(
    HiLoValueGeneratorState state, IRelationalCommand question, IRelationalConnection connection, IRelationalCommandDiagnosticsLogger logger)
    : HiLoValueGenerator<TValue>(state)
{
    public override bool GeneratesTemporaryValues => false;

    protected override long GetNewLowValue() => Convert.ToInt64(question.ExecuteScalar(Parameters()), null);

    protected override async Task<long> GetNewLowValueAsync(CancellationToken cancellationToken = default) =>
        Convert.ToInt64(await question.ExecuteScalarAsync(Parameters(), cancellationToken).ConfigureAwait(false), null);

    private RelationalCommandParameterObject Parameters() => new(connection, null, null, null, logger, CommandSource.ValueGenerator);
}
