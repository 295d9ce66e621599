using System.Diagnostics;
using System.Text.RegularExpressions;
using Slipstream.Lab;

namespace Slipstream.Soak.Tests;

// One class for each server, so that they run at the same time.

/// <summary>Half a minute of the soak, in which every fault occurs once.</summary>
public class MySqlRunTests
{
    [Fact]
    public Task Half_a_minute_of_faults_ends_without_a_violation() => SoakProgram.RunAsync(ServerKind.MySql);
}

/// <summary>Half a minute of the soak, in which every fault occurs once.</summary>
public class MariaDbRunTests
{
    [Fact]
    public Task Half_a_minute_of_faults_ends_without_a_violation() => SoakProgram.RunAsync(ServerKind.MariaDb);
}

/// <summary>Half a minute of the soak, in which every fault occurs once.</summary>
public class PostgreSqlRunTests
{
    [Fact]
    public Task Half_a_minute_of_faults_ends_without_a_violation() => SoakProgram.RunAsync(ServerKind.PostgreSql);
}

/// <summary>Half a minute of the soak on a cluster, in which every fault occurs once.</summary>
[Trait("Set", "All")]
public class ClusterRunTests
{
    [Fact]
    public Task Half_a_minute_of_lost_primaries_ends_without_a_violation() => SoakProgram.RunAsync(ClusterKind.PgReplication);
}

internal static partial class SoakProgram
{
    public static async Task RunAsync(ServerKind kind)
    {
        // Installs the server if necessary, or skips.
        await LiveServers.GetAsync(kind);
        await RunAsync(
            ["--server", kind.Word()],
            ["kill -9", "stop", "restart", "read-only", "kill sessions", "new certificate", "cut all", "stall", "split", "delay", "black hole"]);
    }

    public static async Task RunAsync(ClusterKind kind)
    {
        await LiveServers.GetAsync(ServerKind.PostgreSql);
        var canCut = await LabNetwork.WhyUnavailableAsync(TestContext.Current.CancellationToken) is null;
        await RunAsync(
            ["--cluster", kind.Word(), "--partitions"],
            [
                "kill of the primary", "hang of the primary", "short hang of the primary", "stop of the primary", "kill of a replica", "hang of a replica",
                "switchover",
                .. canCut
                    ? (string[])
                    ["partition of the primary", "partition of the primary with resets", "short partition of the primary", "partition of a replica"]
                    : [],
            ]);
    }

    /// <summary>Runs the soak in a separate process, because it counts the process's resources.</summary>
    private static async Task RunAsync(string[] on, string[] faults)
    {
        // The program is in the same folder, because this project references it.
        var program = typeof(SoakOptions).Assembly.Location;
        var start = new ProcessStartInfo(Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") is { Length: > 0 } host ? host : "dotnet",
            [program, .. on, "--minutes", "0.5", "--seed", "2026", "--until-input-ends"])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var process = Process.Start(start)!;
        var errors = process.StandardError.ReadToEndAsync();
        var output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, output + await errors);
        var last = output.TrimEnd().Split('\n')[^1];
        Assert.Contains("; 0 violations; seed 2026", last, StringComparison.Ordinal);
        // A run that could not do anything would not find anything, either.
        Assert.True(Counted().Match(last) is { Success: true } counted && int.Parse(counted.Groups[1].Value) > 1000, last);
        foreach (var fault in faults)
            Assert.Matches($"[(,] ?{fault} [1-9]", last);
    }

    [GeneratedRegex(@": (\d+) operations,")]
    private static partial Regex Counted();
}
