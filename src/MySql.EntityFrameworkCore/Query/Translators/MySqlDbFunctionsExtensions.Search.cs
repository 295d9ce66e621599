namespace Microsoft.EntityFrameworkCore;

public static partial class MySqlDbFunctionsExtensions
{
    /// <summary>Computes how well a column with a full-text index fits a text: MATCH … AGAINST.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="property">The column.</param>
    /// <param name="pattern">The text.</param>
    /// <param name="searchMode">How the text is read. The query must contain the value itself.</param>
    /// <returns>The relevance; 0 if nothing was found.</returns>
    public static double Match(this DbFunctions _, string? property, string? pattern, MySqlMatchSearchMode searchMode) =>
        throw OnlyInQueries(nameof(Match));

    /// <summary>Computes how well the columns of a full-text index fit a text: MATCH … AGAINST.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="properties">All columns of the index, as <c>new[] { post.Title, post.Body }</c>.</param>
    /// <param name="pattern">The text.</param>
    /// <param name="searchMode">How the text is read. The query must contain the value itself.</param>
    /// <returns>The relevance; 0 if nothing was found.</returns>
    public static double Match(this DbFunctions _, string?[] properties, string? pattern, MySqlMatchSearchMode searchMode) =>
        throw OnlyInQueries(nameof(Match));

    /// <summary>Returns whether a text is found in a column with a full-text index: MATCH … AGAINST.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="property">The column.</param>
    /// <param name="pattern">The text.</param>
    /// <param name="searchMode">How the text is read. The query must contain the value itself.</param>
    /// <returns>Whether it is found.</returns>
    public static bool IsMatch(this DbFunctions _, string? property, string? pattern, MySqlMatchSearchMode searchMode) =>
        throw OnlyInQueries(nameof(IsMatch));

    /// <summary>Returns whether a text is found in the columns of a full-text index: MATCH … AGAINST.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="properties">All columns of the index, as <c>new[] { post.Title, post.Body }</c>.</param>
    /// <param name="pattern">The text.</param>
    /// <param name="searchMode">How the text is read. The query must contain the value itself.</param>
    /// <returns>Whether it is found.</returns>
    public static bool IsMatch(this DbFunctions _, string?[] properties, string? pattern, MySqlMatchSearchMode searchMode) =>
        throw OnlyInQueries(nameof(IsMatch));

    /// <summary>Computes the cosine distance of two vectors: VEC_DISTANCE_COSINE of MariaDB 11.7 and later. MySQL has no such function.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="left">A vector.</param>
    /// <param name="right">A vector of the same length.</param>
    /// <returns>The distance: 0 for the same direction, 2 for the opposite one.</returns>
    public static double VectorDistanceCosine(this DbFunctions _, float[] left, float[] right) => throw OnlyInQueries(nameof(VectorDistanceCosine));

    /// <inheritdoc cref="VectorDistanceCosine(DbFunctions, float[], float[])"/>
    /// <param name="_">The functions.</param>
    /// <param name="left">A vector.</param>
    /// <param name="right">A vector of the same length.</param>
    public static double VectorDistanceCosine(this DbFunctions _, ReadOnlyMemory<float> left, ReadOnlyMemory<float> right) =>
        throw OnlyInQueries(nameof(VectorDistanceCosine));

    /// <summary>Computes the Euclidean distance of two vectors: VEC_DISTANCE_EUCLIDEAN of MariaDB 11.7 and later. MySQL has no such function.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="left">A vector.</param>
    /// <param name="right">A vector of the same length.</param>
    /// <returns>The distance.</returns>
    public static double VectorDistanceEuclidean(this DbFunctions _, float[] left, float[] right) => throw OnlyInQueries(nameof(VectorDistanceEuclidean));

    /// <inheritdoc cref="VectorDistanceEuclidean(DbFunctions, float[], float[])"/>
    /// <param name="_">The functions.</param>
    /// <param name="left">A vector.</param>
    /// <param name="right">A vector of the same length.</param>
    public static double VectorDistanceEuclidean(this DbFunctions _, ReadOnlyMemory<float> left, ReadOnlyMemory<float> right) =>
        throw OnlyInQueries(nameof(VectorDistanceEuclidean));
}
