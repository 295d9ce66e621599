using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>The words of CAST, which are not those of columns. MySQL Reference Manual, "Cast Functions and Operators".</summary>
internal static class CastTypes
{
    /// <summary>Returns the word for a mapping, or null if there is none.</summary>
    public static string? For(RelationalTypeMapping mapping, ServerCapabilities capabilities)
    {
        var name = mapping.StoreTypeNameBase.ToLowerInvariant();
        return name switch
        {
            "bool" or "boolean" or "tinyint" or "smallint" or "mediumint" or "int" or "integer" or "bigint" or "year" => "SIGNED",
            "bit" => "UNSIGNED",
            _ when name.EndsWith("int unsigned", StringComparison.Ordinal) => "UNSIGNED",
            // Without precision and scale, CAST cuts all decimals.
            "decimal" or "numeric" or "dec" or "fixed" or "decimal unsigned" =>
                $"DECIMAL({mapping.Precision ?? 65},{mapping.Scale ?? 30})",
            "double" or "float" or "real" or "double precision" or "double unsigned" or "float unsigned" => "DOUBLE",
            "char" or "varchar" or "nchar" or "nvarchar" or "tinytext" or "text" or "mediumtext" or "longtext" or "enum" or "set" or "uuid" => "CHAR",
            "binary" or "varbinary" or "tinyblob" or "blob" or "mediumblob" or "longblob" => "BINARY",
            "date" => "DATE",
            "time" => $"TIME({mapping.Precision ?? 6})",
            "datetime" or "timestamp" => $"DATETIME({mapping.Precision ?? 6})",
            "json" when capabilities.JsonType => "JSON",
            _ => null,
        };
    }
}
