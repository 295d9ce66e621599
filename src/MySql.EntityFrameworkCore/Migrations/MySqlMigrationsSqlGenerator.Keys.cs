using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Migrations.Operations;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

// Primary keys, and the columns that get or lose AUTO_INCREMENT with them.
internal sealed partial class MySqlMigrationsSqlGenerator
{
    protected override void Generate(AlterColumnOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        TemporalChanges.Check(operation, operation.OldColumn);
        if (operation is { IsNullable: false, OldColumn.IsNullable: true, DefaultValue: { } value and not DBNull })
        {
            var column = Names.DelimitIdentifier(operation.Name);
            builder.Append("UPDATE ").Append(Names.DelimitIdentifier(operation.Table, operation.Schema)).Append(" SET ").Append(column).Append(" = ")
                .Append(LiteralOf(value, operation.ColumnType)).Append(" WHERE ").Append(column).Append(" IS NULL");
            End(builder);
        }

        // Error 1075: an AUTO_INCREMENT column must be a key, and its key may follow in the migration.
        if (IsAutoIncrement(operation) && !IsAutoIncrement(operation.OldColumn))
        {
            builder.Append(KeyColumnScripts.AddIndex(NameOf(operation.Table, operation.Schema), operation.Name));
            EndStatement(builder);
        }

        AlterTable(operation.Table, operation.Schema, builder).Append(" MODIFY COLUMN ");
        ColumnDefinition(operation.Schema, operation.Table, operation.Name, operation, model, builder);
        End(builder);
        if (IsAutoIncrement(operation) != IsAutoIncrement(operation.OldColumn))
        {
            builder.Append(KeyColumnScripts.DropIndex(NameOf(operation.Table, operation.Schema), operation.Name, onlyIfOther: IsAutoIncrement(operation)));
            EndStatement(builder);
        }
    }

    protected override void Generate(DropPrimaryKeyOperation operation, IModel? model, MigrationCommandListBuilder builder, bool terminate = true)
    {
        // Error 1075: an AUTO_INCREMENT column must be a key. The operation does not name the columns, so the server is asked for them.
        builder.Append(KeyColumnScripts.TakeAutoIncrement(NameOf(operation.Table, operation.Schema)));
        EndStatement(builder);
        AlterTable(operation.Table, operation.Schema, builder).Append(" DROP PRIMARY KEY");
        if (terminate)
            End(builder);
    }

    protected override void Generate(AddPrimaryKeyOperation operation, IModel? model, MigrationCommandListBuilder builder, bool terminate = true)
    {
        base.Generate(operation, model, builder, terminate: false);
        End(builder);
        var table = model?.GetRelationalModel().FindTable(operation.Table, operation.Schema);
        foreach (var column in operation.Columns)
            if (table?.FindColumn(column)?[MySqlAnnotationNames.ValueGenerationStrategy] is MySqlValueGenerationStrategy.IdentityColumn)
            {
                builder.Append(KeyColumnScripts.GiveAutoIncrement(NameOf(operation.Table, operation.Schema), column));
                EndStatement(builder);
            }
    }
}
