using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

#pragma warning disable EF1001 // the constructors of a select of known parts have no public counterpart

/// <summary>
/// Moves the conditions of a subquery on outer tables out of it, into the join. Where the rows of one outer row are counted or compared with each other
/// (LIMIT, DISTINCT, GROUP BY), these conditions must be equalities, and their columns divide the rows into the same parts.
/// </summary>
internal sealed partial class Lifting(ISqlExpressionFactory factory, IRelationalTypeMappingSource mappings, SqlAliasManager aliases)
{
    private const string RankName = "rank";
    private const string KeyName = "key";

    /// <summary>Returns the subquery without its references to outer tables, or null if they cannot be moved.</summary>
    /// <param name="select">The subquery.</param>
    /// <param name="isOptional">Whether it is joined as a table that may have no row.</param>
    /// <param name="isGrouped">Whether the select around it computes aggregates.</param>
    /// <param name="scope">The tables around it.</param>
    /// <param name="bind">Adds the outer tables to an operand of a set operation, or returns null.</param>
    public Lifted? Lift(
        SelectExpression select, bool isOptional, bool isGrouped, Scope scope, Func<SelectExpression, HashSet<string>, SelectExpression?> bind)
    {
        if (select.Tables.Any(static table => table is RightJoinExpression) || Correlation.IsOneRow(select))
            return null;
        var free = Correlation.FreeAliases(select);
        // The servers' subqueries in HAVING do not find the groups they are about, or find others.
        if (Correlation.HasRanksInside(select) || Correlation.HasSubquery(select.Having) || IsVolatile(select)
            || Correlation.Refers(select.Limit, free) || Correlation.Refers(select.Offset, free))
            return null;
        if (select.Tables is [JsonTableExpression json] && Correlation.Refers(json, free))
            return isGrouped && OuterColumns(select, free) ? null : LiftJson(select, json, isOptional);
        if (select.Tables is [SetOperationBase operation] && Correlation.Refers(operation, free))
        {
            if (LiftOperation(operation, scope, bind) is not { } lifted)
                return null;
            var predicate = lifted.Keys.Aggregate(select.Predicate, (all, key) => And(all, factory.Equal(key.Inner, key.Outer)));
            select = select.Update(
                [lifted.Operation], predicate, select.GroupBy, select.Having, select.Projection, select.Orderings, select.Offset, select.Limit);
        }

        var (tables, conditions) = JoinConditions(select, free);
        if (tables.Any(table => Correlation.Refers(table, free)) || select.GroupBy.Any(key => Correlation.Refers(key, free))
            || Correlation.Refers(select.Having, free))
            return null;
        var isLimited = select.Limit is not null || select.Offset is not null;
        var orderings = isLimited ? select.Orderings : [];
        if (orderings.Any(ordering => Correlation.Refers(ordering.Expression, free)))
            return null;
        var local = conditions.Where(condition => !Correlation.Refers(condition, free)).Aggregate((SqlExpression?)null, And);
        var correlated = conditions.Where(condition => Correlation.Refers(condition, free)).ToList();
        select = Select(
            select.Alias, tables, local, select.GroupBy, select.Having, select.Projection, select.IsDistinct, orderings, select.Offset, select.Limit);
        if (Correlation.HasRanks(select) && (isLimited || select.IsDistinct || select.GroupBy.Count > 0))
            return null;
        return isLimited || select.IsDistinct || select.GroupBy.Count > 0 || Correlation.HasRanks(select) ? LiftParts(select, correlated, free, scope)
            : isGrouped && OuterColumns(select, free) ? null
            : LiftRows(select, correlated, free, isOptional);
    }

    public SqlExpression And(SqlExpression? left, SqlExpression right) => left is null ? right : factory.AndAlso(left, right);

    // Values that are moved or numbered have to be the same each time. Only the order of the first rows may be random.
    private static bool IsVolatile(SelectExpression select) =>
        Correlation.IsVolatile(select)
        && (select.Limit is null || select.IsDistinct || select.GroupBy.Count > 0 || select.Tables.Any(static one => Correlation.IsVolatile(one))
            || Correlation.IsVolatile(select.Predicate) || select.Projection.Any(static one => Correlation.IsVolatile(one.Expression)));

