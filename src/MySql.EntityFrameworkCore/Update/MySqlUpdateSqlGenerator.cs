using System.Text;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Update;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Update;

/// <summary>
/// Writes the statements of SaveChanges. Rows changed and generated keys come from the statements' own results, so nothing asks for ROW_COUNT() or
/// LAST_INSERT_ID(); other values that the server makes are read back by RETURNING, or by a SELECT behind the statement.
/// </summary>
internal sealed class MySqlUpdateSqlGenerator(UpdateSqlGeneratorDependencies dependencies, MySqlSingletonOptions options) : UpdateSqlGenerator(dependencies)
{
    /// <summary>Writes an INSERT up to its row, without a terminator.</summary>
    public void AppendInsertHead(StringBuilder builder, IReadOnlyModificationCommand command, IReadOnlyList<IColumnModification> writes)
    {
        builder.Append("INSERT INTO ");
        SqlGenerationHelper.DelimitIdentifier(builder, command.TableName, command.Schema);
        builder.Append(" (").AppendJoin(", ", writes.Select(write => SqlGenerationHelper.DelimitIdentifier(write.ColumnName))).AppendLine(")");
        builder.Append("VALUES ");
    }

    /// <summary>Writes the row of an INSERT.</summary>
    public void AppendRow(StringBuilder builder, IReadOnlyModificationCommand command, IReadOnlyList<IColumnModification> writes)
    {
        if (writes.Count == 0)
            builder.Append("()");
        else
            AppendValues(builder, command.TableName, command.Schema, writes);
    }

    /// <summary>Writes what an INSERT returns.</summary>
    public void AppendReturning(StringBuilder builder, IReadOnlyList<IColumnModification> reads) =>
        builder.AppendLine().Append("RETURNING ").AppendJoin(", ", reads.Select(Read));

    /// <summary>Writes an UPDATE with its terminator.</summary>
    public void AppendUpdate(StringBuilder builder, IReadOnlyModificationCommand command)
    {
        var writes = command.ColumnModifications.Where(static column => column.IsWrite).ToList();
        var conditions = command.ColumnModifications.Where(static column => column.IsCondition).ToList();
        if (writes.Count > 0)
        {
            AppendUpdateCommand(builder, command.TableName, command.Schema, writes, [], conditions);
            return;
        }

        // Nothing to write, but the row must be there, and its generated values are read.
        AppendUpdateCommandHeader(builder, command.TableName, command.Schema, []);
        var first = conditions[0];
        SqlGenerationHelper.DelimitIdentifier(builder, first.ColumnName);
        builder.Append(" = ");
        SqlGenerationHelper.DelimitIdentifier(builder, first.ColumnName);
        AppendWhereClause(builder, conditions);
        builder.AppendLine(SqlGenerationHelper.StatementTerminator);
    }

    /// <summary>Writes a DELETE with its terminator.</summary>
    public void AppendDelete(StringBuilder builder, IReadOnlyModificationCommand command) =>
        AppendDeleteCommand(
            builder, command.TableName, command.Schema, [], command.ColumnModifications.Where(static column => column.IsCondition).ToList());

    /// <summary>Writes the SELECT that reads back what the server made of a row that was inserted or updated.</summary>
    public void AppendSelect(StringBuilder builder, IReadOnlyModificationCommand command, IReadOnlyList<IColumnModification> reads)
    {
        builder.Append("SELECT ").AppendJoin(", ", reads.Select(Read)).AppendLine().Append("FROM ");
        SqlGenerationHelper.DelimitIdentifier(builder, command.TableName, command.Schema);
        builder.AppendLine().Append("WHERE ");
        var isFirst = true;
        foreach (var key in command.ColumnModifications.Where(static column => column.IsKey))
        {
            builder.Append(isFirst ? "" : " AND ");
            isFirst = false;
            if (key.IsRead)
            {
                SqlGenerationHelper.DelimitIdentifier(builder, key.ColumnName);
                builder.Append(" = LAST_INSERT_ID()");
            }
            else
            {
                // A key that is changed has its new value by now.
                AppendWhereCondition(builder, key, useOriginalValue: !key.IsWrite && key.UseOriginalValueParameter);
            }
        }

        builder.AppendLine(SqlGenerationHelper.StatementTerminator);
    }

    // A column of a period is read as the moment in UTC. A FLOAT has six digits as text, and all of them as a DOUBLE.
    private string Read(IColumnModification column)
    {
        var name = SqlGenerationHelper.DelimitIdentifier(column.ColumnName);
        if (column.TypeMapping?.StoreTypeNameBase is "float" or "float unsigned")
            return name + " + 0e0";
        return TemporalTable.Of(column.Column?.Table) is { } period && period.Has(column.ColumnName) ? TemporalTable.Moment(name) : name;
    }

