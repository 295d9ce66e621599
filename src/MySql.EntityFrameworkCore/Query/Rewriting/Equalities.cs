using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

/// <summary>The equalities that relate the rows of a subquery to a row outside.</summary>
internal static class Equalities
{
    private const string HidingFunction = "IFNULL";

    // A text's weight of this length fits into what the servers sort by (max_sort_length is 1024 bytes).
    private const int MostCharacters = 255;

    private static readonly string[] Integers = ["tinyint", "smallint", "mediumint", "int", "bigint"];

    // Types whose values are equal, or not, in one way: FLOAT and DOUBLE have two zeros, and a TIMESTAMP is compared as a local time, of which one hour is two.
    private static readonly string[] Exact = ["decimal", "date", "datetime", "time", "uuid", "binary", "varbinary"];

    private static readonly string[] Texts = ["char", "varchar"];

    /// <summary>
    /// Returns IFNULL(x, NULL), which is x. MariaDB computes a table with GROUP BY or PARTITION BY again for each outer row, if its join compares a column of
    /// these lists (split_materialized), and then returns too few rows where such tables are inside each other. An expression is not such a column.
    /// </summary>
    public static SqlExpression Hide(SqlExpression key, ISqlExpressionFactory factory) => key is ColumnExpression
        ? factory.Function(
            HidingFunction, [key, factory.Constant(null, key.Type, key.TypeMapping)], nullable: true, [true, false], key.Type, key.TypeMapping)
        : key;

    /// <summary>Returns the column that was hidden, or the expression.</summary>
    public static SqlExpression Shown(SqlExpression expression) =>
        expression is SqlFunctionExpression { Name: HidingFunction, Arguments: [ColumnExpression column, SqlConstantExpression { Value: null }] }
            ? column
            : expression;

    /// <summary>Returns the sides of a condition that an expression of the subquery and one of outer tables are equal, or null.</summary>
    public static (SqlExpression Inner, SqlExpression Outer)? Of(SqlExpression condition, HashSet<string> free)
    {
        if (condition is not SqlBinaryExpression { OperatorType: ExpressionType.Equal } equal)
            return null;
        var (left, right) = (Correlation.FreeAliases(equal.Left), Correlation.FreeAliases(equal.Right));
        if (left.Overlaps(free))
            return left.IsSubsetOf(free) && !right.Overlaps(free) ? (equal.Right, equal.Left) : null;
        return right.IsSubsetOf(free) ? (equal.Left, equal.Right) : null;
    }

    /// <summary>
    /// Returns whether rows with equal keys are one part for DISTINCT, GROUP BY and PARTITION BY exactly if they are equal to the same outer value: the values
    /// are integers on the server, or of columns with the same type and, for texts, the same collation.
    /// </summary>
    public static bool AreSamePart(SqlExpression inner, SqlExpression outer, SelectExpression select, Scope scope)
    {
        TableExpressionBase? Inside(string alias) => Table(select, alias);
        TableExpressionBase? Outside(string alias) => scope.Find(alias)?.Table;
        return (IsInteger(inner, Inside) && IsInteger(outer, Outside))
            || (ColumnsOf(inner, Inside) is { } ones && ColumnsOf(outer, Outside) is { } others && ones.All(one => others.All(other => AreSame(one, other))));
    }

    private static TableExpressionBase? Table(SelectExpression select, string alias) =>
        select.Tables.Select(Correlation.Unwrap).FirstOrDefault(table => table.Alias == alias);

    // ---------------------------------------------------------------- integers

    private static bool IsInteger(SqlExpression expression, Func<string, TableExpressionBase?> find) => Shown(expression) switch
    {
        ColumnExpression column => find(column.TableAlias) is { } table && IsInteger(table, column.Name),
        SqlConstantExpression { Value: int or long or short or byte or sbyte or ushort or uint or ulong } => true,
        SqlBinaryExpression { OperatorType: ExpressionType.Add or ExpressionType.Subtract or ExpressionType.Multiply or ExpressionType.Modulo } binary =>
            IsInteger(binary.Left, find) && IsInteger(binary.Right, find),
        SqlFunctionExpression { IsBuiltIn: true, Name: "YEAR" or "MONTH" or "DAY" or "DAYOFYEAR" or "CHAR_LENGTH" or "COUNT" } => true,
        RowNumberExpression => true,
        _ => false,
    };

