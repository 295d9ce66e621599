using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore;

/// <summary>Sets the options of a table that apply to MariaDB.</summary>
public static class MySqlTableBuilderExtensions
{
    /// <summary>Lets MariaDB keep the earlier versions of the table's rows: WITH SYSTEM VERSIONING.</summary>
    /// <param name="tableBuilder">The builder of the table.</param>
    /// <param name="temporal">Whether it keeps them.</param>
    /// <returns>A builder of the period.</returns>
    public static MySqlTemporalTableBuilder IsTemporal(this TableBuilder tableBuilder, bool temporal = true)
    {
        ArgumentNullException.ThrowIfNull(tableBuilder);
        tableBuilder.Metadata.SetAnnotation(MySqlAnnotationNames.IsTemporal, temporal);
        var entityType = ((IInfrastructure<EntityTypeBuilder>)tableBuilder).Instance;
        return new(tableBuilder.Metadata, entityType.Property<DateTime>);
    }

    /// <summary>Lets MariaDB keep the earlier versions of the table's rows: WITH SYSTEM VERSIONING.</summary>
    /// <param name="tableBuilder">The builder of the table.</param>
    /// <param name="buildAction">Sets the period.</param>
    /// <returns>The builder.</returns>
    public static TableBuilder IsTemporal(this TableBuilder tableBuilder, Action<MySqlTemporalTableBuilder> buildAction)
    {
        ArgumentNullException.ThrowIfNull(buildAction);
        buildAction(IsTemporal(tableBuilder));
        return tableBuilder;
    }

    /// <summary>Lets MariaDB keep the earlier versions of the rows of an owned type's own table: WITH SYSTEM VERSIONING.</summary>
    /// <param name="tableBuilder">The builder of the table.</param>
    /// <param name="temporal">Whether it keeps them.</param>
    /// <returns>A builder of the period.</returns>
    public static MySqlTemporalTableBuilder IsTemporal(this OwnedNavigationTableBuilder tableBuilder, bool temporal = true)
    {
        ArgumentNullException.ThrowIfNull(tableBuilder);
        tableBuilder.Metadata.SetAnnotation(MySqlAnnotationNames.IsTemporal, temporal);
        var navigation = ((IInfrastructure<OwnedNavigationBuilder>)tableBuilder).Instance;
        return new(tableBuilder.Metadata, navigation.Property<DateTime>);
    }

    /// <summary>Lets MariaDB keep the earlier versions of the rows of an owned type's own table: WITH SYSTEM VERSIONING.</summary>
    /// <param name="tableBuilder">The builder of the table.</param>
    /// <param name="buildAction">Sets the period.</param>
    /// <returns>The builder.</returns>
    public static OwnedNavigationTableBuilder IsTemporal(this OwnedNavigationTableBuilder tableBuilder, Action<MySqlTemporalTableBuilder> buildAction)
    {
        ArgumentNullException.ThrowIfNull(buildAction);
        buildAction(IsTemporal(tableBuilder));
        return tableBuilder;
    }
}
