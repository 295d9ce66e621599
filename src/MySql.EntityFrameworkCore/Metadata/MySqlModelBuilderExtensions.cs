using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore;

/// <summary>Sets what MySQL and MariaDB know of a model.</summary>
public static class MySqlModelBuilderExtensions
{
    /// <summary>Lets AUTO_INCREMENT make the values of generated numeric keys. This is the default; snapshots of migrations say so.</summary>
    /// <param name="modelBuilder">The builder of the model.</param>
    /// <returns>The builder.</returns>
    public static ModelBuilder AutoIncrementColumns(this ModelBuilder modelBuilder)
    {
        ArgumentNullException.ThrowIfNull(modelBuilder);
        modelBuilder.Model.SetAnnotation(MySqlAnnotationNames.ValueGenerationStrategy, Metadata.MySqlValueGenerationStrategy.IdentityColumn);
        return modelBuilder;
    }

    /// <summary>Sets the character set of the database, its tables and its columns.</summary>
    /// <param name="modelBuilder">The builder of the model.</param>
    /// <param name="charSet">The name of the character set, or null for the server's.</param>
    /// <returns>The builder.</returns>
    public static ModelBuilder HasCharSet(this ModelBuilder modelBuilder, string? charSet)
    {
        ArgumentNullException.ThrowIfNull(modelBuilder);
        modelBuilder.Model.SetOrRemoveAnnotation(MySqlAnnotationNames.CharSet, charSet);
        return modelBuilder;
    }
}
