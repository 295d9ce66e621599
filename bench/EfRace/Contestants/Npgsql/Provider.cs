using Microsoft.EntityFrameworkCore;

namespace Slipstream.EfRace.Worker;

/// <summary>Npgsql's provider, for EF Core's own share.</summary>
internal static class Provider
{
    public static DbContextOptionsBuilder<Shop> Use(DbContextOptionsBuilder<Shop> options, string connectionString) => options.UseNpgsql(connectionString);
}
