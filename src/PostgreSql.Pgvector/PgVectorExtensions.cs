using Pgvector;
using Slipstream.PostgreSql.Plugins;

namespace Slipstream.PostgreSql;

/// <summary>Adds the types of the extension pgvector to a data source.</summary>
public static class PgVectorExtensions
{
    /// <summary>
    /// Reads and writes vector as <see cref="Vector"/>, halfvec as <see cref="HalfVector"/> and sparsevec as <see cref="SparseVector"/>. A vector is also read
    /// as, and with the parameter's type set written from, an array or memory of <see cref="float"/>, and a halfvec of <see cref="Half"/>. The extension may be
    /// installed in any schema.
    /// </summary>
    /// <param name="builder">The data source's builder.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentNullException">The builder is null.</exception>
    public static PgDataSourceBuilder UseVector(this PgDataSourceBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder
            .MapType("vector", new VectorConverter())
            .MapType("vector", new VectorArrayConverter<float, SingleElement>(), isDefault: false, isSent: false)
            .MapType("vector", new VectorMemoryConverter<float, SingleElement>(), isDefault: false, isSent: false)
            .MapType("halfvec", new HalfVectorConverter())
            .MapType("halfvec", new VectorArrayConverter<Half, HalfElement>(), isDefault: false, isSent: false)
            .MapType("halfvec", new VectorMemoryConverter<Half, HalfElement>(), isDefault: false, isSent: false)
            .MapType("sparsevec", new SparseVectorConverter());
    }
}
