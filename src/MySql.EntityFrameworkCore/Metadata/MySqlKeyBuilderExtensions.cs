using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore;

/// <summary>Sets what MySQL and MariaDB know of a key.</summary>
public static class MySqlKeyBuilderExtensions
{
    /// <summary>Puts only the first characters or bytes of columns into the key.</summary>
    /// <param name="keyBuilder">The builder of the key.</param>
    /// <param name="prefixLengths">The number for each column, in their order; 0 for the whole value.</param>
    /// <returns>The builder.</returns>
    public static KeyBuilder HasPrefixLength(this KeyBuilder keyBuilder, params int[] prefixLengths)
    {
        ArgumentNullException.ThrowIfNull(keyBuilder);
        keyBuilder.Metadata.SetOrRemoveAnnotation(MySqlAnnotationNames.IndexPrefixLength, prefixLengths);
        return keyBuilder;
    }

    /// <inheritdoc cref="HasPrefixLength(KeyBuilder, int[])"/>
    /// <typeparam name="TEntity">The entity type.</typeparam>
    /// <param name="keyBuilder">The builder of the key.</param>
    /// <param name="prefixLengths">The number for each column, in their order; 0 for the whole value.</param>
    public static KeyBuilder<TEntity> HasPrefixLength<TEntity>(this KeyBuilder<TEntity> keyBuilder, params int[] prefixLengths) =>
        (KeyBuilder<TEntity>)HasPrefixLength((KeyBuilder)keyBuilder, prefixLengths);
}
