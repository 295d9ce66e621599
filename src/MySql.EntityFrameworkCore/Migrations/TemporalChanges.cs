using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Migrations.Operations;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

/// <summary>
/// Changes the operations of a migration for temporal tables: the columns of a period come and go with the versioning, in one statement, and other changes need
/// a setting of the session.
/// </summary>
internal static class TemporalChanges
{
    // Error 4119 otherwise. New columns get their default in the earlier versions, too, and dropped columns are dropped from them.
    private const string Begin = "SET SESSION system_versioning_alter_history = KEEP;";
    private const string End = "SET SESSION system_versioning_alter_history = DEFAULT;";

    public static IReadOnlyList<MigrationOperation> Rewrite(IReadOnlyList<MigrationOperation> operations, IModel? model)
    {
        var rest = operations.ToList();
        var temporal = model?.GetRelationalModel().Tables.Where(static table => TemporalTable.Of(table) is not null)
            .Select(static table => (table.Schema, table.Name)).ToHashSet() ?? [];
        foreach (var alter in operations.OfType<AlterTableOperation>())
        {
            var (now, before) = (TemporalTable.Of((IAnnotatable)alter), TemporalTable.Of((IAnnotatable)alter.OldTable));
            if (now is null && before is null)
                continue;
            temporal.Add((alter.Schema, alter.Name));
            var names = NamesOf(operations, alter);
            if (before is null)
                RemoveTwo(
                    rest, operation => operation is AddColumnOperation add && now!.Has(add.Name) && names.Contains((add.Schema, add.Table)), alter, "new");
            else if (now is null)
                RemoveTwo(
                    rest, operation => operation is DropColumnOperation drop && before.Has(drop.Name) && names.Contains((drop.Schema, drop.Table)), alter,
                    "dropped");
        }

        foreach (var rename in operations.OfType<RenameTableOperation>())
            if (temporal.Contains((rename.NewSchema, rename.NewName ?? rename.Name)))
                temporal.Add((rename.Schema, rename.Name));
        if (temporal.Count == 0 || !rest.Exists(operation => NeedsSetting(operation, temporal)))
            return rest;
        return [new SqlOperation { Sql = Begin }, .. rest, new SqlOperation { Sql = End }];
    }

    /// <summary>Refuses a column that would become one of a period, or stay without one.</summary>
    public static void Check(ColumnOperation operation, ColumnOperation? old)
    {
        if (operation[MySqlAnnotationNames.Period] as string == old?[MySqlAnnotationNames.Period] as string)
            return;
        throw new NotSupportedException(
            $"The column '{operation.Table}.{operation.Name}' cannot become one of the period of a temporal table, or an ordinary one: the server creates and "
                + "drops the two columns of a period together with its versions. Use another column, or drop it in a migration before.");
    }

    private static void RemoveTwo(List<MigrationOperation> operations, Predicate<MigrationOperation> isPeriod, AlterTableOperation alter, string expected)
    {
        if (operations.RemoveAll(isPeriod) != 2)
            throw new NotSupportedException(
                $"The migration of the table '{alter.Name}' to or from a temporal one must have both columns of its period as {expected} columns: the server "
                    + "creates and drops them together with its versions. Do other changes of them in another migration.");
    }

    private static HashSet<(string? Schema, string Name)> NamesOf(IReadOnlyList<MigrationOperation> operations, AlterTableOperation alter)
    {
        var names = new HashSet<(string?, string)> { (alter.Schema, alter.Name) };
        foreach (var rename in operations.OfType<RenameTableOperation>())
        {
            var (old, renamed) = ((rename.Schema, rename.Name), (rename.NewSchema, rename.NewName ?? rename.Name));
            if (names.Contains(old) || names.Contains(renamed))
                names.UnionWith([old, renamed]);
        }

        return names;
    }

    private static bool NeedsSetting(MigrationOperation operation, HashSet<(string?, string)> temporal) => operation switch
    {
        CreateTableOperation or DropTableOperation or CreateIndexOperation or InsertDataOperation or UpdateDataOperation or DeleteDataOperation => false,
        ITableMigrationOperation table => temporal.Contains((table.Schema, table.Table)),
        _ => false,
    };
}
