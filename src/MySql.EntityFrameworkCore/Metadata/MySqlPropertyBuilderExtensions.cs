using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore;

/// <summary>Sets what MySQL and MariaDB know of a property.</summary>
public static partial class MySqlPropertyBuilderExtensions
{
    /// <summary>Lets AUTO_INCREMENT make the values.</summary>
    /// <param name="propertyBuilder">The builder of the property.</param>
    /// <returns>The builder.</returns>
    public static PropertyBuilder UseMySqlIdentityColumn(this PropertyBuilder propertyBuilder)
    {
        ArgumentNullException.ThrowIfNull(propertyBuilder);
        propertyBuilder.Metadata.SetValueGenerationStrategy(MySqlValueGenerationStrategy.IdentityColumn);
        return propertyBuilder.ValueGeneratedOnAdd();
    }

    /// <inheritdoc cref="UseMySqlIdentityColumn(PropertyBuilder)"/>
    /// <typeparam name="TProperty">The property's type.</typeparam>
    /// <param name="propertyBuilder">The builder of the property.</param>
    public static PropertyBuilder<TProperty> UseMySqlIdentityColumn<TProperty>(this PropertyBuilder<TProperty> propertyBuilder) =>
        (PropertyBuilder<TProperty>)UseMySqlIdentityColumn((PropertyBuilder)propertyBuilder);

    /// <summary>Lets CURRENT_TIMESTAMP make the values, when the row is inserted and when it is updated.</summary>
    /// <param name="propertyBuilder">The builder of the property.</param>
    /// <returns>The builder.</returns>
    public static PropertyBuilder UseMySqlComputedColumn(this PropertyBuilder propertyBuilder)
    {
        ArgumentNullException.ThrowIfNull(propertyBuilder);
        propertyBuilder.Metadata.SetValueGenerationStrategy(MySqlValueGenerationStrategy.ComputedColumn);
        return propertyBuilder.ValueGeneratedOnAddOrUpdate();
    }

    /// <inheritdoc cref="UseMySqlComputedColumn(PropertyBuilder)"/>
    /// <typeparam name="TProperty">The property's type.</typeparam>
    /// <param name="propertyBuilder">The builder of the property.</param>
    public static PropertyBuilder<TProperty> UseMySqlComputedColumn<TProperty>(this PropertyBuilder<TProperty> propertyBuilder) =>
        (PropertyBuilder<TProperty>)UseMySqlComputedColumn((PropertyBuilder)propertyBuilder);

    /// <summary>Sets the spatial reference system of the column, which MySQL then checks.</summary>
    /// <param name="propertyBuilder">The builder of the property.</param>
    /// <param name="srid">The number of the system, or null for any.</param>
    /// <returns>The builder.</returns>
    public static PropertyBuilder HasSpatialReferenceSystem(this PropertyBuilder propertyBuilder, int? srid)
    {
        ArgumentNullException.ThrowIfNull(propertyBuilder);
        propertyBuilder.Metadata.SetOrRemoveAnnotation(MySqlAnnotationNames.SpatialReferenceSystemId, srid);
        return propertyBuilder;
    }

    /// <inheritdoc cref="HasSpatialReferenceSystem(PropertyBuilder, int?)"/>
    /// <typeparam name="TProperty">The property's type.</typeparam>
    /// <param name="propertyBuilder">The builder of the property.</param>
    /// <param name="srid">The number of the system, or null for any.</param>
    public static PropertyBuilder<TProperty> HasSpatialReferenceSystem<TProperty>(this PropertyBuilder<TProperty> propertyBuilder, int? srid) =>
        (PropertyBuilder<TProperty>)HasSpatialReferenceSystem((PropertyBuilder)propertyBuilder, srid);

    /// <summary>Sets the character set of the column.</summary>
    /// <param name="propertyBuilder">The builder of the property.</param>
    /// <param name="charSet">The name of the character set, or null for the table's.</param>
    /// <returns>The builder.</returns>
    public static PropertyBuilder HasCharSet(this PropertyBuilder propertyBuilder, string? charSet)
    {
        ArgumentNullException.ThrowIfNull(propertyBuilder);
        propertyBuilder.Metadata.SetOrRemoveAnnotation(MySqlAnnotationNames.CharSet, charSet);
        return propertyBuilder;
    }

    /// <inheritdoc cref="HasCharSet(PropertyBuilder, string?)"/>
    /// <typeparam name="TProperty">The property's type.</typeparam>
    /// <param name="propertyBuilder">The builder of the property.</param>
    /// <param name="charSet">The name of the character set, or null for the table's.</param>
    public static PropertyBuilder<TProperty> HasCharSet<TProperty>(this PropertyBuilder<TProperty> propertyBuilder, string? charSet) =>
        (PropertyBuilder<TProperty>)HasCharSet((PropertyBuilder)propertyBuilder, charSet);
}
