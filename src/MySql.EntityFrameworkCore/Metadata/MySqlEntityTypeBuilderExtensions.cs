using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore;

/// <summary>Sets what MySQL and MariaDB know of a table.</summary>
public static class MySqlEntityTypeBuilderExtensions
{
    /// <summary>Sets the character set of the table and its columns.</summary>
    /// <param name="entityTypeBuilder">The builder of the entity type.</param>
    /// <param name="charSet">The name of the character set, or null for the model's.</param>
    /// <param name="delegationModes">Where it applies. Null: to the table and its columns.</param>
    /// <returns>The builder.</returns>
    public static EntityTypeBuilder HasCharSet(this EntityTypeBuilder entityTypeBuilder, string? charSet, DelegationModes? delegationModes = null)
    {
        ArgumentNullException.ThrowIfNull(entityTypeBuilder);
        entityTypeBuilder.Metadata.SetOrRemoveAnnotation(MySqlAnnotationNames.CharSet, charSet);
        entityTypeBuilder.Metadata.SetOrRemoveAnnotation(MySqlAnnotationNames.CharSetDelegation, delegationModes);
        return entityTypeBuilder;
    }

    /// <inheritdoc cref="HasCharSet(EntityTypeBuilder, string?, DelegationModes?)"/>
    /// <typeparam name="TEntity">The entity type.</typeparam>
    /// <param name="entityTypeBuilder">The builder of the entity type.</param>
    /// <param name="charSet">The name of the character set, or null for the model's.</param>
    /// <param name="delegationModes">Where it applies. Null: to the table and its columns.</param>
    public static EntityTypeBuilder<TEntity> HasCharSet<TEntity>(
        this EntityTypeBuilder<TEntity> entityTypeBuilder, string? charSet, DelegationModes? delegationModes = null)
        where TEntity : class =>
        (EntityTypeBuilder<TEntity>)HasCharSet((EntityTypeBuilder)entityTypeBuilder, charSet, delegationModes);

    /// <summary>Sets the collation of the table and its columns.</summary>
    /// <param name="entityTypeBuilder">The builder of the entity type.</param>
    /// <param name="collation">The name of the collation, or null for the model's.</param>
    /// <param name="delegationModes">Where it applies. Null: to the table and its columns.</param>
    /// <returns>The builder.</returns>
    public static EntityTypeBuilder UseCollation(this EntityTypeBuilder entityTypeBuilder, string? collation, DelegationModes? delegationModes = null)
    {
        ArgumentNullException.ThrowIfNull(entityTypeBuilder);
        entityTypeBuilder.Metadata.SetOrRemoveAnnotation(RelationalAnnotationNames.Collation, collation);
        entityTypeBuilder.Metadata.SetOrRemoveAnnotation(MySqlAnnotationNames.CollationDelegation, delegationModes);
        return entityTypeBuilder;
    }

    /// <inheritdoc cref="UseCollation(EntityTypeBuilder, string?, DelegationModes?)"/>
    /// <typeparam name="TEntity">The entity type.</typeparam>
    /// <param name="entityTypeBuilder">The builder of the entity type.</param>
    /// <param name="collation">The name of the collation, or null for the model's.</param>
    /// <param name="delegationModes">Where it applies. Null: to the table and its columns.</param>
    public static EntityTypeBuilder<TEntity> UseCollation<TEntity>(
        this EntityTypeBuilder<TEntity> entityTypeBuilder, string? collation, DelegationModes? delegationModes = null)
        where TEntity : class =>
        (EntityTypeBuilder<TEntity>)UseCollation((EntityTypeBuilder)entityTypeBuilder, collation, delegationModes);

    /// <summary>Adds an option to CREATE TABLE, such as ENGINE or ROW_FORMAT.</summary>
    /// <param name="entityTypeBuilder">The builder of the entity type.</param>
    /// <param name="name">The name of the option.</param>
    /// <param name="value">The value, as it stands in SQL; null removes the option.</param>
    /// <returns>The builder.</returns>
    public static EntityTypeBuilder HasTableOption(this EntityTypeBuilder entityTypeBuilder, string name, string? value)
    {
        ArgumentNullException.ThrowIfNull(entityTypeBuilder);
        var options = TableOptions.Read(entityTypeBuilder.Metadata[MySqlAnnotationNames.StoreOptions] as string);
        if (value is null)
            options.Remove(name);
        else
            options[name] = value;
        entityTypeBuilder.Metadata.SetOrRemoveAnnotation(MySqlAnnotationNames.StoreOptions, TableOptions.Write(options));
        return entityTypeBuilder;
    }

    /// <inheritdoc cref="HasTableOption(EntityTypeBuilder, string, string?)"/>
    /// <typeparam name="TEntity">The entity type.</typeparam>
    /// <param name="entityTypeBuilder">The builder of the entity type.</param>
    /// <param name="name">The name of the option.</param>
    /// <param name="value">The value, as it stands in SQL; null removes the option.</param>
    public static EntityTypeBuilder<TEntity> HasTableOption<TEntity>(this EntityTypeBuilder<TEntity> entityTypeBuilder, string name, string? value)
        where TEntity : class =>
        (EntityTypeBuilder<TEntity>)HasTableOption((EntityTypeBuilder)entityTypeBuilder, name, value);
}
