using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>Writes the SQL that reads, compares and changes documents.</summary>
/// <param name="builder">Returns what the SQL is written to.</param>
/// <param name="visit">Writes another part of the query.</param>
/// <param name="names">Quotes names.</param>
/// <param name="options">The server, and how texts are quoted.</param>
internal sealed class JsonSql(Func<IRelationalCommandBuilder> builder, Action<Expression> visit, ISqlGenerationHelper names, MySqlSingletonOptions options)
{
    private const string Text = "LONGTEXT";

    private readonly JsonTables _tables = new();

    private IRelationalCommandBuilder Sql => builder();

    private bool HasType => options.Capabilities.JsonType;

    /// <summary>Returns whether the value is a document. A collection of values is one, too; MariaDB has it as the text that EF Core wrote.</summary>
    public bool IsDocument(SqlExpression expression) =>
        expression.TypeMapping is JsonTypeMapping || (HasType && expression.TypeMapping?.ElementTypeMapping is not null);

    /// <summary>Returns whether the value is read out of a document: it can be the null of JSON, which is not NULL.</summary>
    public static bool IsPartOfDocument(SqlExpression expression) => expression switch
    {
        JsonScalarExpression { Path.Count: > 0, TypeMapping: JsonTypeMapping or { ElementTypeMapping: not null } } => true,
        // A column of JSON_TABLE.
        JsonScalarExpression { Path.Count: 0, Json: ColumnExpression { Column: null } } => true,
        ColumnExpression { Column: null, TypeMapping: JsonTypeMapping } => true,
        _ => false,
    };

    /// <summary>Finds what the columns of JSON_TABLE are. Called before anything of the query is written.</summary>
    public void FindColumns(Expression query) => _tables.Visit(query);

    /// <summary>Returns whether the column is a geometry of JSON_TABLE, which is a text there.</summary>
    public bool IsTextOfGeometry(ColumnExpression column) => _tables.Has(column.TableAlias) && JsonValues.IsGeometry(column.TypeMapping);

    // A value out of a document. A JSON null must be NULL: JSON_UNQUOTE would make the text 'null' of it, and JSON_VALUE of MySQL ends at 512 characters.
    public void AppendScalar(JsonScalarExpression scalar)
    {
        var mapping = scalar.TypeMapping!;
        if (scalar.Path.Count == 0)
            visit(scalar.Json);
        else if (mapping is JsonTypeMapping || mapping.ElementTypeMapping is not null)
            AppendExtract(scalar.Json, () => AppendPath(scalar.Path, ""));
        else if (JsonValues.CanRead(mapping))
            AppendValue(mapping, scalar.Json, () => AppendPath(scalar.Path, ""));
        else
            throw new InvalidOperationException(JsonValues.Refusal(mapping));
    }

    /// <summary>Writes the value at a path of a document, as a value of SQL.</summary>
    public void AppendValue(RelationalTypeMapping mapping, SqlExpression json, Action appendPath)
    {
        if (JsonValues.IsGeometry(mapping))
        {
            AppendGeometry(() => AppendValue(MySqlStringTypeMapping.Default, json, appendPath));
            return;
        }

        var type = mapping.ProviderType();
        var target = type == typeof(string) || type == typeof(Guid) || type == typeof(byte[]) || (type == typeof(bool) && HasType)
            ? null
            : CastTypes.For(mapping, options.Capabilities);
        Sql.Append(target is not null ? "CAST(" : type == typeof(byte[]) ? "FROM_BASE64(" : "");
        if (HasType)
        {
            Sql.Append(type == typeof(bool) ? "(JSON_UNQUOTE(NULLIF(" : "JSON_UNQUOTE(NULLIF(");
            AppendExtract(json, appendPath);
            Sql.Append(type == typeof(bool) ? ", CAST('null' AS JSON))) = 'true')" : ", CAST('null' AS JSON)))");
        }
        else
        {
            Sql.Append("JSON_VALUE(");
            visit(json);
            Sql.Append(", ");
            appendPath();
            Sql.Append(")");
        }

        Sql.Append(target is not null ? $" AS {target})" : type == typeof(byte[]) ? ")" : "");
    }

    /// <summary>
    /// Writes the geometry of a text: <c>POINT (1 2)</c>, or <c>SRID=4326;POINT (1 2)</c>. The number is taken out of <c>=0;POINT (1 2)</c>, or
    /// <c>=0;SRID=4326;POINT (1 2)</c>.
    /// </summary>
    public void AppendGeometry(Action appendText)
    {
        Sql.Append("ST_GeomFromText(SUBSTRING_INDEX(");
        appendText();
        Sql.Append(", ';', -1), SUBSTRING_INDEX(SUBSTRING_INDEX(SUBSTRING_INDEX(CONCAT('=0;', ");
        appendText();
        // MySQL would begin with the first axis of the reference system. MariaDB knows no axes.
        Sql.Append("), ';', -2), '=', -1), ';', 1)").Append(HasType ? ", 'axis-order=long-lat')" : ")");
    }

