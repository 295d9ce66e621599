using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Query;
using Slipstream.MySql.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Temporal;

/// <summary>Follows navigations from entities of the past: to others of the same moment.</summary>
internal sealed class TemporalNavigations(NavigationExpansionExtensibilityHelperDependencies dependencies)
    : NavigationExpansionExtensibilityHelper(dependencies)
{
    public override EntityQueryRootExpression CreateQueryRoot(IEntityType entityType, EntityQueryRootExpression? source)
    {
        if (source is not TemporalQueryRootExpression { Operation: var operation })
            return base.CreateQueryRoot(entityType, source);
        return source.QueryProvider is { } provider
            ? new TemporalQueryRootExpression(provider, entityType, operation)
            : new TemporalQueryRootExpression(entityType, operation);
    }

    public override void ValidateQueryRootCreation(IEntityType entityType, EntityQueryRootExpression? source)
    {
        if (source is TemporalQueryRootExpression { Operation: var operation } && !IsInTableOfOwner(entityType))
        {
            if (!AreTemporal(entityType))
                throw new InvalidOperationException(
                    $"The query follows a navigation from a temporal entity type in the past to '{entityType.DisplayName()}', which is not temporal. Call "
                        + "IsTemporal for it, too, or join it with the present explicitly.");
            if (operation.Kind != TemporalKind.AsOf)
                throw new InvalidOperationException(
                    $"The query follows a navigation to '{entityType.DisplayName()}' from versions of several moments. Only TemporalAsOf gives the other "
                        + "end a moment: use it, or join by the periods explicitly.");
        }

        base.ValidateQueryRootCreation(entityType, source);
    }

    public override bool AreQueryRootsCompatible(EntityQueryRootExpression? first, EntityQueryRootExpression? second)
    {
        if (!base.AreQueryRootsCompatible(first, second))
            return false;
        if ((first as TemporalQueryRootExpression)?.Operation == (second as TemporalQueryRootExpression)?.Operation)
            return true;
        throw new InvalidOperationException(
            $"The query combines sets of '{(first ?? second)!.EntityType.DisplayName()}' of different moments, so the moment of what their navigations lead to "
                + "is unknown. Select properties before the sets are combined, or load them with two queries.");
    }

    // The versions of the owner's table have its columns.
    private static bool IsInTableOfOwner(IEntityType type) => type.IsMappedToJson()
        || (type.FindOwnership()?.PrincipalEntityType.GetTableMappings().FirstOrDefault()?.Table is { } table
            && type.GetTableMappings().FirstOrDefault()?.Table == table);

    private static bool AreTemporal(IEntityType type) =>
        type.GetTableMappings().Any() && type.GetTableMappings().All(static mapping => TemporalTable.Of(mapping.Table) is not null);
}
