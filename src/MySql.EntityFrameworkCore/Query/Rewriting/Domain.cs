using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

#pragma warning disable EF1001 // the constructors of a select of known parts have no public counterpart

/// <summary>
/// Repeats outer tables inside a subquery that reads them: SELECT … WHERE f(outer) becomes SELECT … FROM outer AS o, … WHERE f(o) AND o.key = outer.key,
/// which is the same, and whose only condition on the outer tables is an equality.
/// </summary>
internal sealed class Domain(ISqlExpressionFactory factory, IRelationalTypeMappingSource mappings, SqlAliasManager aliases)
{
    /// <summary>Returns the columns that tell the rows of a table apart, or null if it has none: the primary key, and the end of a version.</summary>
    public static List<ColumnExpression>? KeyOf(TableExpression table)
    {
        var key = (table.Table as ITable)?.PrimaryKey?.Columns.Select(column => KeyColumn(column, column.Name, table.Alias)).ToList();
        if (key is not null && TemporalOperation.HasVersions(table))
        {
            var end = TemporalTable.Of(table.Table)!.EndColumn;
            key.Add(KeyColumn((IColumn)table.Table.FindColumn(end)!, end, table.Alias));
        }

        return key;
    }

    /// <summary>Returns the subquery with the outer tables of some aliases in it, or null if it is not certain that this is the same.</summary>
    public SelectExpression? Bind(SelectExpression select, HashSet<string> outerAliases, Scope scope)
    {
        if (Correlation.IsOneRow(select) || select.Tables.Any(static table => table is RightJoinExpression))
            return null;
        var outer = new Copies(this, select, scope);
        foreach (var alias in outerAliases)
        {
            if (!outer.Add(alias))
                return null;
        }

        if (outer.Tables.Count == 0)
            return null;
        var replacement = new ColumnReplacement(outer.Column);
        var tables = outer.Tables.ToList();
        for (var index = 0; index < select.Tables.Count; index++)
        {
            var table = (TableExpressionBase)replacement.Visit(select.Tables[index]);
            tables.Add(index > 0 ? table : table is JsonTableExpression ? new CrossApplyExpression(table) : new CrossJoinExpression(table));
        }

        var predicate = outer.Keys.Select(key => (SqlExpression)factory.Equal(key.Inner, key.Outer)).Concat(outer.Conditions())
            .Concat(Correlation.Conjuncts(replacement.Of(select.Predicate))).Aggregate(factory.AndAlso);
        var (groupBy, having, projection) = (replacement.Of(select.GroupBy), replacement.Of(select.Having), replacement.Of(select.Projection));
        if (groupBy.Count > 0)
        {
            // The key, which is a group, determines the other columns of its row. HAVING knows columns of groups only.
            var copies = outer.Tables.Select(static table => Correlation.Unwrap(table).Alias!).ToHashSet(StringComparer.Ordinal);
            var read = new[] { having }.Concat(projection.Select(static one => one.Expression)).SelectMany(one => Correlation.ColumnsOf(one, copies.Contains));
            groupBy.AddRange(read.Distinct().Where(column => !groupBy.Contains(column)).ToList());
        }

        return new SelectExpression(
            select.Alias, tables, predicate, groupBy, having, projection,
            select.IsDistinct, replacement.Of(select.Orderings), replacement.Of(select.Offset), replacement.Of(select.Limit), aliases);
    }

    private ColumnExpression Position(string alias, bool isNullable) =>
        new(JsonTableExpression.OrdinalityName, alias, typeof(int), mappings.FindMapping(typeof(int)), isNullable);

    private string NewAlias(string name) => aliases.GenerateTableAlias(name);

    private static ColumnExpression KeyColumn(IColumn column, string name, string alias)
    {
        var mapping = column.PropertyMappings[0];
        var type = mapping.Property.ClrType;
        return new(name, alias, Nullable.GetUnderlyingType(type) ?? type, mapping.TypeMapping, nullable: false);
    }

    /// <summary>The copies of outer tables for one subquery.</summary>
    private sealed class Copies(Domain domain, SelectExpression select, Scope scope)
    {
        private readonly Dictionary<string, (string Alias, Func<string, string?> Name)> _copies = new(StringComparer.Ordinal);
        private readonly List<Scope> _scopes = [];

        // The outer tables that are read by the subquery or by copies.
        private readonly List<Expression> _readers = [select];

        public List<TableExpressionBase> Tables { get; } = [];

        public List<(ColumnExpression Inner, ColumnExpression Outer)> Keys { get; } = [];

        public ColumnExpression? Column(ColumnExpression column) =>
            _copies.TryGetValue(column.TableAlias, out var copy) && copy.Name(column.Name) is { } name
            ? new(name, copy.Alias, column.Type, column.TypeMapping, column.IsNullable)
            : null;

        public bool Add(string alias)
        {
            if (_copies.ContainsKey(alias))
                return true;
            if (scope.Find(alias) is not { } found || (found.IsOptional && !NeedsRow(alias)))
                return false;
            if (!_scopes.Contains(found.Scope))
                _scopes.Add(found.Scope);
            return found.Table switch
            {
                TableExpression table => AddTable(alias, table, KeyNames(table), found.IsOptional),
                SelectExpression derived => AddDerived(alias, derived, found.IsOptional),
                JsonTableExpression json => AddJson(alias, json, found.IsOptional),
                _ => false,
            };
        }

