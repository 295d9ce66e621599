using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>
/// The assignments of an UPDATE. The servers assign from left to right, and an expression sees what was assigned before it (MySQL Reference Manual, "UPDATE
/// Statement"). In LINQ, every expression sees the old values.
/// </summary>
internal sealed class Assignments
{
    private Assignments(IReadOnlyList<ColumnValueSetter> setters, string? oldAlias) => (Setters, OldAlias) = (setters, oldAlias);

    /// <summary>The assignments, in an order in which each expression reads old values.</summary>
    public IReadOnlyList<ColumnValueSetter> Setters { get; }

    /// <summary>The alias of the table a second time, joined by its key, whose columns have the old values; null if it is not needed.</summary>
    public string? OldAlias { get; }

    /// <summary>Orders the assignments of a statement.</summary>
    /// <exception cref="InvalidOperationException">The columns depend on each other in a circle, and the table has no key to join it by.</exception>
    public static Assignments Of(UpdateExpression update)
    {
        var alias = update.Table.Alias;
        var rest = update.ColumnValueSetters.Select(setter => (Setter: setter, Reads: Reads(setter.Value, alias))).ToList();
        var ordered = new List<ColumnValueSetter>(rest.Count);
        while (rest.Count > 0)
        {
            // The first one whose column no other expression still has to read.
            var next = rest.FindIndex(one => rest.TrueForAll(other => other.Setter == one.Setter || !other.Reads.Contains(one.Setter.Column.Name)));
            if (next < 0)
                return WithOldValues(update);
            ordered.Add(rest[next].Setter);
            rest.RemoveAt(next);
        }

        return new(ordered, null);
    }

    /// <summary>The columns of the table's key.</summary>
    public static IReadOnlyList<string> Key(TableExpression table) =>
        (table.Table as ITable)?.PrimaryKey?.Columns.Select(static column => column.Name).ToList() ?? [];

    // a = b, b = a.
    private static Assignments WithOldValues(UpdateExpression update)
    {
        if (Key(update.Table).Count == 0)
            throw new InvalidOperationException(
                $"ExecuteUpdate sets columns of '{update.Table.Name}' to each other's values. Servers assign one after the other, and the table has no primary "
                    + "key by which it could be joined with its old values. Set the columns in two statements.");
        var old = update.Table.Alias + "_old";
        var assigned = update.ColumnValueSetters.Select(static setter => setter.Column.Name).ToHashSet();
        var visitor = new OldColumns(update.Table.Alias, old, assigned);
        return new(
            update.ColumnValueSetters.Select(setter => setter with { Value = (SqlExpression)visitor.Visit(setter.Value) }).ToList(), old);
    }

    private static HashSet<string> Reads(SqlExpression value, string alias)
    {
        var visitor = new ColumnsOf(alias);
        visitor.Visit(value);
        return visitor.Names;
    }

    private sealed class ColumnsOf(string alias) : ExpressionVisitor
    {
        public HashSet<string> Names { get; } = [];

        protected override Expression VisitExtension(Expression node)
        {
            if (node is not ColumnExpression column)
                return base.VisitExtension(node);
            if (column.TableAlias == alias)
                Names.Add(column.Name);
            return node;
        }
    }

    private sealed class OldColumns(string alias, string oldAlias, HashSet<string> names) : ExpressionVisitor
    {
        protected override Expression VisitExtension(Expression node) =>
            node is ColumnExpression column
                ? column.TableAlias == alias && names.Contains(column.Name)
                    ? new ColumnExpression(column.Name, oldAlias, column.Type, column.TypeMapping, column.IsNullable)
                    : column
                : base.VisitExtension(node);
    }
}
