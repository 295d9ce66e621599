using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Migrations.Internal;
using Microsoft.EntityFrameworkCore.Migrations.Operations;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Update.Internal;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

#pragma warning disable EF1001 // the comparer of models has no public base class

/// <summary>
/// Compares two models. A column's collation that is not the model's own, but delegated or that of Guids, comes as an annotation. Here it becomes the property
/// of the operation, as in Pomelo's migrations.
/// </summary>
internal sealed class MySqlMigrationsModelDiffer(
    IRelationalTypeMappingSource typeMappingSource, IMigrationsAnnotationProvider migrationsAnnotationProvider,
    IRelationalAnnotationProvider relationalAnnotationProvider, IRowIdentityMapFactory rowIdentityMapFactory,
    CommandBatchPreparerDependencies commandBatchPreparerDependencies)
    : MigrationsModelDiffer(
        typeMappingSource, migrationsAnnotationProvider, relationalAnnotationProvider, rowIdentityMapFactory, commandBatchPreparerDependencies)
{
    public override IReadOnlyList<MigrationOperation> GetDifferences(IRelationalModel? source, IRelationalModel? target)
    {
        var operations = base.GetDifferences(source, target);
        foreach (var operation in operations)
        {
            foreach (var column in Columns(operation))
            {
                if (column[RelationalAnnotationNames.Collation] is not string collation)
                    continue;
                column.Collation ??= collation;
                column.RemoveAnnotation(RelationalAnnotationNames.Collation);
            }
        }

        return InOrder(operations);
    }

    // Error 1553: an index that a foreign key needs can be dropped only when another one is there. So new indexes of a table come first, unless a dropped index
    // has a column that is dropped, too, or the name of a new one.
    private static List<MigrationOperation> InOrder(IReadOnlyList<MigrationOperation> operations)
    {
        var ordered = operations.ToList();
        foreach (var drop in operations.OfType<DropIndexOperation>())
        {
            var created = ordered.FindLastIndex(
                operation => operation is CreateIndexOperation create && create.Table == drop.Table && create.Schema == drop.Schema);
            var hasOther = operations.Any(operation => operation switch
            {
                CreateIndexOperation create => create.Table == drop.Table && create.Name == drop.Name,
                DropColumnOperation column => column.Table == drop.Table && column.Schema == drop.Schema,
                RenameTableOperation table => table.Name == drop.Table || table.NewName == drop.Table,
                _ => false,
            });
            if (hasOther || created < ordered.IndexOf(drop))
                continue;
            ordered.Insert(created + 1, drop);
            ordered.RemoveAt(ordered.IndexOf(drop));
        }

        return ordered;
    }

    private static IEnumerable<ColumnOperation> Columns(MigrationOperation operation) => operation switch
    {
        CreateTableOperation table => table.Columns,
        AlterColumnOperation alter => [alter, alter.OldColumn],
        AddColumnOperation add => [add],
        _ => [],
    };
}