        /// <summary>Returns the conditions of the outer selects on the copied tables alone: rows that fail them are not asked for.</summary>
        public IEnumerable<SqlExpression> Conditions()
        {
            var replacement = new ColumnReplacement(Column);
            var copied = _copies.Keys.ToHashSet(StringComparer.Ordinal);
            foreach (var one in _scopes.Where(static one => !one.Tables.Any(static table => table is RightJoinExpression)))
            {
                var conditions = Correlation.Conjuncts(one.Predicate).Concat(
                    one.Tables.OfType<InnerJoinExpression>().SelectMany(static join => Correlation.Conjuncts(join.JoinPredicate)));
                foreach (var condition in conditions.Where(IsPlain))
                {
                    if (Correlation.FreeAliases(condition) is { Count: > 0 } read && read.IsSubsetOf(copied))
                        yield return replacement.Of(condition)!;
                }
            }
        }

        private static bool IsPlain(SqlExpression expression) => expression switch
        {
            ColumnExpression or SqlConstantExpression or SqlParameterExpression => true,
            SqlBinaryExpression binary => IsPlain(binary.Left) && IsPlain(binary.Right),
            SqlUnaryExpression unary => IsPlain(unary.Operand),
            _ => false,
        };

        private static List<(string Name, string Outer)>? KeyNames(TableExpression table) =>
            KeyOf(table)?.Select(static key => (key.Name, key.Name)).ToList();

        private bool AddTable(
            string alias, TableExpression table, List<(string Name, string Outer)>? keys, bool isOptional, Func<string, string?>? name = null)
        {
            if (keys is null || KeyOf(table) is not { } columns)
                return false;
            var copy = domain.NewAlias(table.Name);
            var one = table.WithAlias(copy);
            Tables.Add(Tables.Count == 0 ? one : new CrossJoinExpression(one));
            _copies[alias] = (copy, name ?? (static same => same));
            foreach (var (inner, outer) in keys)
            {
                var key = columns.First(column => column.Name == inner);
                Keys.Add((
                    new(inner, copy, key.Type, key.TypeMapping, nullable: false), new(outer, alias, key.Type, key.TypeMapping, isOptional)));
            }

            return true;
        }

        // A derived table passes on columns of a table of the database, and its key.
        private bool AddDerived(string alias, SelectExpression derived, bool isOptional)
        {
            var names = _readers.SelectMany(reader => Correlation.ColumnsOf(reader, one => one == alias)).Select(static column => column.Name)
                .ToHashSet(StringComparer.Ordinal);
            if (names.Count == 0 || Scope.Trace(derived, names.First()) is not { } first)
                return false;
            var traced = new Dictionary<string, string>(StringComparer.Ordinal);
            foreach (var projection in derived.Projection)
            {
                if (Scope.Trace(derived, projection.Alias) is { } one && ReferenceEquals(one.Table, first.Table))
                    traced[projection.Alias] = one.Name;
            }

            if (!names.All(traced.ContainsKey) || KeyOf(first.Table) is not { } columns)
                return false;
            var keys = new List<(string Name, string Outer)>();
            foreach (var column in columns)
            {
                if (traced.FirstOrDefault(pair => pair.Value == column.Name).Key is not { } outer)
                    return false;
                keys.Add((column.Name, outer));
            }

            return AddTable(alias, first.Table, keys, isOptional, traced.GetValueOrDefault);
        }

        // The elements of a document: the document's row, and the element's position.
        private bool AddJson(string alias, JsonTableExpression json, bool isOptional)
        {
            _readers.Add(json);
            if (!Correlation.FreeAliases(json).All(Add))
                return false;
            var copy = domain.NewAlias(alias);
            var table = json.Clone(copy, new ColumnReplacement(Column));
            Tables.Add(Tables.Count == 0 ? table : new CrossApplyExpression(table));
            _copies[alias] = (copy, static name => name);
            Keys.Add((domain.Position(copy, isNullable: false), domain.Position(alias, isOptional)));
            return true;
        }

        // Without a row of an optional table, all its columns are NULL, and then the subquery must have no rows.
        private bool NeedsRow(string alias)
        {
            bool IsColumn(SqlExpression expression) => expression is ColumnExpression column && column.TableAlias == alias;
            if (select.Tables is [JsonTableExpression { Json: var document }, ..] && IsColumn(document is JsonScalarExpression scalar ? scalar.Json : document))
                return true;
            return Correlation.Conjuncts(select.Predicate).Any(condition => condition switch
            {
                SqlBinaryExpression { OperatorType: ExpressionType.Equal } equal =>
                    (IsColumn(equal.Left) && IsValue(equal.Right)) || (IsColumn(equal.Right) && IsValue(equal.Left)),
                SqlBinaryExpression
                {
                    OperatorType: ExpressionType.LessThan or ExpressionType.LessThanOrEqual or ExpressionType.GreaterThan or ExpressionType.GreaterThanOrEqual,
                } comparison => IsColumn(comparison.Left) || IsColumn(comparison.Right),
                SqlUnaryExpression { OperatorType: ExpressionType.NotEqual } isNotNull => IsColumn(isNotNull.Operand),
                _ => false,
            });
        }

        private static bool IsValue(SqlExpression expression) =>
            expression is ColumnExpression { IsNullable: false } or SqlConstantExpression { Value: not null };
    }

}
