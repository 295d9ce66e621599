using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>Which values in JSON the servers can read.</summary>
internal static class JsonValues
{
    /// <summary>
    /// Returns whether SQL can read a value that EF Core has written into JSON. A TimeSpan of a day or more is no TIME, and CAST drops the offset of a
    /// DateTimeOffset on MariaDB without an error.
    /// </summary>
    public static bool CanRead(RelationalTypeMapping mapping) =>
        mapping.ProviderType() is var type && type != typeof(TimeSpan) && type != typeof(DateTimeOffset) && type != typeof(byte[]);
}
