using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Temporal;

#pragma warning disable EF1001 // the constructor of a select with columns that tell its rows apart has no public counterpart

/// <summary>Marks the tables of a query from which it reads the past.</summary>
internal static class TemporalTables
{
    /// <summary>Returns whether a table, or one of a subquery's tables, is read in the past.</summary>
    public static bool ReadsPast(TableExpressionBase table) => table.UnwrapJoin() switch
    {
        SelectExpression select => select.Tables.Any(ReadsPast),
        var one => TemporalOperation.Of(one) is not null,
    };

    /// <summary>Creates the exception for a change of the past.</summary>
    public static InvalidOperationException PastIsFixed() =>
        new("The past cannot be changed: ExecuteUpdate and ExecuteDelete take sets of the present only.");

    /// <summary>Marks all tables of a select that an entity type was translated to.</summary>
    public static SelectExpression Mark(SelectExpression select, IEntityType type, TemporalOperation operation, SqlAliasManager aliases)
    {
        var marked = (SelectExpression)new Marker(table => TemporalTable.Of(table.Table) is not null
            ? operation
            : throw new InvalidOperationException(
                $"The entity type '{type.DisplayName()}' is not temporal: the table '{table.Name}' has no earlier versions. Call IsTemporal for it."))
            .Visit(select);
        return operation.Kind == TemporalKind.AsOf ? marked : WithVersionsAsRows(marked, type, aliases);
    }

    // EF Core tells the rows of a query apart by their primary keys. Versions of one row differ in their ends.
    private static SelectExpression WithVersionsAsRows(SelectExpression select, IEntityType type, SqlAliasManager aliases)
    {
        var root = type.GetRootType();
        if (root.FindPrimaryKey() is not { } key || root.FindProperty(root.GetPeriodEndPropertyName()!) is not { } end)
            return select;
        var projection = (StructuralTypeProjectionExpression)select.GetProjection(new(select, new ProjectionMember(), typeof(ValueBuffer)));
        var versions = new SelectExpression(
            [.. select.Tables], projection,
            [.. key.Properties.Append(end).Select(property => ((ColumnExpression)projection.BindProperty(property), property.GetKeyValueComparer()))], aliases);
        if (select.Predicate is { } predicate)
            versions.ApplyPredicate(predicate);
        return versions;
    }

    /// <summary>
    /// Marks the tables of owned types, which EF Core joins without asking: they are of the same moment as their owners. Refuses what would give wrong answers.
    /// </summary>
    public static Expression Complete(Expression query, QueryTrackingBehavior? tracking)
    {
        var tables = new Collector();
        tables.Visit(query);
        if (tables.All.TrueForAll(static table => TemporalOperation.Of(table) is null))
            return query;
        if (tracking is QueryTrackingBehavior.TrackAll or QueryTrackingBehavior.NoTrackingWithIdentityResolution
            && tables.All.Exists(TemporalOperation.HasVersions))
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
        var operations = all.Where(one => owners.Contains(one.Table)).Select(TemporalOperation.Of).Distinct().ToList();
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
            node is TableExpression table && TemporalOperation.Of(table) is null && operationOf(table) is { } operation
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
