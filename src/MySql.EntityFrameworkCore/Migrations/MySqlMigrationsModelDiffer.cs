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

        return operations;
    }

    private static IEnumerable<ColumnOperation> Columns(MigrationOperation operation) => operation switch
    {
        CreateTableOperation table => table.Columns,
        AlterColumnOperation alter => [alter, alter.OldColumn],
        AddColumnOperation add => [add],
        _ => [],
    };
}
