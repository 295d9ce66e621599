using System.Diagnostics;
using System.Globalization;
using Slipstream.Bench;

namespace Slipstream.PeerRace;

/// <summary>A contestant in a process of its own, which answers each line that it is sent with one.</summary>
internal sealed class Contestant : IAsyncDisposable
{
    private readonly LineProcess _process;

    private Contestant(Entry entry, LineProcess process, string version) => (Entry, _process, Version) = (entry, process, version);

    public Entry Entry { get; }

    /// <summary>Gets the version of the driver, as the contestant says it.</summary>
    public string Version { get; }

    /// <summary>Starts the contestant's process.</summary>
    /// <param name="entry">The contestant.</param>
    /// <param name="server">The variables that tell it where the server is.</param>
    /// <param name="processors">The processors that the process may use, as taskset(1) takes them; null for all.</param>
    /// <exception cref="InvalidOperationException">The process ended at once, or did not answer. Its error output says why.</exception>
    public static async Task<Contestant> StartAsync(Entry entry, IReadOnlyDictionary<string, string> server, string? processors)
    {
        string[] words = processors is null ? [.. entry.Words] : ["taskset", "-c", processors, .. entry.Words];
        var start = new ProcessStartInfo(words[0], words[1..]) { RedirectStandardInput = true, RedirectStandardOutput = true };
        foreach (var (name, value) in server.Concat(entry.Variables))
            start.Environment[name] = value;
        var process = new LineProcess(Process.Start(start)!);
        try
        {
            var line = await process.ReadAsync(LineProcess.Patience);
            return line?.Split(' ', 2) is ["ready", var version]
                ? new(entry, process, version)
                : throw new InvalidOperationException($"its program ended at its start{(line is null ? "" : ": " + line)}");
        }
        catch (Exception exception) when (exception is TimeoutException or InvalidOperationException)
        {
            process.Kill();
            throw new InvalidOperationException(exception.Message, exception);
        }
    }

    /// <summary>Opens the connections of a scenario's callers.</summary>
    public Task OpenAsync(string scenario, int callers) =>
        AskAsync(string.Create(CultureInfo.InvariantCulture, $"open {scenario} {callers}"), LineProcess.Patience);

    public Task CloseAsync() => AskAsync("close", LineProcess.Patience);

    /// <summary>Runs a block.</summary>
    /// <exception cref="InvalidOperationException">The contestant failed, or has read something else than the database has.</exception>
    public async Task<Sample> RunAsync(int seconds, Func<string, bool> isRight)
    {
        var before = ProcessUsage.Of(_process.Id);
        var line = string.Create(CultureInfo.InvariantCulture, $"run {seconds * 1000}");
        var answer = await AskAsync(line, LineProcess.Patience + TimeSpan.FromSeconds(seconds));
        return Sample.Parse(answer, ProcessUsage.Of(_process.Id).Since(before), isRight);
    }

    public ValueTask DisposeAsync() => _process.DisposeAsync();

    private async Task<string> AskAsync(string line, TimeSpan patience)
    {
        try
        {
            var answer = await _process.AskAsync(line, patience);
            return answer.StartsWith("failed ", StringComparison.Ordinal) ? throw new InvalidOperationException(answer["failed ".Length..]) : answer;
        }
        catch (Exception exception) when (exception is IOException or TimeoutException)
        {
            throw new InvalidOperationException($"its program does not answer to '{line}'", exception);
        }
    }
}