    /// <summary>Writes JSON_TABLE, without its alias.</summary>
    public void AppendTable(JsonTableExpression table)
    {
        Sql.Append("JSON_TABLE(");
        var isFixed = table.Path.All(static segment => segment.ArrayIndex is null or SqlConstantExpression);
        if (isFixed)
        {
            visit(table.Json);
            Sql.Append(", ");
            AppendPath(table.Path, "[*]");
        }
        else
        {
            // The path of JSON_TABLE is a literal.
            AppendExtract(table.Json, () => AppendPath(table.Path, ""));
            Sql.Append(", '$[*]'");
        }

        Sql.Append(" COLUMNS (").Append(names.DelimitIdentifier(JsonTableExpression.OrdinalityName)).Append(" FOR ORDINALITY");
        foreach (var column in table.Columns)
        {
            var type = column.Mapping is { } mapping ? ColumnType(mapping) : "JSON";
            Sql.Append(", ").Append(names.DelimitIdentifier(column.Name)).Append(" ").Append(type);
            if (type == Text && _tables.CollationOf(table.Alias, column.Name) is { } collation)
                Sql.Append(" CHARACTER SET utf8mb4 COLLATE ").Append(collation);
            Sql.Append(" PATH ");
            AppendPath(column.Property is null ? [] : [new PathSegment(column.Property)], "");
        }

        Sql.Append("))");
    }

    /// <summary>Writes JSON_SET.</summary>
    public void AppendSet(JsonSetExpression set)
    {
        Sql.Append("JSON_SET(");
        visit(set.Document);
        Sql.Append(", ");
        AppendPath(set.Path, "");
        Sql.Append(", ");
        AppendJson(set.Value, set.IsScalar);
        Sql.Append(")");
    }

    /// <summary>Writes IS NULL or IS NOT NULL, for a part of a document.</summary>
    public void AppendNullTest(SqlUnaryExpression test)
    {
        Sql.Append("NULLIF(");
        visit(test.Operand);
        Sql.Append(HasType ? ", CAST('null' AS JSON))" : ", 'null')").Append(test.OperatorType == ExpressionType.Equal ? " IS NULL" : " IS NOT NULL");
    }

    // MySQL compares documents by value if both are of the type JSON, and texts otherwise.
    public void AppendComparison(SqlBinaryExpression comparison)
    {
        var isEqual = comparison.OperatorType == ExpressionType.Equal;
        if (HasType)
        {
            AppendDocument(comparison.Left);
            Sql.Append(isEqual ? " = " : " <> ");
            AppendDocument(comparison.Right);
            return;
        }

        // MariaDB 11.8 takes WHERE JSON_EQUALS(document, NULL) for true.
        Sql.Append("JSON_EQUALS(");
        visit(comparison.Left);
        Sql.Append(", ");
        visit(comparison.Right);
        Sql.Append(isEqual ? ") = 1" : ") = 0");
    }

    // A key column is varchar(255), but an element may be longer.
    private static string ColumnType(RelationalTypeMapping mapping) =>
        mapping.ProviderType() == typeof(string) || JsonValues.IsGeometry(mapping) ? Text : mapping.StoreType;

    private void AppendExtract(SqlExpression json, Action appendPath)
    {
        Sql.Append("JSON_EXTRACT(");
        visit(json);
        Sql.Append(", ");
        appendPath();
        Sql.Append(")");
    }

    private void AppendDocument(SqlExpression document)
    {
        var isText = document is SqlParameterExpression or SqlConstantExpression || document.TypeMapping is not JsonTypeMapping;
        Sql.Append(isText ? "CAST(" : "");
        visit(document);
        Sql.Append(isText ? " AS JSON)" : "");
    }

    // What JSON_SET takes: a scalar as it is, except that a boolean has a word of JSON's; the text of a document as a document.
    private void AppendJson(SqlExpression value, bool isScalar)
    {
        var isBool = isScalar && value.TypeMapping?.ProviderType() == typeof(bool);
        if (isScalar && !isBool)
        {
            visit(value);
            return;
        }

        Sql.Append(HasType ? "CAST(" : "JSON_EXTRACT(");
        Sql.Append(isBool ? "CASE " : "");
        visit(value);
        Sql.Append(isBool ? " WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' ELSE 'null' END" : "");
        Sql.Append(HasType ? " AS JSON)" : ", '$')");
    }

    private void AppendPath(IReadOnlyList<PathSegment> path, string end)
    {
        var isFixed = path.All(static segment => segment.ArrayIndex is null or SqlConstantExpression);
        var text = new System.Text.StringBuilder("$");
        Sql.Append(isFixed ? "" : "CONCAT(");
        foreach (var segment in path)
        {
            switch (segment)
            {
                case { PropertyName: { } name }:
                    text.Append('.').Append(names.DelimitJsonPathElement(name));
                    break;
                case { ArrayIndex: SqlConstantExpression index }:
                    text.Append('[').Append(index.Value).Append(']');
                    break;
                default:
                    Sql.Append(Literal(text.Append('[').ToString())).Append(", ");
                    visit(segment.ArrayIndex!);
                    Sql.Append(", ");
                    text.Clear().Append(']');
                    break;
            }
        }

        Sql.Append(Literal(text.Append(end).ToString())).Append(isFixed ? "" : ")");
    }

    private string Literal(string text) => MySqlStringTypeMapping.Literal(text, options.Values.NoBackslashEscapes);
}
