using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>Which values in JSON the servers can read.</summary>
internal static class JsonValues
{
    // The others end with these words: multipoint, geometrycollection.
    private static readonly string[] SpatialTypes = ["geometry", "point", "linestring", "polygon", "geometrycollection", "geomcollection"];

    /// <summary>
    /// Returns whether SQL can read a value that EF Core has written into JSON. A TimeSpan of a day or more is no TIME, and CAST drops the offset of a
    /// DateTimeOffset on MariaDB without an error.
    /// </summary>
    public static bool CanRead(RelationalTypeMapping mapping) =>
        mapping.ProviderType() is var type && type != typeof(TimeSpan) && type != typeof(DateTimeOffset);

    /// <summary>Returns whether the value is a geometry, which is a text in JSON.</summary>
    public static bool IsGeometry(RelationalTypeMapping? mapping) => mapping is not null && Array.Exists(
        SpatialTypes, type => mapping.StoreTypeNameBase.EndsWith(type, StringComparison.OrdinalIgnoreCase));

    /// <summary>Returns whether JSON_TABLE can make a column of such a value. It does not decode Base64.</summary>
    public static bool CanBeColumn(RelationalTypeMapping mapping) => CanRead(mapping) && mapping.ProviderType() != typeof(byte[]);

    /// <summary>Returns what is said of a value that cannot be read.</summary>
    public static string Refusal(RelationalTypeMapping mapping) =>
        $"A value of type {mapping.ProviderType().Name} in JSON cannot be read by SQL: load the document and look into it in memory, or store a number "
            + "instead.";
}
