using Microsoft.EntityFrameworkCore;

namespace Slipstream.EfRace.Worker;

/// <summary>Slipstream's provider.</summary>
internal static class Provider
{
    public static DbContextOptionsBuilder<Shop> Use(DbContextOptionsBuilder<Shop> options, string connectionString) => options.UseMySql(connectionString);
}