    private static bool IsInteger(TableExpressionBase table, string name) => table switch
    {
        TableExpression one => one.Table.FindColumn(name) is { } column && Is(column.StoreType, Integers),
        JsonTableExpression json => name == JsonTableExpression.OrdinalityName
            || json.Columns.Any(column => column.Name == name && column.Mapping is { } mapping && Is(mapping.StoreType, Integers)),
        SelectExpression select => select.Projection.FirstOrDefault(one => one.Alias == name)?.Expression is { } expression
            && IsInteger(expression, alias => Table(select, alias)),
        SetOperationBase operation => Sources(operation, name).All(static one => IsInteger(one.Source, one.Name)),
        _ => false,
    };

    // ---------------------------------------------------------------- columns

    // The columns of the database whose values an expression passes on.
    private static List<IColumn>? ColumnsOf(SqlExpression expression, Func<string, TableExpressionBase?> find) =>
        Shown(expression) is ColumnExpression column && find(column.TableAlias) is { } table ? ColumnsOf(table, column.Name) : null;

    private static List<IColumn>? ColumnsOf(TableExpressionBase table, string name)
    {
        switch (table)
        {
            case TableExpression one:
                return one.Table.FindColumn(name) is IColumn column ? [column] : null;
            case SelectExpression select:
                return select.Projection.FirstOrDefault(one => one.Alias == name)?.Expression is { } expression
                    ? ColumnsOf(expression, alias => Table(select, alias))
                    : null;
            case SetOperationBase operation:
                var lists = Sources(operation, name).Select(static one => ColumnsOf(one.Source, one.Name)).ToList();
                return lists.Contains(null) ? null : lists.SelectMany(static list => list!).Distinct().ToList();
            default:
                return null;
        }
    }

    private static IEnumerable<(SelectExpression Source, string Name)> Sources(SetOperationBase operation, string name)
    {
        var index = operation.Source1.Projection.ToList().FindIndex(projection => projection.Alias == name);
        yield return (operation.Source1, name);
        yield return (operation.Source2, index < 0 ? name : operation.Source2.Projection[index].Alias);
    }

    private static bool AreSame(IColumn one, IColumn other) =>
        Is(one.StoreType, Texts) && Is(other.StoreType, Texts)
            ? IsShort(one) && IsShort(other) && Principals(one).Overlaps(Principals(other))
            : (Is(one.StoreType, Exact) || (IsPeriod(one) && IsPeriod(other))) && one.StoreType == other.StoreType;

    // The SQL reads a moment in UTC, not the TIMESTAMP.
    private static bool IsPeriod(IColumn column) => TemporalTable.Of(column.Table)?.Has(column.Name) == true;

    // A foreign key requires the collation of the key. The model does not say at run time which collation a column has.
    private static HashSet<IColumn> Principals(IColumn column)
    {
        var columns = new HashSet<IColumn> { column };
        foreach (var key in column.Table.ForeignKeyConstraints)
        {
            for (var index = 0; index < key.Columns.Count; index++)
            {
                if (key.Columns[index] == column)
                    columns.Add(key.PrincipalColumns[index]);
            }
        }

        return columns;
    }

    private static bool IsShort(IColumn column) =>
        column.StoreType.AsSpan(column.StoreType.IndexOf('(') + 1) is var size && int.TryParse(size[..Math.Max(0, size.IndexOf(')'))], out var characters)
        && characters <= MostCharacters;

    private static bool Is(string storeType, string[] types)
    {
        var end = storeType.AsSpan().IndexOfAny('(', ' ');
        var name = end < 0 ? storeType : storeType[..end];
        return types.Contains(name, StringComparer.OrdinalIgnoreCase);
    }
}
