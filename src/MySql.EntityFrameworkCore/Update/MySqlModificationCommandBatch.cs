using System.Data;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Update;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Update;

/// <summary>
/// A batch of SaveChanges: one command text, in one flight. Consecutive INSERTs of the same table and columns become one INSERT of several rows.
/// </summary>
internal sealed class MySqlModificationCommandBatch(ModificationCommandBatchFactoryDependencies dependencies, MySqlSingletonOptions options, int maxBatchSize)
    : ReaderModificationCommandBatch(dependencies, maxBatchSize)
{
    public const int DefaultMaxBatchSize = 1000;

    // Far below max_allowed_packet, whose smallest default is 1 MiB for old clients and 16 MiB for servers.
    private const int LongestText = 4 * 1024 * 1024;

    // A batch with calls looks for the statement of each result set.
    private const int MostCalls = 200;
    private const string IncrementSql = "SELECT @@auto_increment_increment;\n";

    private readonly List<StatementPlan> _plans = [];
    private List<IColumnModification>? _openWrites;
    private List<IColumnModification>? _openReads;
    private int _planCount;
    private int _parameterCount;
    private bool _joined;

    private MySqlUpdateSqlGenerator Sql => (MySqlUpdateSqlGenerator)UpdateSqlGenerator;

    public override bool TryAddCommand(IReadOnlyModificationCommand modificationCommand)
    {
        // What the base class calls RollbackLastCommand for: the text is too long.
        (_planCount, _joined, _parameterCount) = (_plans.Count, false, RelationalCommandBuilder.Parameters.Count);
        if (modificationCommand.StoreStoredProcedure is not null && _plans.Count(static plan => plan.Kind == StatementKind.Call) == MostCalls)
            return false;
        return base.TryAddCommand(modificationCommand);
    }

    protected override bool IsValid() => SqlBuilder.Length < LongestText;

    protected override void RollbackLastCommand(IReadOnlyModificationCommand modificationCommand)
    {
        base.RollbackLastCommand(modificationCommand);
        while (RelationalCommandBuilder.Parameters.Count > _parameterCount)
        {
            ParameterValues.Remove(RelationalCommandBuilder.Parameters[^1].InvariantName);
            RelationalCommandBuilder.RemoveParameterAt(RelationalCommandBuilder.Parameters.Count - 1);
        }

        if (_joined)
            _plans[^1].Commands.RemoveAt(_plans[^1].Commands.Count - 1);
        else
            _plans.RemoveRange(_planCount, _plans.Count - _planCount);
    }

    protected override void AddCommand(IReadOnlyModificationCommand modificationCommand)
    {
        switch (modificationCommand)
        {
            case { StoreStoredProcedure: not null }:
                CloseInsert();
                new ProcedureCall(modificationCommand).Append(SqlBuilder, Dependencies.SqlGenerationHelper, _plans);
                break;
            case { EntityState: EntityState.Added }:
                AddInsert(modificationCommand);
                break;
            case { EntityState: EntityState.Modified }:
                CloseInsert();
                Sql.AppendUpdate(SqlBuilder, modificationCommand);
                AddPlan(StatementKind.Change, modificationCommand);
                AddReadBack(modificationCommand);
                break;
            default:
                CloseInsert();
                Sql.AppendDelete(SqlBuilder, modificationCommand);
                AddPlan(StatementKind.Change, modificationCommand);
                break;
        }

        AddParameters(modificationCommand);
        // One statement is atomic by itself, an INSERT of many rows, too. What another statement reads back, however, must be of the same moment.
        // A procedure may have any number of statements.
        SetRequiresTransaction(_plans.Count > 1 || modificationCommand.StoreStoredProcedure is not null);
    }

    // An output parameter is a user variable, which has a value before the call if it is one for input, too.
    protected override void AddParameter(IColumnModification columnModification)
    {
        if (columnModification.Column is not IStoreStoredProcedureParameter { Direction: not ParameterDirection.Input })
        {
            base.AddParameter(columnModification);
            return;
        }

        if (!ProcedureCall.IsSent(columnModification))
            return;
        var name = ProcedureCall.NameOf(columnModification);
        RelationalCommandBuilder.AddParameter(
            name, Dependencies.SqlGenerationHelper.GenerateParameterName(name), columnModification.TypeMapping!, columnModification.IsNullable);
        ParameterValues.Add(name, columnModification switch
        {
            { UseOriginalValueParameter: true } => columnModification.OriginalValue,
            { UseCurrentValue: true } => columnModification.Value,
            _ => null,
        });
    }

    public override void Complete(bool moreBatchesExpected)
    {
        CloseInsert();
        if (_plans.Exists(static plan => plan is { Kind: StatementKind.Insert, Generated: not null, Commands.Count: > 1 }))
        {
            SqlBuilder.Append(IncrementSql);
            _plans.Add(new(StatementKind.Increment));
        }

        base.Complete(moreBatchesExpected);
    }

    public override void Execute(IRelationalConnection connection)
    {
        var transaction = WriteTransaction(connection);
        base.Execute(connection);
        transaction?.Committed();
    }

    public override async Task ExecuteAsync(IRelationalConnection connection, CancellationToken cancellationToken = default)
    {
        var transaction = WriteTransaction(connection);
        await base.ExecuteAsync(connection, cancellationToken).ConfigureAwait(false);
        transaction?.Committed();
    }

    // ---------------------------------------------------------------- the text

    // Puts what belongs to the transaction around the statements. Returns the transaction if the text commits it.
    private TextTransaction? WriteTransaction(IRelationalConnection connection)
    {
        var inText = (connection as MySqlRelationalConnection)?.TextTransaction;
        // What is noticed in the results, a conflict or a value that cannot be converted, rolls the transaction back: a text with such results must not commit.
        var commits = inText is not null && !AreMoreBatchesExpected && _plans.TrueForAll(static plan => plan.CannotFail);
        Surround(
            inText is not null ? inText.TakeBegin() : (connection.CurrentTransaction as MySqlRelationalTransaction)?.TakePendingStatement(),
            commits ? TextTransaction.CommitSql : null);
        return commits ? inText : null;
    }

    private void Surround(string? before, string? after)
    {
        if (StoreCommand is not { } store || (before ?? after) is null)
            return;
        var builder = Dependencies.CommandBuilderFactory.Create();
        foreach (var parameter in store.RelationalCommand.Parameters)
            builder.AddParameter(parameter);
        builder.Append(before ?? "").Append(store.RelationalCommand.CommandText).Append(after ?? "");
        StoreCommand = new(builder.Build(), store.ParameterValues);
        if (before is not null)
            _plans.Insert(0, new(StatementKind.Control));
        if (after is not null)
            _plans.Add(new(StatementKind.Control));
    }

    private void AddInsert(IReadOnlyModificationCommand command)
    {
        var writes = command.ColumnModifications.Where(static column => column.IsWrite).ToList();
        var reads = command.ColumnModifications.Where(static column => column.IsRead).ToList();
        if (CanJoin(command, writes, reads))
        {
            SqlBuilder.Append(",\n");
            Sql.AppendRow(SqlBuilder, command, writes);
            _plans[^1].Commands.Add(command);
            _joined = true;
            return;
        }

        CloseInsert();
        Sql.AppendInsertHead(SqlBuilder, command, writes);
        Sql.AppendRow(SqlBuilder, command, writes);
        if (reads.Count > 0 && options.Capabilities.InsertReturning)
        {
            AddPlan(StatementKind.InsertReturning, command);
            (_openWrites, _openReads) = (writes, reads);
            return;
        }

        var generated = reads.Find(static column => IsAutoIncrement(column));
        if (reads.Find(column => column.IsKey && column != generated) is { } unknown)
            throw new NotSupportedException(
                $"The server makes the value of the key column '{command.TableName}.{unknown.ColumnName}', and {options.ServerVersion} cannot return it: only "
                    + "AUTO_INCREMENT columns are known after INSERT. Let the program make the value, or use MariaDB.");
        AddPlan(StatementKind.Insert, command, generated);
        if (reads.Count > (generated is null ? 0 : 1))
        {
            SqlBuilder.AppendLine(";");
            AddReadBack(command);
        }
        else
        {
            (_openWrites, _openReads) = (writes, reads);
        }
    }

    // A statement that counts its rows gets consecutive keys: MySQL Reference Manual, "AUTO_INCREMENT Handling in InnoDB", simple inserts.
    private bool CanJoin(IReadOnlyModificationCommand command, List<IColumnModification> writes, List<IColumnModification> reads) =>
        _openWrites is not null && _openReads is not null
        && _plans[^1].Commands[0] is var first && first.TableName == command.TableName && first.Schema == command.Schema
        && Same(_openWrites, writes) && Same(_openReads, reads);

    private static bool Same(List<IColumnModification> left, List<IColumnModification> right)
    {
        if (left.Count != right.Count)
            return false;
        for (var index = 0; index < left.Count; index++)
            if (left[index].ColumnName != right[index].ColumnName)
                return false;
        return true;
    }

    private void CloseInsert()
    {
        if (_openReads is null)
            return;
        if (_plans[^1].Kind == StatementKind.InsertReturning)
            Sql.AppendReturning(SqlBuilder, _openReads);
        SqlBuilder.AppendLine(";");
        (_openWrites, _openReads) = (null, null);
    }

    private void AddReadBack(IReadOnlyModificationCommand command)
    {
        var reads = command.ColumnModifications.Where(static column => column.IsRead).ToList();
        if (reads.Count == 0)
            return;
        Sql.AppendSelect(SqlBuilder, command, reads);
        AddPlan(StatementKind.ReadBack, command);
    }

    private void AddPlan(StatementKind kind, IReadOnlyModificationCommand command, IColumnModification? generated = null) =>
        _plans.Add(new(kind) { Generated = generated, Commands = { command } });

    private static bool IsAutoIncrement(IColumnModification column) =>
        column is { IsKey: true, IsRead: true, Property: { } property }
        && property.GetValueGenerationStrategy(column.Column is { Table: { } table } ? StoreObjectIdentifier.Table(table.Name, table.Schema) : null)
            == MySqlValueGenerationStrategy.IdentityColumn;

    // ---------------------------------------------------------------- the results

    protected override void Consume(RelationalDataReader reader)
    {
        var results = new BatchResults(_plans, reader, Dependencies);
        while (results.NextRead())
        {
            results.Took(reader.Read());
            if (results.IsSetComplete)
                reader.DbDataReader.NextResult();
        }

        if (results.HasUnknownSet)
            Dependencies.UpdateLogger.UnexpectedTrailingResultSetWhenSaving();
        while (reader.DbDataReader.NextResult())
            Dependencies.UpdateLogger.UnexpectedTrailingResultSetWhenSaving();
        foreach (var conflict in results.Finish())
            if (!conflict.Report())
                throw conflict.Exception;
    }

    protected override async Task ConsumeAsync(RelationalDataReader reader, CancellationToken cancellationToken = default)
    {
        var results = new BatchResults(_plans, reader, Dependencies);
        while (results.NextRead())
        {
            results.Took(await reader.ReadAsync(cancellationToken).ConfigureAwait(false));
            if (results.IsSetComplete)
                await reader.DbDataReader.NextResultAsync(cancellationToken).ConfigureAwait(false);
        }

        if (results.HasUnknownSet)
            Dependencies.UpdateLogger.UnexpectedTrailingResultSetWhenSaving();
        while (await reader.DbDataReader.NextResultAsync(cancellationToken).ConfigureAwait(false))
            Dependencies.UpdateLogger.UnexpectedTrailingResultSetWhenSaving();
        foreach (var conflict in results.Finish())
            if (!await conflict.ReportAsync(cancellationToken).ConfigureAwait(false))
                throw conflict.Exception;
    }
}
