using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;

namespace Slipstream.WebRace;

/// <summary>The load generator wrk(1): each connection sends its next request when it has the answer to the last one.</summary>
internal static partial class Wrk
{
    /// <exception cref="InvalidOperationException">wrk is missing, or failed.</exception>
    public static async Task<Load> RunAsync(Uri page, int connections, int seconds, string? processors, CancellationToken stop)
    {
        string[] wrk =
        [
            "wrk", "--latency", "--timeout", "10s", "-t", "1", "-c", connections.ToString(CultureInfo.InvariantCulture), "-d",
            string.Create(CultureInfo.InvariantCulture, $"{seconds}s"), page.ToString(),
        ];
        string[] words = processors is null ? wrk : ["taskset", "-c", processors, .. wrk];
        using var process = Process.Start(new ProcessStartInfo(words[0], words[1..]) { RedirectStandardOutput = true })!;
        var output = await process.StandardOutput.ReadToEndAsync(stop);
        await process.WaitForExitAsync(stop);
        return process.ExitCode == 0 ? Parse(output) : throw new InvalidOperationException($"wrk failed: {output.Trim()}");
    }

    /// <summary>Reads what wrk prints.</summary>
    /// <exception cref="InvalidOperationException">The text has another form.</exception>
    public static Load Parse(string output)
    {
        long failed = 0;
        if (SocketErrors().Match(output) is { Success: true } errors)
            failed += errors.Groups.Values.Skip(1).Sum(static group => long.Parse(group.Value, CultureInfo.InvariantCulture));
        if (OtherAnswers().Match(output) is { Success: true } others)
            failed += long.Parse(others.Groups[1].Value, CultureInfo.InvariantCulture);
        return new(
            long.Parse(Find(Requests(), output), CultureInfo.InvariantCulture), double.Parse(Find(PerSecond(), output), CultureInfo.InvariantCulture),
            Milliseconds(Find(Median(), output)), Milliseconds(Find(Slowest(), output)), failed);
    }

    private static string Find(Regex expression, string output) => expression.Match(output) is { Success: true } match
        ? match.Groups[1].Value : throw new InvalidOperationException($"wrk's output has no '{expression}': {output}");

    private static double Milliseconds(string text)
    {
        var (digits, factor) = text switch
        {
            [.. var number, 'u', 's'] => (number, 0.001),
            [.. var number, 'm', 's'] => (number, 1.0),
            [.. var number, 'm'] => (number, 60_000.0),
            [.. var number, 's'] => (number, 1000.0),
            _ => throw new InvalidOperationException($"wrk's time '{text}' has no known unit."),
        };
        return double.Parse(digits, CultureInfo.InvariantCulture) * factor;
    }

    [GeneratedRegex(@"(\d+) requests in ")]
    private static partial Regex Requests();

    [GeneratedRegex(@"Requests/sec:\s+([\d.]+)")]
    private static partial Regex PerSecond();

    [GeneratedRegex(@"50%\s+([\d.]+[a-z]+)")]
    private static partial Regex Median();

    [GeneratedRegex(@"99%\s+([\d.]+[a-z]+)")]
    private static partial Regex Slowest();

    [GeneratedRegex(@"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)")]
    private static partial Regex SocketErrors();

    [GeneratedRegex(@"Non-2xx or 3xx responses: (\d+)")]
    private static partial Regex OtherAnswers();
}

/// <summary>What wrk has measured.</summary>
/// <param name="Requests">The number of requests.</param>
/// <param name="PerSecond">Requests per second.</param>
/// <param name="Median">The median of the latencies, in milliseconds.</param>
/// <param name="Slowest">The 99th percentile of the latencies, in milliseconds.</param>
/// <param name="Failed">The number of requests that failed.</param>
internal sealed record Load(long Requests, double PerSecond, double Median, double Slowest, long Failed);
