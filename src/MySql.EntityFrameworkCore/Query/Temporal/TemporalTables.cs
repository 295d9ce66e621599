using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Temporal;

/// <summary>Marks the tables of a query from which it reads the past.</summary>
internal static class TemporalTables
{
    public static TemporalOperation? OperationOf(TableExpressionBase table) => table.FindAnnotation(TemporalOperation.Annotation)?.Value as TemporalOperation;

    /// <summary>Marks all tables of a select that an entity type was translated to.</summary>
    public static SelectExpression Mark(SelectExpression select, IEntityType type, TemporalOperation operation) =>
        (SelectExpression)new Marker(table => TemporalTable.Of(table.Table) is not null
            ? operation
            : throw new InvalidOperationException(
                $"The entity type '{type.DisplayName()}' is not temporal: the table '{table.Name}' has no earlier versions. Call IsTemporal for it."))
            .Visit(select);

    /// <summary>
    /// Marks the tables of owned types, which EF Core joins without asking: they are of the same moment as their owners. Refuses what would give wrong answers.
    /// </summary>
    public static Expression Complete(Expression query, QueryTrackingBehavior? tracking)
    {
        var tables = new Collector();
        tables.Visit(query);
        if (tables.All.TrueForAll(static table => OperationOf(table) is null))
            return query;
        if (tracking is QueryTrackingBehavior.TrackAll or QueryTrackingBehavior.NoTrackingWithIdentityResolution
            && tables.All.Exists(static table => OperationOf(table) is { Kind: not TemporalKind.AsOf }))
            throw new InvalidOperationException(
                "The query reads several versions of an entity, and identity resolution would make one object of them. Remove AsTracking and "
                    + "AsNoTrackingWithIdentityResolution.");
        return new Marker(table => OfOwner(table, tables.All)).Visit(query);
    }

    private static TemporalOperation? OfOwner(TableExpression table, List<TableExpression> all)
    {
        if (table.Table.EntityTypeMappings.FirstOrDefault()?.TypeBase is not IEntityType type || type.FindOwnership() is null)
            return null;
        var root = type;
        while (root.FindOwnership() is { } ownership)
            root = ownership.PrincipalEntityType;
        var owners = root.GetTableMappings().Select(static mapping => mapping.Table).ToList();
        if (owners.Contains(table.Table))
            return null;
        var operations = all.Where(one => owners.Contains(one.Table)).Select(OperationOf).Distinct().ToList();
        return operations switch
        {
            [null] => null,
            [{ Kind: TemporalKind.AsOf } moment] when TemporalTable.Of(table.Table) is not null => moment,
            _ => throw new InvalidOperationException(
                $"The query reads '{root.DisplayName()}' in the past, and '{type.DisplayName()}', which it owns, from the table '{table.Name}'. That works if "
                    + "both are temporal, and everything that the query reads of the owner is of one moment, by TemporalAsOf."),
        };
    }

    private sealed class Marker(Func<TableExpression, TemporalOperation?> operationOf) : QueryRewriter
    {
        protected override Expression VisitExtension(Expression node) =>
            node is TableExpression table && OperationOf(table) is null && operationOf(table) is { } operation
                ? table.AddAnnotation(TemporalOperation.Annotation, operation)
                : base.VisitExtension(node);
    }

    private sealed class Collector : QueryRewriter
    {
        public List<TableExpression> All { get; } = [];

        protected override Expression VisitExtension(Expression node)
        {
            if (node is TableExpression table)
                All.Add(table);
            return base.VisitExtension(node);
        }
    }
}