    // For MySQL, a text is not equal to a document. Only a document is.
    protected override void AppendWhereCondition(StringBuilder commandStringBuilder, IColumnModification columnModification, bool useOriginalValue)
    {
        var start = commandStringBuilder.Length;
        base.AppendWhereCondition(commandStringBuilder, columnModification, useOriginalValue);
        var comparison = SqlGenerationHelper.DelimitIdentifier(columnModification.ColumnName) + " = ";
        if (!options.Capabilities.JsonType || columnModification.TypeMapping?.StoreTypeNameBase != "json"
            || !commandStringBuilder.ToString(start, commandStringBuilder.Length - start).StartsWith(comparison, StringComparison.Ordinal))
            return;
        commandStringBuilder.Insert(start + comparison.Length, "CAST(").Append(" AS JSON)");
    }

    // A part of a document: JSON_SET takes numbers and texts as they are. Other values come as texts, and documents, booleans and decimals as texts of JSON.
    protected override void AppendUpdateColumnValue(
        ISqlGenerationHelper updateSqlGeneratorHelper, IColumnModification columnModification, StringBuilder stringBuilder, string name, string? schema)
    {
        if (columnModification.JsonPath is null or "$")
        {
            base.AppendUpdateColumnValue(updateSqlGeneratorHelper, columnModification, stringBuilder, name, schema);
            return;
        }

        if (!options.Capabilities.JsonType && columnModification.JsonPath.Contains('\\', StringComparison.Ordinal))
            throw new NotSupportedException(
                $"A part of the document in '{name}.{columnModification.ColumnName}' has a name with a quote or a backslash, which paths of MariaDB cannot "
                    + "have. Give it another name with HasJsonPropertyName.");
        stringBuilder.Append("JSON_SET(");
        updateSqlGeneratorHelper.DelimitIdentifier(stringBuilder, columnModification.ColumnName);
        stringBuilder.Append(", ").Append(MySqlStringTypeMapping.Literal(columnModification.JsonPath, options.Values.NoBackslashEscapes)).Append(", ");
        var isDocument = columnModification.Property is not { IsPrimitiveCollection: false } property
            || property.GetTypeMapping().ProviderType() is var type && (type == typeof(bool) || type == typeof(decimal));
        stringBuilder.Append(!isDocument ? "" : options.Capabilities.JsonType ? "CAST(" : "JSON_EXTRACT(");
        base.AppendUpdateColumnValue(updateSqlGeneratorHelper, columnModification, stringBuilder, name, schema);
        stringBuilder.Append(!isDocument ? "" : options.Capabilities.JsonType ? " AS JSON)" : ", '$')").Append(')');
    }

    // What EF Core calls for migrations' data, where nothing is read back.
    public override ResultSetMapping AppendInsertOperation(
        StringBuilder commandStringBuilder, IReadOnlyModificationCommand command, int commandPosition, out bool requiresTransaction)
    {
        var writes = command.ColumnModifications.Where(static column => column.IsWrite).ToList();
        AppendInsertHead(commandStringBuilder, command, writes);
        AppendRow(commandStringBuilder, command, writes);
        commandStringBuilder.AppendLine(SqlGenerationHelper.StatementTerminator);
        requiresTransaction = false;
        return ResultSetMapping.NoResults;
    }

    public override ResultSetMapping AppendUpdateOperation(
        StringBuilder commandStringBuilder, IReadOnlyModificationCommand command, int commandPosition, out bool requiresTransaction)
    {
        AppendUpdate(commandStringBuilder, command);
        requiresTransaction = false;
        return ResultSetMapping.NoResults;
    }

    public override ResultSetMapping AppendDeleteOperation(
        StringBuilder commandStringBuilder, IReadOnlyModificationCommand command, int commandPosition, out bool requiresTransaction)
    {
        AppendDelete(commandStringBuilder, command);
        requiresTransaction = false;
        return ResultSetMapping.NoResults;
    }

    public override string GenerateNextSequenceValueOperation(string name, string? schema)
    {
        var builder = new StringBuilder();
        AppendNextSequenceValueOperation(builder, name, schema);
        return builder.ToString();
    }

    public override void AppendNextSequenceValueOperation(StringBuilder commandStringBuilder, string name, string? schema)
    {
        if (!options.Capabilities.Sequences)
            throw SequenceStatements.Missing(name, options);
        commandStringBuilder.Append("SELECT NEXT VALUE FOR ");
        SqlGenerationHelper.DelimitIdentifier(commandStringBuilder, name, schema);
    }
}
