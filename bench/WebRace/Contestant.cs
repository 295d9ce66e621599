using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Slipstream.Bench;

namespace Slipstream.WebRace;

/// <summary>A site over one driver, in a process of its own.</summary>
internal sealed class Contestant : IAsyncDisposable
{
    public const string Floor = "Floor";
    public const string Ours = "Slipstream";

    private static readonly JsonSerializerOptions CamelCase = new(JsonSerializerDefaults.Web);

    private readonly SiteProgram _site;
    private readonly Process _process;
    private readonly HttpClient _client;

    private Contestant(SiteProgram site, Process process, int port)
    {
        (_site, _process) = (site, process);
        _client = new() { BaseAddress = new Uri(string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{port}/")) };
    }

    public string Name => _site.Name;

    /// <summary>Starts the site's process.</summary>
    /// <param name="site">The site.</param>
    /// <param name="processors">The processors that the process may use, as taskset(1) takes them; null for all.</param>
    /// <returns>The contestant; null if its process ended at once. Its error output says why.</returns>
    public static async Task<Contestant?> StartAsync(SiteProgram site, string? processors)
    {
        string[] words = processors is null ? [.. site.Words] : ["taskset", "-c", processors, .. site.Words];
        var start = new ProcessStartInfo(words[0], words[1..]) { RedirectStandardInput = true, RedirectStandardOutput = true };
        foreach (var (name, value) in site.Variables)
            start.Environment[name] = value;
        var process = Process.Start(start)!;
        if (await process.StandardOutput.ReadLineAsync() is { } port)
            return new(site, process, int.Parse(port, CultureInfo.InvariantCulture));
        process.Dispose();
        return null;
    }

    /// <summary>Gets the folder of the site's program, which also holds Slipstream's own assemblies.</summary>
    public static string SiteFolder { get; } = Path.GetFullPath(Path.Combine(AppContext.BaseDirectory, "..", "..", "Site", "release"));

    /// <summary>Loads a page with many connections for some seconds.</summary>
    /// <exception cref="InvalidOperationException">The load generator failed.</exception>
    public async Task<Sample> RunAsync(string page, int connections, int seconds, string? processors, CancellationToken stop)
    {
        var (before, bytes) = (ProcessUsage.Of(_process.Id), await BytesAsync(stop));
        var load = await Wrk.RunAsync(new Uri(_client.BaseAddress!, page), connections, seconds, processors, stop);
        var (used, bytesAfter) = (ProcessUsage.Of(_process.Id).Since(before), await BytesAsync(stop));
        return new(
            load.PerSecond, load.Median, load.Slowest, used.Cpu / load.Requests, (bytesAfter - bytes) / load.Requests,
            (double)used.WakeUps / load.Requests, load.Failed);
    }

    /// <summary>Reads a page.</summary>
    public async Task<PageAnswer> ReadAsync(string page, CancellationToken stop)
    {
        using var response = await _client.GetAsync(new Uri(page, UriKind.Relative), stop);
        return new((int)response.StatusCode, response.Content.Headers.ContentType?.ToString(), await response.Content.ReadAsStringAsync(stop));
    }

    public async ValueTask DisposeAsync()
    {
        _client.Dispose();
        _process.StandardInput.Close();
        await _process.WaitForExitAsync();
        _process.Dispose();
    }

    // Only the sites in C# count them.
    private async Task<double> BytesAsync(CancellationToken stop) => _site.CountsBytes
        ? JsonSerializer.Deserialize<Usage>(await _client.GetStringAsync(new Uri("usage", UriKind.Relative), stop), CamelCase)!.Bytes
        : double.NaN;

    private sealed record Usage(long Bytes);
}

/// <summary>The figures of a block.</summary>
/// <param name="PerSecond">Requests per second.</param>
/// <param name="Median">The median of the latencies, in milliseconds.</param>
/// <param name="Slowest">The latency that 99 % of the requests stay below, in milliseconds.</param>
/// <param name="Cpu">Microseconds of the site's processor time per request.</param>
/// <param name="Bytes">Bytes allocated per request; NaN if the site does not count them.</param>
/// <param name="WakeUps">How often a thread of the site waited per request.</param>
/// <param name="Failed">The number of requests that failed, or took longer than ten seconds.</param>
internal sealed record Sample(double PerSecond, double Median, double Slowest, double Cpu, double Bytes, double WakeUps, long Failed);
