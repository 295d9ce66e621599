using System.Globalization;
using System.Text.RegularExpressions;
using Microsoft.EntityFrameworkCore.Scaffolding.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Scaffolding;

/// <summary>Indexes that are not trees of values: full-text, spatial and vector indexes.</summary>
internal static partial class SpecialIndexes
{
    /// <summary>Sets the annotations of a kind of index in information_schema.STATISTICS.</summary>
    /// <returns>False if it is a usual index.</returns>
    public static bool TrySetKind(DatabaseIndex index, string? kind)
    {
        var annotation = kind switch
        {
            "FULLTEXT" => MySqlAnnotationNames.FullTextIndex,
            "SPATIAL" => MySqlAnnotationNames.SpatialIndex,
            "VECTOR" => MySqlAnnotationNames.VectorIndex,
            _ => null,
        };
        if (annotation is not null)
            index[annotation] = true;
        return annotation is not null;
    }

    /// <summary>Sets the options of a table's vector index, which stand in SHOW CREATE TABLE only.</summary>
    public static void SetVectorOptions(DatabaseIndex index, string createTable)
    {
        if (VectorKey().Match(createTable) is not { Success: true } key)
            return;
        if (key.Groups["m"] is { Success: true, Value: var neighbors })
            index[MySqlAnnotationNames.VectorNeighbors] = int.Parse(neighbors, CultureInfo.InvariantCulture);
        if (key.Groups["d"] is { Success: true, Value: var distance })
            index[MySqlAnnotationNames.VectorDistance] = distance.ToLowerInvariant();
    }

    // A table has at most one.
    [GeneratedRegex(@"VECTOR KEY [^\n]*?\)(?: `M`='(?<m>\d+)')?(?: `DISTANCE`='(?<d>euclidean|cosine)')?", RegexOptions.IgnoreCase)]
    private static partial Regex VectorKey();
}
