using Microsoft.EntityFrameworkCore;

namespace Slipstream.EfRace.Worker;

/// <summary>Pomelo's provider, on EF Core 9.</summary>
internal static class Provider
{
    public static DbContextOptionsBuilder<Shop> Use(DbContextOptionsBuilder<Shop> options, string connectionString) =>
        options.UseMySql(connectionString, ServerVersion.AutoDetect(connectionString[..connectionString.IndexOf("Database=", StringComparison.Ordinal)]));
}
