using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore.Metadata.Builders;

/// <summary>Sets the period of a temporal table: the two columns in which MariaDB stores when a version of a row began and ended.</summary>
public sealed class MySqlTemporalTableBuilder
{
    private readonly IMutableEntityType _entityType;
    private readonly Func<string, PropertyBuilder<DateTime>> _property;

    internal MySqlTemporalTableBuilder(IMutableEntityType entityType, Func<string, PropertyBuilder<DateTime>> property) =>
        (_entityType, _property) = (entityType, property);

    /// <summary>Sets the property for the moment from which a version is the current one, in UTC. Default: a shadow property PeriodStart.</summary>
    /// <param name="propertyName">The name of the property, which may be a property of the class.</param>
    /// <returns>A builder of the property.</returns>
    public MySqlTemporalPeriodPropertyBuilder HasPeriodStart(string propertyName) => Set(MySqlAnnotationNames.PeriodStartPropertyName, propertyName);

    /// <summary>Sets the property for the moment until which a version was the current one, in UTC. Default: a shadow property PeriodEnd.</summary>
    /// <param name="propertyName">The name of the property, which may be a property of the class.</param>
    /// <returns>A builder of the property.</returns>
    public MySqlTemporalPeriodPropertyBuilder HasPeriodEnd(string propertyName) => Set(MySqlAnnotationNames.PeriodEndPropertyName, propertyName);

    private MySqlTemporalPeriodPropertyBuilder Set(string annotation, string propertyName)
    {
        ArgumentException.ThrowIfNullOrEmpty(propertyName);
        _entityType.SetAnnotation(annotation, propertyName);
        return new(_property(propertyName));
    }
}

/// <summary>Sets a column of the period of a temporal table.</summary>
public sealed class MySqlTemporalPeriodPropertyBuilder
{
    private readonly PropertyBuilder<DateTime> _property;

    internal MySqlTemporalPeriodPropertyBuilder(PropertyBuilder<DateTime> property) => _property = property;

    /// <summary>Sets the name of the column.</summary>
    /// <param name="name">The name. Default: that of the property.</param>
    /// <returns>The builder.</returns>
    public MySqlTemporalPeriodPropertyBuilder HasColumnName(string name)
    {
        _property.HasColumnName(name);
        return this;
    }
}
