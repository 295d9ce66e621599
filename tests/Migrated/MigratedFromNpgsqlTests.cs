using System.Diagnostics;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Migrated;

/// <summary>
/// Runs samples/Migrated/Npgsql, an application written from Npgsql's documentation, as compiled with Npgsql and, unchanged, as compiled with
/// SlipstreamNpgsqlNames=true.
/// </summary>
public class MigratedFromNpgsqlTests
{
    [Theory]
    [InlineData(ServerKind.PostgreSql)]
    [InlineData(ServerKind.PostgreSql18)]
    public async Task The_same_file_prints_the_same_with_both_drivers(ServerKind kind)
    {
        var theirs = await RunAsync(kind, "MigratedFromNpgsql");
        Assert.Contains("coffee after two scopes: 1004", theirs, StringComparison.Ordinal);
        Assert.Equal(theirs, await RunAsync(kind, "MigratedToSlipstream"));
    }

    private static async Task<string> RunAsync(ServerKind kind, string program)
    {
        var server = await LiveServers.GetAsync(kind);
        var options = $"Host={server.Host};Port={server.Port};Username={server.User};Password={server.Password}";
        // The application replaces the tables that it uses, so it needs a database of its own.
        var database = $"{program.ToLowerInvariant()}_{Environment.ProcessId}";
        await using var source = PgDataSource.Create($"{options};Database=postgres");
        await Do($"CREATE DATABASE {database} TEMPLATE template0");
        try
        {
            using var process = Process.Start(new ProcessStartInfo(
                "dotnet", [Path.Combine(MigratedTests.Root(), "artifacts", "bin", program, "release", $"{program}.dll"), $"{options};Database={database}"])
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            })!;
            var errors = process.StandardError.ReadToEndAsync();
            var printed = await process.StandardOutput.ReadToEndAsync();
            await process.WaitForExitAsync();
            Assert.Equal("", await errors);
            Assert.Equal(0, process.ExitCode);
            return printed;
        }
        finally
        {
            await Do($"DROP DATABASE {database} WITH (FORCE)");
        }

        async Task Do(string sql)
        {
            await using var command = source.CreateCommand(sql);
            await command.ExecuteNonQueryAsync();
        }
    }
}
