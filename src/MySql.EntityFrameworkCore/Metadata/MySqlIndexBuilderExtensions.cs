using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore;

/// <summary>Sets what MySQL and MariaDB know of an index.</summary>
public static class MySqlIndexBuilderExtensions
{
    /// <summary>Makes the index a full-text index.</summary>
    /// <param name="indexBuilder">The builder of the index.</param>
    /// <param name="fullText">Whether it is one.</param>
    /// <param name="parser">The name of its parser, such as ngram; null for the server's own. MariaDB has no others.</param>
    /// <returns>The builder.</returns>
    public static IndexBuilder IsFullText(this IndexBuilder indexBuilder, bool fullText = true, string? parser = null)
    {
        ArgumentNullException.ThrowIfNull(indexBuilder);
        indexBuilder.Metadata.SetOrRemoveAnnotation(MySqlAnnotationNames.FullTextIndex, fullText ? true : null);
        indexBuilder.Metadata.SetOrRemoveAnnotation(MySqlAnnotationNames.FullTextParser, parser);
        return indexBuilder;
    }

    /// <inheritdoc cref="IsFullText(IndexBuilder, bool, string?)"/>
    /// <typeparam name="TEntity">The entity type.</typeparam>
    /// <param name="indexBuilder">The builder of the index.</param>
    /// <param name="fullText">Whether it is one.</param>
    /// <param name="parser">The name of its parser, such as ngram; null for the server's own. MariaDB has no others.</param>
    public static IndexBuilder<TEntity> IsFullText<TEntity>(this IndexBuilder<TEntity> indexBuilder, bool fullText = true, string? parser = null) =>
        (IndexBuilder<TEntity>)IsFullText((IndexBuilder)indexBuilder, fullText, parser);

    /// <summary>Makes the index a spatial index.</summary>
    /// <param name="indexBuilder">The builder of the index.</param>
    /// <param name="spatial">Whether it is one.</param>
    /// <returns>The builder.</returns>
    public static IndexBuilder IsSpatial(this IndexBuilder indexBuilder, bool spatial = true)
    {
        ArgumentNullException.ThrowIfNull(indexBuilder);
        indexBuilder.Metadata.SetOrRemoveAnnotation(MySqlAnnotationNames.SpatialIndex, spatial ? true : null);
        return indexBuilder;
    }

    /// <inheritdoc cref="IsSpatial(IndexBuilder, bool)"/>
    /// <typeparam name="TEntity">The entity type.</typeparam>
    /// <param name="indexBuilder">The builder of the index.</param>
    /// <param name="spatial">Whether it is one.</param>
    public static IndexBuilder<TEntity> IsSpatial<TEntity>(this IndexBuilder<TEntity> indexBuilder, bool spatial = true) =>
        (IndexBuilder<TEntity>)IsSpatial((IndexBuilder)indexBuilder, spatial);

    /// <summary>Makes the index a vector index, which MariaDB has since 11.7. The column must not be nullable, and a table has at most one.</summary>
    /// <param name="indexBuilder">The builder of the index.</param>
    /// <param name="vector">Whether it is one.</param>
    /// <param name="distance">The distance that it serves; null for the server's default, the Euclidean one.</param>
    /// <param name="neighbors">The number of neighbors of each vector, M in SQL, from 3 to 200; null for the server's default.</param>
    /// <returns>The builder.</returns>
    public static IndexBuilder IsVector(
        this IndexBuilder indexBuilder, bool vector = true, MySqlVectorDistance? distance = null, int? neighbors = null)
    {
        ArgumentNullException.ThrowIfNull(indexBuilder);
        indexBuilder.Metadata.SetOrRemoveAnnotation(MySqlAnnotationNames.VectorIndex, vector ? true : null);
        indexBuilder.Metadata.SetOrRemoveAnnotation(MySqlAnnotationNames.VectorDistance, vector ? distance?.ToString().ToLowerInvariant() : null);
        indexBuilder.Metadata.SetOrRemoveAnnotation(MySqlAnnotationNames.VectorNeighbors, vector ? neighbors : null);
        return indexBuilder;
    }

    /// <inheritdoc cref="IsVector(IndexBuilder, bool, MySqlVectorDistance?, int?)"/>
    /// <typeparam name="TEntity">The entity type.</typeparam>
    /// <param name="indexBuilder">The builder of the index.</param>
    /// <param name="vector">Whether it is one.</param>
    /// <param name="distance">The distance that it serves; null for the server's default, the Euclidean one.</param>
    /// <param name="neighbors">The number of neighbors of each vector, M in SQL, from 3 to 200; null for the server's default.</param>
    public static IndexBuilder<TEntity> IsVector<TEntity>(
        this IndexBuilder<TEntity> indexBuilder, bool vector = true, MySqlVectorDistance? distance = null, int? neighbors = null) =>
        (IndexBuilder<TEntity>)IsVector((IndexBuilder)indexBuilder, vector, distance, neighbors);

    /// <summary>Puts only the first characters or bytes of columns into the index.</summary>
    /// <param name="indexBuilder">The builder of the index.</param>
    /// <param name="prefixLengths">The number for each column, in their order; 0 for the whole value.</param>
    /// <returns>The builder.</returns>
    public static IndexBuilder HasPrefixLength(this IndexBuilder indexBuilder, params int[] prefixLengths)
    {
        ArgumentNullException.ThrowIfNull(indexBuilder);
        indexBuilder.Metadata.SetOrRemoveAnnotation(MySqlAnnotationNames.IndexPrefixLength, prefixLengths);
        return indexBuilder;
    }

    /// <inheritdoc cref="HasPrefixLength(IndexBuilder, int[])"/>
    /// <typeparam name="TEntity">The entity type.</typeparam>
    /// <param name="indexBuilder">The builder of the index.</param>
    /// <param name="prefixLengths">The number for each column, in their order; 0 for the whole value.</param>
    public static IndexBuilder<TEntity> HasPrefixLength<TEntity>(this IndexBuilder<TEntity> indexBuilder, params int[] prefixLengths) =>
        (IndexBuilder<TEntity>)HasPrefixLength((IndexBuilder)indexBuilder, prefixLengths);
}