    // An aggregate of outer columns alone would be an aggregate of the outer query.
    private static bool OuterColumns(SelectExpression select, HashSet<string> free) =>
        select.Projection.Any(projection => Correlation.Refers(projection.Expression, free));

    // ---------------------------------------------------------------- rows that do not depend on each other

    private Lifted? LiftRows(SelectExpression select, List<SqlExpression> correlated, HashSet<string> free, bool isOptional)
    {
        // A column for the join's condition must not have the name of one that is an expression over outer tables now.
        var columns = new ProjectionList(
            select.Alias!, select.Projection.Where(projection => !Correlation.Refers(projection.Expression, free)),
            [.. select.Projection.Select(static projection => projection.Alias)]);
        var outward = Outward(select, columns);
        var conditions = correlated.Select(condition => outward.Of(condition)!).ToList();
        var substitutions = new Dictionary<string, SqlExpression>();
        var marker = (SqlExpression?)null;
        foreach (var projection in select.Projection.Where(projection => Correlation.Refers(projection.Expression, free)))
        {
            if (isOptional && (marker ??= Marker(select, columns)) is null)
                return null;
            substitutions[projection.Alias] = Found(marker, outward.Of(projection.Expression)!);
        }

        // A table has a column.
        if (columns.Projections.Count == 0)
            columns.Add(factory.Constant(1, mappings.FindMapping(typeof(int))), "empty");
        return new(
            Select(select.Alias, select.Tables, select.Predicate, [], null, columns.Projections, false, [], null, null), [], [], conditions, substitutions);
    }

    // Elements of JSON: their table may read outer tables where it stands.
    private Lifted? LiftJson(SelectExpression select, JsonTableExpression json, bool isOptional)
    {
        if (select.IsDistinct || select.GroupBy.Count > 0 || Correlation.HasRanks(select))
            return null;
        var position = Position(json);
        var conditions = Correlation.Conjuncts(select.Predicate);
        if (select.Limit is not null || select.Offset is not null)
        {
            // The first elements are known by their positions.
            if (conditions.Count > 0
                || select.Orderings is not ([] or [{ IsAscending: true, Expression: ColumnExpression { Name: JsonTableExpression.OrdinalityName } }]))
                return null;
            conditions.AddRange(Ranks(position, select));
        }

        var substitutions = select.Projection.ToDictionary(
            static projection => projection.Alias,
            projection => !isOptional ? projection.Expression
                : projection.Expression is ColumnExpression column ? column.MakeNullable()
                : Found(position.MakeNullable(), projection.Expression));
        return new(json, [], [], conditions, substitutions);
    }

    // ---------------------------------------------------------------- rows that depend on each other

    private Lifted? LiftParts(SelectExpression select, List<SqlExpression> correlated, HashSet<string> free, Scope scope)
    {
        if (select.Projection.Any(projection => Correlation.Refers(projection.Expression, free)))
            return null;
        var (equalities, others) = (new List<(SqlExpression Inner, SqlExpression Outer)>(), new List<SqlExpression>());
        foreach (var condition in correlated)
        {
            if (Correlation.FreeAliases(condition).IsSubsetOf(free))
                others.Add(condition);
            else if (Equalities.Of(condition, free) is { } equality && Equalities.AreSamePart(equality.Inner, equality.Outer, select, scope))
                equalities.Add((Equalities.Hide(equality.Inner, factory), equality.Outer));
            else
                return null;
        }

        if (equalities.Count == 0)
            return new(select, [], [], others, []);
        var hasParts = select.IsDistinct || select.GroupBy.Count > 0;
        if (select.Limit is null && select.Offset is null)
        {
            // The rows of each key are numbered on their own.
            var columns = new ProjectionList(select.Alias!, select.Projection.Select(projection => projection.Expression is RowNumberExpression rank
                ? new ProjectionExpression(
                    rank.Update(
                        [.. rank.Partitions.Select(one => Equalities.Hide(one, factory)), .. equalities.Select(static equality => equality.Inner)],
                        rank.Orderings),
                    projection.Alias)
                : projection));
            var keys = equalities.Select(equality => ((SqlExpression)columns.Add(equality.Inner, KeyName), equality.Outer)).ToList();
            return new(
                Select(
                    select.Alias, select.Tables, select.Predicate, Groups(select, equalities), select.Having, columns.Projections, select.IsDistinct, [], null,
                    null),
                keys, [], others, []);
        }

        return hasParts ? RankParts(select, equalities, others) : RankRows(select, equalities, others);
    }

