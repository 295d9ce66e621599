using System.Globalization;
using Microsoft.EntityFrameworkCore.Migrations.Operations;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

/// <summary>Vector indexes in SQL: MariaDB documentation, "CREATE TABLE with Vectors".</summary>
internal static class VectorIndexes
{
    /// <exception cref="NotSupportedException">The index is a vector index, and the server has none.</exception>
    public static void Require(CreateIndexOperation operation, MySqlSingletonOptions options)
    {
        if (operation[MySqlAnnotationNames.VectorIndex] is true && !options.Capabilities.VectorDistance)
            throw new NotSupportedException(
                $"The index '{operation.Name}' is a vector index, which {options.ServerVersion} does not have: remove IsVector, or use MariaDB 11.7 or later.");
    }

    /// <summary>What stands after the columns.</summary>
    public static string Options(MigrationOperation operation) =>
        (operation[MySqlAnnotationNames.VectorNeighbors] is int neighbors ? " M=" + neighbors.ToString(CultureInfo.InvariantCulture) : "")
        + (operation[MySqlAnnotationNames.VectorDistance] is string distance ? " DISTANCE=" + distance : "");
}
