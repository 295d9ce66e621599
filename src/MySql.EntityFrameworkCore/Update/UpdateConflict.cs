using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Update;

namespace Slipstream.MySql.EntityFrameworkCore.Update;

/// <summary>A statement that found another number of rows than it should have.</summary>
internal sealed class UpdateConflict(
    IReadOnlyList<IReadOnlyModificationCommand> commands, long expected, long found, RelationalDataReader reader,
    ModificationCommandBatchFactoryDependencies dependencies)
{
    private readonly List<IUpdateEntry> _entries = commands.SelectMany(static command => command.Entries).ToList();

    public DbUpdateConcurrencyException Exception => field ??= new(
        $"{expected} row(s) should have been found, but {found} were: another program has changed or deleted data since the entities were loaded. See "
            + "https://learn.microsoft.com/ef/core/saving/concurrency.", _entries);

    /// <summary>Tells loggers and interceptors. Returns whether one of them suppressed the exception.</summary>
    public bool Report() =>
        dependencies.UpdateLogger.OptimisticConcurrencyException(dependencies.CurrentContext.Context, _entries, Exception, Data).IsSuppressed;

    /// <inheritdoc cref="Report"/>
    public async Task<bool> ReportAsync(CancellationToken cancellationToken) =>
        (await dependencies.UpdateLogger.OptimisticConcurrencyExceptionAsync(
            dependencies.CurrentContext.Context, _entries, Exception, Data, cancellationToken).ConfigureAwait(false)).IsSuppressed;

    private RelationalConcurrencyExceptionEventData Data(
        DbContext context, DbUpdateConcurrencyException exception, IReadOnlyList<IUpdateEntry> entries, EventDefinition<Exception> definition) =>
        new(
            definition,
            static (definition, payload) => ((EventDefinition<Exception>)definition).GenerateMessage(((ConcurrencyExceptionEventData)payload).Exception),
            context, reader.RelationalConnection.DbConnection, reader.DbCommand, reader.DbDataReader, reader.CommandId,
            reader.RelationalConnection.ConnectionId, entries, exception);
}