    private Lifted RankRows(
        SelectExpression select, List<(SqlExpression Inner, SqlExpression Outer)> equalities, List<SqlExpression> others)
    {
        var columns = new ProjectionList(select.Alias!, select.Projection);
        var keys = equalities.Select(equality => ((SqlExpression)columns.Add(equality.Inner, KeyName), equality.Outer)).ToList();
        var orderings = Total(select);
        if (orderings.Count == 0)
            orderings.AddRange(equalities.Select(static equality => new OrderingExpression(equality.Inner, ascending: true)));
        var rank = columns.Add(Rank(equalities.Select(static equality => equality.Inner), orderings), RankName);
        return new(
            Select(select.Alias, select.Tables, select.Predicate, [], null, columns.Projections, false, [], null, null), keys, [.. Ranks(rank, select)],
            others, []);
    }

    // The rank of a group or of a distinct row: of a table that has made them.
    private Lifted? RankParts(
        SelectExpression select, List<(SqlExpression Inner, SqlExpression Outer)> equalities, List<SqlExpression> others)
    {
        var alias = aliases.GenerateTableAlias("t");
        var inner = new ProjectionList(alias, select.Projection);
        var outer = new ProjectionList(
            select.Alias!, select.Projection.Select(projection => new ProjectionExpression(inner.Column(projection), projection.Alias)));
        var partitions = equalities.Select(equality => inner.Add(equality.Inner, KeyName)).ToList();
        var orderings = new List<OrderingExpression>();
        foreach (var ordering in select.Orderings)
        {
            if (select.IsDistinct && !select.Projection.Any(projection => projection.Expression.Equals(ordering.Expression)))
                return null;
            orderings.Add(ordering.Update(inner.Add(ordering.Expression, "order")));
        }

        // Rows of equal rank are told apart by all their columns.
        orderings.AddRange(
            inner.Projections.Select(inner.Column).Where(column => !orderings.Any(ordering => ordering.Expression.Equals(column)))
                .Select(static column => new OrderingExpression(column, ascending: true)));
        var keys = equalities.Zip(partitions, (equality, partition) => ((SqlExpression)outer.Add(partition, KeyName), equality.Outer)).ToList();
        var rank = outer.Add(Rank(partitions, orderings), RankName);
        var table = Select(
            alias, select.Tables, select.Predicate, Groups(select, equalities), select.Having, inner.Projections, select.IsDistinct, [], null, null);
        return new(
            Select(select.Alias, [table], null, [], null, outer.Projections, false, [], null, null), keys, [.. Ranks(rank, select)], others, []);
    }

    private static List<SqlExpression> Groups(SelectExpression select, List<(SqlExpression Inner, SqlExpression Outer)> equalities) =>
        select.GroupBy.Count == 0
            ? []
            : [.. select.GroupBy, .. equalities.Select(static equality => equality.Inner).Distinct().Where(key => !select.GroupBy.Contains(key))];

    private RowNumberExpression Rank(IEnumerable<SqlExpression> partitions, List<OrderingExpression> orderings) =>
        new(partitions.Distinct().ToList(), orderings, mappings.FindMapping(typeof(long)));

    // The order of a select, and the keys of its tables behind it, so that no two rows have the same rank.
    private List<OrderingExpression> Total(SelectExpression select)
    {
        var orderings = select.Orderings.ToList();
        foreach (var table in select.Tables.Select(Correlation.Unwrap))
        {
            IEnumerable<ColumnExpression> keys = table switch
            {
                TableExpression one => Domain.KeyOf(one) ?? [],
                SelectExpression derived => derived.Projection.Select(new ProjectionList(derived.Alias!, []).Column),
                JsonTableExpression json => [Position(json)],
                _ => [],
            };
            orderings.AddRange(keys.Where(key => !orderings.Any(ordering => IsColumn(ordering.Expression, key))).ToList()
                .ConvertAll(static key => new OrderingExpression(key, ascending: true)));
        }

        orderings.AddRange(
            select.Projection.Where(projection => !orderings.Any(ordering => ordering.Expression.Equals(projection.Expression)))
                .Select(static projection => new OrderingExpression(projection.Expression, ascending: true)).ToList());
        return orderings;
    }

