using System.Data;
using System.Data.Common;
using System.Globalization;
using System.Text;
using System.Transactions;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql;

/// <summary>
/// Looks up the tables' columns of a result with one query on another connection of the data source, because the reader occupies its own.
/// Source: PostgreSQL 18, 52.7 "pg_attribute", 52.26 "pg_index".
/// </summary>
internal static class ColumnLookup
{
    private const string Question = """
        SELECT a.attrelid, a.attnum, n.nspname, c.relname, a.attname, a.attnotnull OR t.typnotnull, a.attidentity <> '',
            pg_catalog.pg_get_expr(d.adbin, d.adrelid),
            coalesce(k.isprimary, false), coalesce(k.isunique, false),
            a.attgenerated = '' AND a.attidentity <> 'a' AND pg_catalog.pg_column_is_updatable(c.oid, a.attnum, false), CASE t.typtype WHEN 'd' THEN t.oid END,
            t.typtypmod
        FROM pg_catalog.pg_attribute a
        JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
        LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        LEFT JOIN LATERAL (
            SELECT bool_or(x.indisprimary) AS isprimary, bool_or(x.indisunique AND x.indnkeyatts = 1 AND x.indkey[0] = a.attnum) AS isunique
            FROM pg_catalog.pg_index x WHERE x.indrelid = a.attrelid AND a.attnum = ANY (x.indkey::smallint[]) AND (x.indisprimary OR x.indisunique)) k ON true
        WHERE (a.attrelid, a.attnum) IN (
        """;

    /// <summary>Completes the columns.</summary>
    public static void Run(PgDataSource source, DbColumn[] columns)
    {
        if (TextFor(columns) is not { } text)
            return;
        // The caller's transaction must not include the other connection.
        using var scope = new TransactionScope(TransactionScopeOption.Suppress);
        using var connection = source.OpenConnection();
        using var command = new PgCommand(text, connection);
        using var reader = command.ExecuteReader();
        while (reader.Read())
            Take(reader, columns);
        scope.Complete();
    }

    /// <inheritdoc cref="Run"/>
    public static async ValueTask RunAsync(PgDataSource source, DbColumn[] columns, CancellationToken cancellationToken)
    {
        if (TextFor(columns) is not { } text)
            return;
        using var scope = new TransactionScope(TransactionScopeOption.Suppress, TransactionScopeAsyncFlowOption.Enabled);
        var connection = await source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            var command = new PgCommand(text, connection);
            await using (command.ConfigureAwait(false))
            {
                var reader = await command.ExecuteReaderAsync(CommandBehavior.Default, cancellationToken).ConfigureAwait(false);
                await using (reader.ConfigureAwait(false))
                    while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                        Take(reader, columns);
            }
        }

        scope.Complete();
    }

    // Null if no column belongs to a table.
    private static string? TextFor(DbColumn[] columns)
    {
        var text = new StringBuilder(Question);
        var separator = "";
        foreach (PgDbColumn column in columns)
        {
            if (column.TableOID == 0)
            {
                column.IsIdentity = false;
                continue;
            }

            text.Append(separator).Append(CultureInfo.InvariantCulture, $"({column.TableOID}, {column.ColumnAttributeNumber ?? 0})");
            separator = ", ";
        }

        return separator.Length > 0 ? text.Append(')').ToString() : null;
    }

    private static void Take(PgDataReader row, DbColumn[] columns)
    {
        var (table, number) = (row.GetFieldValue<uint>(0), row.GetInt16(1));
        foreach (PgDbColumn column in columns)
        {
            if (column.TableOID != table || column.ColumnAttributeNumber != number)
                continue;
            column.BaseSchemaName = row.GetString(2);
            column.BaseTableName = row.GetString(3);
            column.BaseColumnName = row.GetString(4);
            column.IsAliased = column.ColumnName != column.BaseColumnName;
            column.AllowDBNull = !row.GetBoolean(5);
            column.IsIdentity = row.GetBoolean(6);
            column.DefaultValue = row.IsDBNull(7) ? null : row.GetString(7);
            column.IsAutoIncrement = column.IsIdentity == true || column.DefaultValue?.StartsWith("nextval(", StringComparison.Ordinal) == true;
            column.IsKey = row.GetBoolean(8);
            column.IsUnique = row.GetBoolean(9);
            column.IsReadOnly = !row.GetBoolean(10);
            if (!row.IsDBNull(11))
                TakeDomain(row, column);
        }
    }

    // The server describes the column as one of the domain's base type, and the length is that of the domain's declaration.
    private static void TakeDomain(PgDataReader row, PgDbColumn column)
    {
        var types = row.Types;
        if (types.Describe(row.GetFieldValue<uint>(11)) is not PostgresDomainType domain)
            return;
        column.PostgresType = domain;
        column.ColumnSize ??= TypeFacets.Of(domain.BaseType, row.GetInt32(12)).Size;
    }
}
