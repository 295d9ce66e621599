using System.Diagnostics;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Migrated;

/// <summary>
/// Runs samples/Migrated, an application written from MySqlConnector's documentation, of which only the package and one using were changed. <c>expected.txt</c>
/// is the original's output, which is the same on MySQL 9.7, MariaDB 10.11 and MariaDB 11.8.
/// </summary>
public class MigratedTests
{
    private static readonly string Sample = Path.Combine(Root(), "samples", "Migrated");

    [Fact]
    public void Nothing_but_one_using_differs()
    {
        var original = File.ReadAllLines(Path.Combine(Sample, "MySqlConnector", "Program.cs"));
        var migrated = File.ReadAllLines(Path.Combine(Sample, "Slipstream", "Program.cs"));
        Assert.Equal(original.Length, migrated.Length);
        var changed = Assert.Single(Enumerable.Range(0, original.Length), i => original[i] != migrated[i]);
        Assert.Equal(("using MySqlConnector;", "using Slipstream.MySql;"), (original[changed], migrated[changed]));
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task It_prints_what_the_original_prints(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var options = $"Server={server.Host};Port={server.Port};User ID={server.User};Password={server.Password};Allow Public Key Retrieval=true";
        // The application replaces the tables that it uses, so it needs a database of its own.
        var database = $"migrated_{Environment.ProcessId}";
        await MySqlHelper.ExecuteNonQueryAsync(options, $"CREATE DATABASE {database}");
        try
        {
            var (code, printed, errors) = await RunAsync($"{options};Database={database}");
            Assert.Equal("", errors);
            Assert.Equal(await File.ReadAllTextAsync(Path.Combine(Sample, "expected.txt")), printed);
            Assert.Equal(0, code);
        }
        finally
        {
            await MySqlHelper.ExecuteNonQueryAsync(options, $"DROP DATABASE {database}");
        }
    }

    private static async Task<(int Code, string Printed, string Errors)> RunAsync(string connectionString)
    {
        var program = Path.Combine(Root(), "artifacts", "bin", "Migrated", "release", "Migrated.dll");
        using var process = Process.Start(new ProcessStartInfo("dotnet", [program, connectionString]) { RedirectStandardOutput = true,
            RedirectStandardError = true })!;
        var errors = process.StandardError.ReadToEndAsync();
        var printed = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return (process.ExitCode, printed, await errors);
    }

    internal static string Root()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Slipstream.slnx")))
            folder = folder.Parent ?? throw new DirectoryNotFoundException("The solution is not above the test's folder.");
        return folder.FullName;
    }
}
