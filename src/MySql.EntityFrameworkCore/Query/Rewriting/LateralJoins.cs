using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

#pragma warning disable EF1001 // the constructors of a select of known parts have no public counterpart

/// <summary>
/// Writes a query without LATERAL, for servers where a derived table reads no other table of its FROM, and no table outside of it either. Each such table
/// is lifted to a join; if it cannot be, the outer tables are repeated inside it first. What is left is refused.
/// </summary>
internal sealed class LateralJoins(
    ISqlExpressionFactory factory, IRelationalTypeMappingSource mappings, SqlAliasManager aliases, ServerVersion version) : QueryRewriter
{
    private readonly Lifting _lifting = new(factory, mappings, aliases);
    private readonly Domain _domain = new(factory, mappings, aliases);

    private const int MostDepth = 12;

    private Scope? _scope;
    private int _depth;

    // Whether outer tables may be repeated, and what is left is refused. A table inside a table that will be lifted itself is tried without that first.
    private bool _isFinal = true;

    // Whether a subquery of HAVING is rewritten, or a select that has one. MariaDB reads wrong groups in such a subquery, so nothing that needs a rewrite is
    // certain there.
    private bool _isByHaving;

    // The scope of the select that was rewritten last, and its columns that are expressions now.
    private Scope? _last;
    private ColumnReplacement? _lastReplacement;

    protected override Expression VisitExtension(Expression node) => node switch
    {
        SelectExpression select => Rewrite(select),
        UpdateExpression update => Rewrite(update),
        _ => base.VisitExtension(node),
    };

    private UpdateExpression Rewrite(UpdateExpression update)
    {
        var select = Rewrite(update.SelectExpression);
        var (scope, replacement) = (_scope, _lastReplacement);
        _scope = _last;
        var setters = update.ColumnValueSetters
            .Select(setter => new ColumnValueSetter(setter.Column, (SqlExpression)Visit(replacement?.Of(setter.Value) ?? setter.Value))).ToList();
        _scope = scope;
        return update.Update(select, setters);
    }

    private SelectExpression Rewrite(SelectExpression select)
    {
        var work = new Work(select, new Scope(_scope, select.Tables, select.Predicate));
        _scope = work.Scope;
        var before = _isByHaving;
        _isByHaving |= Correlation.HasSubquery(select.Having);
        for (var index = 0; index < work.Scope.Tables.Count; index++)
            index -= Rewrite(work, index) ? 0 : 1;
        work.Scope.Predicate = (SqlExpression?)Visit(work.Scope.Predicate);
        var result = select.Update(
            [.. work.Scope.Tables], work.Scope.Predicate, Visit(work.GroupBy), VisitHaving(work.Having), Visit(work.Projection),
            Visit(work.Orderings), (SqlExpression?)Visit(select.Offset), (SqlExpression?)Visit(select.Limit));
        _isByHaving = before;
        _scope = work.Scope.Parent;
        (_last, _lastReplacement) = (work.Scope, work.Replacement);
        return result;
    }

    // Rewrites a table of a select. Returns whether it is still there.
    private bool Rewrite(Work work, int index)
    {
        var join = work.Scope.Tables[index];
        var table = Visit(Correlation.Unwrap(join), isFinal: false);
        if (join is PredicateJoinExpressionBase { JoinPredicate: var on } predicateJoin
            && (SqlExpression)Visit(on) is var newOn && !ReferenceEquals(on, newOn))
            join = predicateJoin.Update(predicateJoin.Table, newOn);
        work.Scope.Tables[index] = Join(join, table);
        if (IsDerived(table) && Correlation.FreeAliases(table).Count > 0)
        {
            if (IsApply(join) && index > 0 && !_isByHaving && !work.IsGrouped && !HasRightJoin(work, index) && Scalars(table) is { } scalars)
            {
                work.Scope.Tables.RemoveAt(index);
                work.Replace(table.Alias!, scalars);
                return false;
            }

            if (_isByHaving || HasRightJoin(work, index) || Lift(Derived(table), join, work.IsGrouped) is not { } lifted)
            {
                if (_isFinal)
                    throw LateralRefusal.Of(join, table, version);
                return true;
            }

            Apply(work, index, join, lifted);
            table = lifted.Table;
        }
        else if (IsApply(join) && table is not JsonTableExpression)
        {
            // No table outside is read.
            work.Scope.Tables[index] = join is CrossApplyExpression
                ? new CrossJoinExpression(table)
                : new LeftJoinExpression(table, _lifting.JoinPredicate(Truth()));
        }

        // What was moved out of the table can have subqueries, too.
        if (_isFinal && IsDerived(table))
            work.Scope.Tables[index] = Join(work.Scope.Tables[index], (TableExpressionBase)Visit(table));
        if (_isFinal && work.Scope.Tables[index] is PredicateJoinExpressionBase moved)
            work.Scope.Tables[index] = moved.Update(moved.Table, (SqlExpression)Visit(moved.JoinPredicate));
        return true;
    }

    // A row that a later RIGHT JOIN does not find has NULL in all columns, whatever they are computed from.
    private static bool HasRightJoin(Work work, int index) => work.Scope.Tables.Skip(index).Any(static one => one is RightJoinExpression);

    private Lifted? Lift(SelectExpression select, TableExpressionBase join, bool isGrouped)
    {
        var isOptional = join is OuterApplyExpression or LeftJoinExpression;
        var scope = _scope!;
        if ((_lifting.Lift(select, isOptional, isGrouped, scope, static (_, _) => null) ?? (IsApply(join) && !isGrouped ? FirstRow(select, isOptional) : null))
            is { } lifted)
            return lifted;
        return !_isFinal ? null
            : _lifting.Lift(select, isOptional, isGrouped, scope, Bind)
                ?? (Bind(select, Correlation.FreeAliases(select)) is { } bound ? _lifting.Lift(bound, isOptional, isGrouped, scope, Bind) : null);
    }

    private SelectExpression? Bind(SelectExpression select, HashSet<string> outerAliases)
    {
        // A table that cannot be lifted when it is bound cannot be when it is bound again.
        if (_depth == MostDepth || _domain.Bind(select, outerAliases, _scope!) is not { } bound)
            return null;
        _depth++;
        bound = Rewrite(bound);
        _depth--;
        return bound;
    }

    private void Apply(Work work, int index, TableExpressionBase join, Lifted lifted)
    {
        var conditions = lifted.Keys.Select(key => (SqlExpression)factory.Equal(key.Inner, key.Outer)).Concat(lifted.OwnConditions)
            .Concat(lifted.OtherConditions).ToList();
        var condition = conditions.Aggregate((SqlExpression?)null, _lifting.And);
        var on = (join as PredicateJoinExpressionBase)?.JoinPredicate;
        // The only equality of a join does not hold for two NULLs, but one of several conditions does.
        if (on is SqlBinaryExpression { OperatorType: ExpressionType.Equal } equal && Lifting.IsNullable(equal.Left) && Lifting.IsNullable(equal.Right))
            on = factory.AndAlso(on, factory.IsNotNull(equal.Left));
        var predicate = _lifting.JoinPredicate(_lifting.And(on, condition ?? Truth()));
        work.Scope.Tables[index] = join switch
        {
            CrossApplyExpression or CrossJoinExpression when condition is null => lifted.Table is JsonTableExpression
                ? new CrossApplyExpression(lifted.Table)
                : new CrossJoinExpression(lifted.Table),
            CrossApplyExpression or CrossJoinExpression or InnerJoinExpression => new InnerJoinExpression(lifted.Table, predicate),
            OuterApplyExpression or LeftJoinExpression => new LeftJoinExpression(lifted.Table, predicate),
            _ => lifted.Table,
        };
        if (join is not JoinExpressionBase && condition is not null)
            work.Scope.Predicate = _lifting.And(work.Scope.Predicate, condition);
        if (lifted.Substitutions.Count > 0)
            work.Replace(Correlation.Unwrap(join).Alias!, lifted.Substitutions);
    }

    // ---------------------------------------------------------------- single rows

    // One row of aggregates: each column is a subquery of its own.
    private Dictionary<string, SqlExpression>? Scalars(TableExpressionBase table) =>
        table is SelectExpression { Limit: null, Offset: null, IsDistinct: false, Having: null } select && Correlation.IsOneRow(select)
            && !Correlation.IsVolatile(select) && !Correlation.HasOuterAggregate(select, Correlation.FreeAliases(select))
            ? select.Projection.ToDictionary(
                static projection => projection.Alias,
                projection => (SqlExpression)new ScalarSubqueryExpression(new SelectExpression(
                    null, select.Tables, select.Predicate, [], select.Having, [projection], false, [], null, null, aliases)))
            : null;

    // The first row: the table itself, where its key is that of the first row.
    private Lifted? FirstRow(SelectExpression select, bool isOptional)
    {
        if (select is not
            {
                Tables: [TableExpression table], IsDistinct: false, GroupBy: [], Having: null, Limit: SqlConstantExpression { Value: 1 }, Offset: null,
            }
            || Correlation.IsOneRow(select) || Correlation.HasRanks(select) || Correlation.HasRanksInside(select) || Correlation.IsVolatile(select)
            || Domain.KeyOf(table) is not [var key])
            return null;
        var copy = aliases.GenerateTableAlias(table.Name);
        var inside = new ColumnReplacement(column => column.TableAlias == table.Alias
            ? new ColumnExpression(column.Name, copy, column.Type, column.TypeMapping, column.IsNullable)
            : null);
        var keyInside = (ColumnExpression)inside.Of(key)!;
        var orderings = inside.Of(select.Orderings);
        if (!orderings.Any(ordering => ordering.Expression is ColumnExpression column && column.TableAlias == copy && column.Name == key.Name))
            orderings.Add(new(keyInside, ascending: true));
        var first = new ScalarSubqueryExpression(new SelectExpression(
            null, [table.WithAlias(copy)], inside.Of(select.Predicate), [], null, [new(keyInside, key.Name)], false, orderings, null, select.Limit, aliases));
        var outside = new ColumnReplacement(column => column.TableAlias == table.Alias && isOptional ? column.MakeNullable() : null);
        var substitutions = select.Projection.ToDictionary(
            static projection => projection.Alias,
            projection => !isOptional || (projection.Expression is ColumnExpression column && column.TableAlias == table.Alias)
                ? outside.Of(projection.Expression)!
                : factory.Case([new CaseWhenClause(factory.IsNotNull(key.MakeNullable()), outside.Of(projection.Expression)!)], null));
        return new(table, [], [], [factory.Equal(key, first)], substitutions);
    }

    // ---------------------------------------------------------------- tables

    private static bool IsApply(TableExpressionBase join) => join is CrossApplyExpression or OuterApplyExpression;

    private static bool IsDerived(TableExpressionBase table) => table is SelectExpression or SetOperationBase or ValuesExpression;

    private static TableExpressionBase Join(TableExpressionBase join, TableExpressionBase table) =>
        join is JoinExpressionBase one ? one.Update(table) : table;

    // A derived table as a select with its alias.
    private SelectExpression Derived(TableExpressionBase table)
    {
        switch (table)
        {
            case SelectExpression select:
                return select;
            case SetOperationBase operation:
                var alias = aliases.GenerateTableAlias("t");
                return new SelectExpression(
                    operation.Alias, [operation.WithAlias(alias)], null, [], null, Passed(operation.Source1.Projection, alias), false, [], null, null, aliases);
            default:
                var values = (ValuesExpression)table;
                return Rows(values, values.RowValues!.Count).WithAlias(values.Alias);
        }
    }

    // SELECT … UNION ALL SELECT …: the first rows of a list.
    private SelectExpression Rows(ValuesExpression values, int count)
    {
        var row = new SelectExpression(
            null, [], null, [], null,
            values.RowValues![count - 1].Values.Select((value, index) => new ProjectionExpression(value, values.ColumnNames[index])).ToList(), false, [], null,
            null, aliases);
        if (count == 1)
            return row;
        var alias = aliases.GenerateTableAlias("u");
        var union = new UnionExpression(alias, Rows(values, count - 1), row, distinct: false);
        return new SelectExpression(null, [union], null, [], null, Passed(row.Projection, alias), false, [], null, null, aliases);
    }

    private static List<ProjectionExpression> Passed(IReadOnlyList<ProjectionExpression> projections, string alias)
    {
        var list = new ProjectionList(alias, []);
        return projections.Select(projection => new ProjectionExpression(list.Column(projection), projection.Alias)).ToList();
    }

    private SqlConstantExpression Truth() => (SqlConstantExpression)factory.Constant(true, mappings.FindMapping(typeof(bool)));

    private TableExpressionBase Visit(TableExpressionBase table, bool isFinal)
    {
        var before = _isFinal;
        _isFinal = isFinal;
        var visited = (TableExpressionBase)Visit(table);
        _isFinal = before;
        return visited;
    }

    private SqlExpression? VisitHaving(SqlExpression? having)
    {
        var before = _isByHaving;
        _isByHaving = true;
        var visited = (SqlExpression?)Visit(having);
        _isByHaving = before;
        return visited;
    }

    private List<T> Visit<T>(IReadOnlyList<T> expressions)
        where T : Expression => expressions.Select(expression => (T)Visit(expression)).ToList();

    /// <summary>A select that is being rewritten.</summary>
    private sealed class Work(SelectExpression select, Scope scope)
    {
        private readonly Dictionary<(string Alias, string Name), SqlExpression> _substitutions = [];

        public Scope Scope => scope;

        public bool IsGrouped { get; } = Correlation.IsGrouped(select);

        public IReadOnlyList<ProjectionExpression> Projection { get; private set; } = select.Projection;

        public IReadOnlyList<SqlExpression> GroupBy { get; private set; } = select.GroupBy;

        public SqlExpression? Having { get; private set; } = select.Having;

        public IReadOnlyList<OrderingExpression> Orderings { get; private set; } = select.Orderings;

        public ColumnReplacement? Replacement { get; private set; }

        /// <summary>Puts expressions in the place of the columns of a table, wherever the select reads them.</summary>
        public void Replace(string alias, Dictionary<string, SqlExpression> substitutions)
        {
            Replacement = new(column => _substitutions.GetValueOrDefault((column.TableAlias, column.Name)));
            foreach (var (name, expression) in substitutions)
                _substitutions[(alias, name)] = expression;
            for (var index = 0; index < scope.Tables.Count; index++)
                scope.Tables[index] = (TableExpressionBase)Replacement.Visit(scope.Tables[index]);
            scope.Predicate = Replacement.Of(scope.Predicate);
            (Projection, GroupBy, Having, Orderings) =
                (Replacement.Of(Projection), Replacement.Of(GroupBy), Replacement.Of(Having), Replacement.Of(Orderings));
        }
    }
}
