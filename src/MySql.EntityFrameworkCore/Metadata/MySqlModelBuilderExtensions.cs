using Microsoft.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore;

/// <summary>Sets what MySQL and MariaDB know of a model.</summary>
public static partial class MySqlModelBuilderExtensions
{
    /// <summary>Lets AUTO_INCREMENT make the values of generated numeric keys. This is the default; snapshots of migrations say so.</summary>
    /// <param name="modelBuilder">The builder of the model.</param>
    /// <returns>The builder.</returns>
    public static ModelBuilder AutoIncrementColumns(this ModelBuilder modelBuilder)
    {
        ArgumentNullException.ThrowIfNull(modelBuilder);
        modelBuilder.Model.SetAnnotation(MySqlAnnotationNames.ValueGenerationStrategy, MySqlValueGenerationStrategy.IdentityColumn);
        return modelBuilder;
    }

    /// <summary>Sets the character set of the database, its tables and its columns.</summary>
    /// <param name="modelBuilder">The builder of the model.</param>
    /// <param name="charSet">The name of the character set. Null: utf8mb4.</param>
    /// <param name="delegationModes">Where it applies. Null: everywhere.</param>
    /// <returns>The builder.</returns>
    public static ModelBuilder HasCharSet(this ModelBuilder modelBuilder, string? charSet, DelegationModes? delegationModes = null)
    {
        ArgumentNullException.ThrowIfNull(modelBuilder);
        modelBuilder.Model.SetOrRemoveAnnotation(MySqlAnnotationNames.CharSet, charSet);
        modelBuilder.Model.SetOrRemoveAnnotation(MySqlAnnotationNames.CharSetDelegation, delegationModes);
        return modelBuilder;
    }

    /// <summary>Sets the character set of the database, and says whether its tables and columns have it, too.</summary>
    /// <param name="modelBuilder">The builder of the model.</param>
    /// <param name="charSet">The name of the character set. Null: utf8mb4.</param>
    /// <param name="explicitlyDelegateToChildren">Whether tables and columns have it, too.</param>
    /// <returns>The builder.</returns>
    public static ModelBuilder HasCharSet(this ModelBuilder modelBuilder, string? charSet, bool explicitlyDelegateToChildren) =>
        HasCharSet(modelBuilder, charSet, explicitlyDelegateToChildren ? DelegationModes.ApplyToAll : DelegationModes.ApplyToDatabases);

    /// <summary>Sets the collation of the database, its tables and its columns.</summary>
    /// <param name="modelBuilder">The builder of the model.</param>
    /// <param name="collation">The name of the collation, or null for the character set's.</param>
    /// <param name="delegationModes">Where it applies. Null: everywhere.</param>
    /// <returns>The builder.</returns>
    public static ModelBuilder UseCollation(this ModelBuilder modelBuilder, string? collation, DelegationModes? delegationModes)
    {
        ArgumentNullException.ThrowIfNull(modelBuilder);
        modelBuilder.Model.SetCollation(collation);
        modelBuilder.Model.SetOrRemoveAnnotation(MySqlAnnotationNames.CollationDelegation, delegationModes);
        return modelBuilder;
    }

    /// <summary>Sets the collation of columns that hold a <see cref="Guid"/> as text.</summary>
    /// <param name="modelBuilder">The builder of the model.</param>
    /// <param name="collation">The name of the collation. Null: ascii_general_ci. Empty: that of the table.</param>
    /// <returns>The builder.</returns>
    public static ModelBuilder UseGuidCollation(this ModelBuilder modelBuilder, string? collation)
    {
        ArgumentNullException.ThrowIfNull(modelBuilder);
        modelBuilder.Model.SetOrRemoveAnnotation(MySqlAnnotationNames.GuidCollation, collation);
        return modelBuilder;
    }
}
