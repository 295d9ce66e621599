namespace Microsoft.EntityFrameworkCore;

/// <summary>The distance that a vector index is made for.</summary>
public enum MySqlVectorDistance
{
    /// <summary>The Euclidean distance: for <c>EF.Functions.VectorDistanceEuclidean</c>.</summary>
    Euclidean,

    /// <summary>The cosine distance: for <c>EF.Functions.VectorDistanceCosine</c>.</summary>
    Cosine,
}
