using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

#pragma warning disable EF1001 // the constructors of a select of known parts have no public counterpart

/// <content>
/// Set operations: if each operand has the key as one more column, rows of different keys never meet, so the operation of all rows consists of the operations
/// of each key.
/// </content>
internal sealed partial class Lifting
{
    private (SetOperationBase Operation, List<(SqlExpression Inner, SqlExpression Outer)> Keys)? LiftOperation(
        SetOperationBase operation, Scope scope, Func<SelectExpression, HashSet<string>, SelectExpression?> bind)
    {
        if (LiftOperand(operation.Source1, scope, bind) is { } left && LiftOperand(operation.Source2, scope, bind) is { } right
            && Paired(left, right) is { } pairs)
            return Combine(operation, left, right, pairs);
        var free = Correlation.FreeAliases(operation);
        return bind(operation.Source1, free) is { } boundLeft && bind(operation.Source2, free) is { } boundRight
            && LiftOperand(boundLeft, scope, bind) is { } first && LiftOperand(boundRight, scope, bind) is { } second
            && Paired(first, second) is { } keys
                ? Combine(operation, first, second, keys)
                : null;
    }

    private Lifted? LiftOperand(SelectExpression operand, Scope scope, Func<SelectExpression, HashSet<string>, SelectExpression?> bind)
    {
        if (Correlation.FreeAliases(operand).Count == 0)
            return null;
        var alias = aliases.GenerateTableAlias("t");
        return Lift(operand.WithAlias(alias), isOptional: false, isGrouped: false, scope, bind) is { Table: SelectExpression table } lifted
            && lifted.Substitutions.Count == 0 && KeysOf(lifted, table, scope) is { } same
            ? same
            : null;
    }

    // Conditions that are equalities are the keys of an operand.
    private static Lifted? KeysOf(Lifted lifted, SelectExpression table, Scope scope)
    {
        var keys = lifted.Keys.ToList();
        foreach (var condition in lifted.OtherConditions)
        {
            if (condition is not SqlBinaryExpression { OperatorType: ExpressionType.Equal } equal)
                return null;
            var (inner, outer) = equal.Left is ColumnExpression left && left.TableAlias == table.Alias ? (equal.Left, equal.Right) : (equal.Right, equal.Left);
            if (inner is not ColumnExpression column || column.TableAlias != table.Alias || Correlation.FreeAliases(outer).Contains(table.Alias!)
                || !Equalities.AreSamePart(table.Projection.First(projection => projection.Alias == column.Name).Expression, outer, table, scope))
                return null;
            keys.Add((inner, outer));
        }

        return lifted with { Keys = keys, OtherConditions = [] };
    }

    private static List<(SqlExpression Left, SqlExpression Right, SqlExpression Outer)>? Paired(Lifted left, Lifted right)
    {
        if (left.Keys.Count != right.Keys.Count)
            return null;
        var rest = right.Keys.ToList();
        var pairs = new List<(SqlExpression Left, SqlExpression Right, SqlExpression Outer)>();
        foreach (var (inner, outer) in left.Keys)
        {
            var index = rest.FindIndex(
                key => key.Outer.Equals(outer) && key.Inner.TypeMapping?.StoreType == inner.TypeMapping?.StoreType
                    && IsNullable(key.Inner) == IsNullable(inner));
            if (index < 0)
                return null;
            pairs.Add((inner, rest[index].Inner, outer));
            rest.RemoveAt(index);
        }

        return pairs;
    }

    public static bool IsNullable(SqlExpression expression) => expression is not ColumnExpression { IsNullable: false };

    private (SetOperationBase Operation, List<(SqlExpression Inner, SqlExpression Outer)> Keys) Combine(
        SetOperationBase operation, Lifted left, Lifted right, List<(SqlExpression Left, SqlExpression Right, SqlExpression Outer)> pairs)
    {
        var source1 = Operand(left, operation.Source1, pairs.Select(static pair => pair.Left));
        var source2 = Operand(right, operation.Source2, pairs.Select(static pair => pair.Right));
        var count = operation.Source1.Projection.Count;
        var list = new ProjectionList(operation.Alias!, []);
        var keys = pairs.Select((pair, index) => ((SqlExpression)list.Column(source1.Projection[count + index]), pair.Outer)).ToList();
        return (operation switch
        {
            UnionExpression union => union.Update(source1, source2),
            IntersectExpression intersect => intersect.Update(source1, source2),
            ExceptExpression except => except.Update(source1, source2),
            _ => throw new InvalidOperationException(operation.GetType().Name),
        }, keys);
    }

    // SELECT the operand's columns, the keys FROM what it was lifted to.
    private SelectExpression Operand(Lifted lifted, SelectExpression operand, IEnumerable<SqlExpression> keys)
    {
        var table = (SelectExpression)lifted.Table;
        var list = new ProjectionList(table.Alias!, []);
        var projections = operand.Projection
            .Select(projection => new ProjectionExpression(list.Column(table.Projection.First(one => one.Alias == projection.Alias)), projection.Alias))
            .ToList();
        foreach (var key in keys)
        {
            var name = KeyName;
            for (var number = 0; projections.Any(projection => string.Equals(projection.Alias, name, StringComparison.OrdinalIgnoreCase)); number++)
                name = KeyName + number;
            projections.Add(new(key, name));
        }

        return Select(null, [table], lifted.OwnConditions.Aggregate((SqlExpression?)null, And), [], null, projections, false, [], null, null);
    }
}