    private ColumnExpression Position(JsonTableExpression json) =>
        new(JsonTableExpression.OrdinalityName, json.Alias, typeof(int), mappings.FindMapping(typeof(int)), nullable: false);

    private static bool IsColumn(SqlExpression expression, ColumnExpression column) =>
        expression is ColumnExpression one && one.TableAlias == column.TableAlias && one.Name == column.Name;

    private IEnumerable<SqlExpression> Ranks(SqlExpression rank, SelectExpression select)
    {
        var offset = select.Offset is { } skipped ? RowCounts.NotNegative(factory, skipped) : null;
        if (offset is not null)
            yield return factory.GreaterThan(rank, offset);
        if (select.Limit is { } limit)
            yield return factory.LessThanOrEqual(rank, offset is not null ? factory.Add(offset, limit) : limit);
    }

    // ---------------------------------------------------------------- conditions

    // The conditions of WHERE, and those of inner joins on outer tables.
    private (List<TableExpressionBase> Tables, List<SqlExpression> Conditions) JoinConditions(SelectExpression select, HashSet<string> free)
    {
        var conditions = Correlation.Conjuncts(select.Predicate);
        var tables = new List<TableExpressionBase>();
        foreach (var table in select.Tables)
        {
            // EF Core takes two NULLs for equal, but not in the only equality of a join.
            if (table is not InnerJoinExpression { Table: not JsonTableExpression } join || !Correlation.Refers(join.JoinPredicate, free)
                || (join.JoinPredicate is SqlBinaryExpression { OperatorType: ExpressionType.Equal } equal
                    && IsNullable(equal.Left) && IsNullable(equal.Right)))
            {
                tables.Add(table);
                continue;
            }

            var own = Correlation.Conjuncts(join.JoinPredicate);
            conditions.AddRange(own.Where(condition => Correlation.Refers(condition, free)));
            var rest = own.Where(condition => !Correlation.Refers(condition, free)).Aggregate((SqlExpression?)null, And);
            tables.Add(rest is null ? new CrossJoinExpression(join.Table) : join.Update(join.Table, JoinPredicate(rest)));
        }

        return (tables, conditions);
    }

    // EF Core's processing of NULL takes some operators only as the condition of a join, and compares two NULLs in another way if it is one equality.
    public SqlExpression JoinPredicate(SqlExpression predicate)
    {
        var truth = factory.Constant(true, mappings.FindMapping(typeof(bool)));
        return predicate is SqlBinaryExpression { OperatorType: ExpressionType.AndAlso }
            ? predicate
            : new SqlBinaryExpression(ExpressionType.AndAlso, predicate, truth, typeof(bool), truth.TypeMapping);
    }

    // ---------------------------------------------------------------- parts of selects

    // Columns of the subquery's tables become columns of the table that it is.
    private static ColumnReplacement Outward(SelectExpression select, ProjectionList columns)
    {
        var own = select.Tables.Select(static table => Correlation.Unwrap(table).Alias).ToHashSet();
        return new(column => own.Contains(column.TableAlias) ? columns.Add(column, column.Name) : null);
    }

    private static ColumnExpression? Marker(SelectExpression select, ProjectionList columns)
    {
        if (columns.Projections.FirstOrDefault(static one => one.Expression is ColumnExpression { IsNullable: false }) is { } projection)
            return columns.Column(projection).MakeNullable();
        return select.Tables is [TableExpression table, ..] && Domain.KeyOf(table) is [var key, ..] ? columns.Add(key, KeyName).MakeNullable() : null;
    }

    private SqlExpression Found(SqlExpression? marker, SqlExpression expression) =>
        marker is null ? expression : factory.Case([new CaseWhenClause(factory.IsNotNull(marker), expression)], null);

    private SelectExpression Select(
        string? alias, IReadOnlyList<TableExpressionBase> tables, SqlExpression? predicate, IReadOnlyList<SqlExpression> groupBy, SqlExpression? having,
        IReadOnlyList<ProjectionExpression> projections, bool isDistinct, IReadOnlyList<OrderingExpression> orderings, SqlExpression? offset,
        SqlExpression? limit) =>
        new(alias, tables, predicate, groupBy, having, projections, isDistinct, orderings, offset, limit, aliases);
}
