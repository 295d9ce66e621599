using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Migrations.Operations;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

internal sealed partial class MySqlMigrationsSqlGenerator
{
    private readonly HashSet<(string Name, string? Schema)> _restarts = [];

    protected override void Generate(CreateSequenceOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        builder.Append("CREATE SEQUENCE ").Append(SequenceName(operation.Name, operation.Schema))
            .Append(" START WITH ").Append(Number(operation.StartValue))
            .Append(SequenceStatements.Options(operation, operation.ClrType));
        End(builder);
    }

    protected override void Generate(AlterSequenceOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        builder.Append("ALTER SEQUENCE ").Append(SequenceName(operation.Name, operation.Schema));
        var sequence = model?.FindSequence(operation.Name, operation.Schema);
        // The start value must be between the bounds, even if it is used no more.
        if (sequence is not null)
            builder.Append(" START WITH ").Append(Number(sequence.StartValue));
        builder.Append(SequenceStatements.Options(operation, sequence?.Type));
        // The next value must be between the bounds, too. If the migration sets it, it is set here already.
        if (_restarts.Contains((operation.Name, operation.Schema)))
            builder.Append(" RESTART");
        End(builder);
    }

    // RESTART WITH would leave the start value as it was.
    protected override void Generate(RestartSequenceOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        builder.Append("ALTER SEQUENCE ").Append(SequenceName(operation.Name, operation.Schema));
        if (operation.StartValue is { } start)
            builder.Append(" START WITH ").Append(Number(start));
        builder.Append(" RESTART");
        End(builder);
    }

    protected override void Generate(RenameSequenceOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        var (name, newName) = (
            SequenceName(operation.Name, operation.Schema), Names.DelimitIdentifier(operation.NewName ?? operation.Name, operation.NewSchema));
        if (name == newName)
            return;
        builder.Append("RENAME TABLE ").Append(name).Append(" TO ").Append(newName);
        End(builder);
    }

    protected override void Generate(DropSequenceOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        builder.Append("DROP SEQUENCE ").Append(SequenceName(operation.Name, operation.Schema));
        End(builder);
    }

    private string SequenceName(string name, string? schema) => options.Capabilities.Sequences
        ? Names.DelimitIdentifier(name, schema)
        : throw SequenceStatements.Missing(name, options);
}
