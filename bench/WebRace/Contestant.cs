using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace Slipstream.WebRace;

/// <summary>A site over one provider, in a process of its own.</summary>
internal sealed class Contestant : IAsyncDisposable
{
    public const string Floor = "Floor";
    public const string Ours = "Slipstream";

    private static readonly JsonSerializerOptions CamelCase = new(JsonSerializerDefaults.Web);

    private readonly Process _process;
    private readonly HttpClient _client;

    private Contestant(string name, Process process, int port)
    {
        (Name, _process) = (name, process);
        _client = new() { BaseAddress = new Uri(string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{port}/")) };
    }

    public string Name { get; }

    /// <summary>Starts the site's process.</summary>
    /// <param name="name">The contestant's name.</param>
    /// <param name="assembly">The provider's assembly; null for the floor.</param>
    /// <param name="connectionString">The connection string; null for the floor.</param>
    /// <param name="processors">The processors that the process may use, as taskset(1) takes them; null for all.</param>
    /// <returns>The contestant; null if its process ended at once. Its error output says why.</returns>
    public static async Task<Contestant?> StartAsync(string name, string? assembly, string? connectionString, string? processors)
    {
        string[] site = ["dotnet", "exec", Path.Combine(SiteFolder, "Slipstream.WebRace.Site.dll")];
        string[] words = processors is null ? site : ["taskset", "-c", processors, .. site];
        var start = new ProcessStartInfo(words[0], words[1..]) { RedirectStandardInput = true, RedirectStandardOutput = true };
        start.Environment["DOTNET_TieredPGO"] = "1";
        if (assembly is not null)
            (start.Environment["SITE_ASSEMBLY"], start.Environment["SITE_CONNECTION"]) = (assembly, connectionString);
        var process = Process.Start(start)!;
        if (await process.StandardOutput.ReadLineAsync() is { } port)
            return new(name, process, int.Parse(port, CultureInfo.InvariantCulture));
        process.Dispose();
        return null;
    }

    /// <summary>Gets the folder of the site's program, which also holds Slipstream's own assemblies.</summary>
    public static string SiteFolder { get; } = Path.GetFullPath(Path.Combine(AppContext.BaseDirectory, "..", "..", "Site", "release"));

    /// <summary>Loads a page with many connections for some seconds.</summary>
    /// <exception cref="InvalidOperationException">A request failed, or the load generator did.</exception>
    public async Task<Sample> RunAsync(string page, int connections, int seconds, string? processors, CancellationToken stop)
    {
        var before = await UsageAsync(stop);
        var load = await Wrk.RunAsync(new Uri(_client.BaseAddress!, page), connections, seconds, processors, stop);
        var after = await UsageAsync(stop);
        return load.Failed > 0
            ? throw new InvalidOperationException($"{Name}: {load.Failed} requests of the page '{page}' failed.")
            : new(
                load.PerSecond, load.Median, load.Slowest, (after.Cpu - before.Cpu) / load.Requests, (double)(after.Bytes - before.Bytes) / load.Requests,
                (double)(after.WakeUps - before.WakeUps) / load.Requests);
    }

    public async ValueTask DisposeAsync()
    {
        _client.Dispose();
        _process.StandardInput.Close();
        await _process.WaitForExitAsync();
        _process.Dispose();
    }

    private async Task<Usage> UsageAsync(CancellationToken stop) =>
        JsonSerializer.Deserialize<Usage>(await _client.GetStringAsync(new Uri("usage", UriKind.Relative), stop), CamelCase)!;

    private sealed record Usage(double Cpu, long Bytes, long WakeUps);
}

/// <summary>The figures of a block.</summary>
/// <param name="PerSecond">Requests per second.</param>
/// <param name="Median">The median of the latencies, in milliseconds.</param>
/// <param name="Slowest">The latency that 99 % of the requests stay below, in milliseconds.</param>
/// <param name="Cpu">Microseconds of the site's processor time per request.</param>
/// <param name="Bytes">Bytes allocated per request.</param>
/// <param name="WakeUps">How often a thread of the site waited per request.</param>
internal sealed record Sample(double PerSecond, double Median, double Slowest, double Cpu, double Bytes, double WakeUps);
