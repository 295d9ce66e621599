using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Migrations.Operations;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

internal sealed partial class MySqlMigrationsSqlGenerator
{
    public override IReadOnlyList<MigrationCommand> Generate(
        IReadOnlyList<MigrationOperation> operations, IModel? model = null, MigrationsSqlGenerationOptions options = MigrationsSqlGenerationOptions.Default)
    {
        _restarts.Clear();
        _restarts.UnionWith(operations.OfType<RestartSequenceOperation>().Select(static restart => (restart.Name, restart.Schema)));
        return base.Generate(TemporalChanges.Rewrite(operations, model), model, options);
    }

    // MariaDB documentation, "System-Versioned Tables".
    private void GeneratePeriod(CreateTableOperation operation, MigrationCommandListBuilder builder)
    {
        if (TemporalOf(operation, operation.Name) is { } period)
            builder.AppendLine(",").Append(Period(period));
    }

    private void GenerateVersioning(AlterTableOperation operation, MigrationCommandListBuilder builder)
    {
        var (now, before) = (TemporalOf(operation, operation.Name), TemporalTable.Of((IAnnotatable)operation.OldTable));
        if ((now is null) == (before is null))
            return;
        AlterTable(operation.Name, operation.Schema, builder);
        if (now is not null)
        {
            builder.Append(" ADD COLUMN ").Append(PeriodColumn(now.StartColumn, TemporalTable.RowStart))
                .Append(", ADD COLUMN ").Append(PeriodColumn(now.EndColumn, TemporalTable.RowEnd))
                .Append(", ADD ").Append(Period(now)).Append(", ADD SYSTEM VERSIONING");
        }
        else
        {
            // The earlier versions of the rows are lost.
            builder.Append(" DROP SYSTEM VERSIONING, DROP COLUMN ").Append(Names.DelimitIdentifier(before!.StartColumn))
                .Append(", DROP COLUMN ").Append(Names.DelimitIdentifier(before.EndColumn));
        }

        End(builder);
    }

    private string Period(TemporalTable period) =>
        $"PERIOD FOR SYSTEM_TIME ({Names.DelimitIdentifier(period.StartColumn)}, {Names.DelimitIdentifier(period.EndColumn)})";

    // Invisible: SELECT * and INSERT without columns are as before.
    private string PeriodColumn(string name, string word) =>
        $"{Names.DelimitIdentifier(name)} {TemporalTable.ColumnType} GENERATED ALWAYS AS {word} INVISIBLE";

    private TemporalTable? TemporalOf(IAnnotatable operation, string name)
    {
        if (TemporalTable.Of(operation) is not { } period)
            return null;
        if (options.Capabilities.SystemVersioning)
            return period;
        throw new NotSupportedException(options.IsVersionAssumed
            ? $"The temporal table '{name}' needs MariaDB, and the version of the server is unknown: it is not asked for at design time, or without a "
                + "connection string. Give UseMySql a ServerVersion, such as ServerVersion.Parse(\"11.8.0-mariadb\")."
            : $"The table '{name}' cannot be temporal: {options.ServerVersion} does not have system-versioned tables. Remove IsTemporal, or use MariaDB.");
    }
}
