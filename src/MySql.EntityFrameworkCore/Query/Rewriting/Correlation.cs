using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

/// <summary>Which tables an expression reads that are not its own.</summary>
internal static class Correlation
{
    private static readonly HashSet<string> Aggregates = new(StringComparer.OrdinalIgnoreCase)
    {
        "COUNT", "SUM", "AVG", "MIN", "MAX", "GROUP_CONCAT", "STDDEV_SAMP", "STDDEV_POP", "VAR_SAMP", "VAR_POP", "BIT_AND", "BIT_OR", "BIT_XOR",
        "JSON_ARRAYAGG", "JSON_OBJECTAGG", "STD", "STDDEV", "VARIANCE",
    };

    /// <summary>Returns the aliases of the tables that an expression refers to and does not contain.</summary>
    public static HashSet<string> FreeAliases(Expression? expression)
    {
        var collector = new AliasCollector();
        collector.Visit(expression);
        return collector.Referenced;
    }

    public static bool Refers(Expression? expression, HashSet<string> aliases) => FreeAliases(expression).Overlaps(aliases);

    /// <summary>Returns the columns of some tables that an expression reads, each once.</summary>
    public static List<ColumnExpression> ColumnsOf(Expression? expression, Func<string, bool> isSought)
    {
        var collector = new ColumnCollector(isSought);
        collector.Visit(expression);
        return collector.Columns;
    }

    public static TableExpressionBase Unwrap(TableExpressionBase table) => table is JoinExpressionBase join ? join.Table : table;

    /// <summary>Returns the conditions of a predicate that are joined by AND.</summary>
    public static List<SqlExpression> Conjuncts(SqlExpression? predicate)
    {
        var conjuncts = new List<SqlExpression>();
        Add(predicate);
        return conjuncts;

        void Add(SqlExpression? expression)
        {
            switch (expression)
            {
                case null or SqlConstantExpression { Value: true }:
                    break;
                case SqlBinaryExpression { OperatorType: ExpressionType.AndAlso } and:
                    Add(and.Left);
                    Add(and.Right);
                    break;
                default:
                    conjuncts.Add(expression);
                    break;
            }
        }
    }

    /// <summary>Returns whether a select without GROUP BY is one row of aggregates.</summary>
    public static bool IsOneRow(SelectExpression select) =>
        select.GroupBy.Count == 0 && (select.Having is not null || select.Projection.Any(static projection => HasAggregate(projection.Expression))
            || select.Orderings.Any(static ordering => HasAggregate(ordering.Expression)));

    /// <summary>Returns whether a select computes aggregates of its rows.</summary>
    public static bool IsGrouped(SelectExpression select) => select.GroupBy.Count > 0 || IsOneRow(select);

    /// <summary>Returns whether a select numbers its rows, so that each number depends on all of them.</summary>
    public static bool HasRanks(SelectExpression select) => select.Projection.Any(static projection => projection.Expression is RowNumberExpression);

    /// <summary>Returns whether a select computes something else from the number of a row.</summary>
    public static bool HasRanksInside(SelectExpression select) =>
        select.Projection.Any(static one => one.Expression is not RowNumberExpression && Has(one.Expression, static node => node is RowNumberExpression))
        || select.Orderings.Any(static one => Has(one.Expression, static node => node is RowNumberExpression));

    /// <summary>Returns whether an expression has another value each time: RAND, UUID and functions of the application.</summary>
    public static bool IsVolatile(Expression? expression) => Has(
        expression, static node => node is SqlFunctionExpression function && (!function.IsBuiltIn || function.Name is "RAND" or "UUID"), intoSelects: true);

    /// <summary>Returns whether an expression, or a subquery in it, has a node.</summary>
    public static bool Contains(Expression expression, Func<Expression, bool> isSought) => Has(expression, isSought, intoSelects: true);

    /// <summary>Returns whether an expression has a subquery.</summary>
    public static bool HasSubquery(Expression? expression) => Has(expression, static node => node is SelectExpression);

    /// <summary>Returns whether a select aggregates columns of outer tables alone: inside a scalar subquery, the outer select would compute that.</summary>
    public static bool HasOuterAggregate(SelectExpression select, HashSet<string> free) => select.Projection.Any(
        projection => Has(projection.Expression, node => IsAggregate(node) && FreeAliases(node) is { Count: > 0 } read && read.IsSubsetOf(free)));

    /// <summary>Returns whether rows that an outer join did not find can be told from others: a table is on the side that may be missing.</summary>
    public static bool IsOptional(IReadOnlyList<TableExpressionBase> tables, int index) =>
        tables[index] is LeftJoinExpression or OuterApplyExpression || tables.Skip(index + 1).Any(static table => table is RightJoinExpression);

    // An aggregate of a subquery is the subquery's own.
    private static bool HasAggregate(SqlExpression expression) => Has(expression, static node => IsAggregate(node));

    private static bool IsAggregate(Expression node) =>
        node is GroupConcatExpression || (node is SqlFunctionExpression function && Aggregates.Contains(function.Name));

    private static bool Has(Expression? expression, Func<Expression, bool> isSought, bool intoSelects = false)
    {
        var finder = new Finder(isSought, intoSelects);
        finder.Visit(expression);
        return finder.IsFound;
    }

    // Columns of tables that a select around them does not have.
    private sealed class AliasCollector : ExpressionVisitor
    {
        public HashSet<string> Referenced { get; private set; } = new(StringComparer.Ordinal);

        protected override Expression VisitExtension(Expression node)
        {
            switch (node)
            {
                case ColumnExpression column:
                    Referenced.Add(column.TableAlias);
                    return node;
                case SelectExpression select:
                    var around = Referenced;
                    Referenced = new(StringComparer.Ordinal);
                    base.VisitExtension(select);
                    Referenced.ExceptWith(select.Tables.Select(static table => Unwrap(table).Alias!));
                    Referenced.UnionWith(around);
                    return node;
                default:
                    return base.VisitExtension(node);
            }
        }
    }

    private sealed class ColumnCollector(Func<string, bool> isSought) : ExpressionVisitor
    {
        public List<ColumnExpression> Columns { get; } = [];

        protected override Expression VisitExtension(Expression node)
        {
            if (node is ColumnExpression column && isSought(column.TableAlias) && !Columns.Contains(column))
                Columns.Add(column);
            return base.VisitExtension(node);
        }
    }

    private sealed class Finder(Func<Expression, bool> isSought, bool intoSelects) : ExpressionVisitor
    {
        public bool IsFound { get; private set; }

        protected override Expression VisitExtension(Expression node)
        {
            IsFound |= isSought(node);
            return IsFound || (node is SelectExpression && !intoSelects) ? node : base.VisitExtension(node);
        }
    }
}
