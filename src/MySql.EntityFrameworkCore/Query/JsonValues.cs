using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>Which values in JSON the servers can read.</summary>
internal static class JsonValues
{
    /// <summary>
    /// Returns whether SQL can read a value that EF Core has written into JSON. A TimeSpan of a day or more is no TIME, and CAST drops the offset of a
    /// DateTimeOffset on MariaDB without an error.
    /// </summary>
    public static bool CanRead(RelationalTypeMapping mapping) =>
        ProviderType(mapping) is var type && type != typeof(TimeSpan) && type != typeof(DateTimeOffset) && type != typeof(byte[]);

    /// <summary>The type that the database knows, without a nullable wrapper.</summary>
    public static Type ProviderType(RelationalTypeMapping mapping)
    {
        var type = mapping.Converter?.ProviderClrType ?? mapping.ClrType;
        return Nullable.GetUnderlyingType(type) ?? type;
    }
}
