using Microsoft.EntityFrameworkCore;

namespace Slipstream.EfRace.Worker;

/// <summary>SQLite, for EF Core's share without a network.</summary>
internal static class Provider
{
    public static DbContextOptionsBuilder<Shop> Use(DbContextOptionsBuilder<Shop> options, string connectionString) => options.UseSqlite(connectionString);
}
