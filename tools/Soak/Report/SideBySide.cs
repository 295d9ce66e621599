using System.Collections.Concurrent;
using System.Globalization;
using Slipstream.Lab;

namespace Slipstream.Soak.Report;

/// <summary>Runs one process for each server at the same time, so that their resources are counted separately.</summary>
internal static class SideBySide
{
    private static readonly ServerKind[] Kinds = [ServerKind.MySql, ServerKind.MariaDb, ServerKind.PostgreSql];

    public static async Task<int> RunAsync(double minutes, int seed, bool withoutFaults, CancellationToken ct)
    {
        var states = new ConcurrentDictionary<ServerKind, string>();
        var results = new ConcurrentDictionary<ServerKind, string>();
        using var progress = ProgressLine.Create("all", isChild: false);
        var exitCodes = await Task.WhenAll(Kinds.Select(kind => RunAsync(kind, minutes, seed, withoutFaults, line =>
        {
            if (line.StartsWith(ProgressLine.Mark, StringComparison.Ordinal))
            {
                states[kind] = line[ProgressLine.Mark.Length..];
                progress.Report(string.Join("; ", states.OrderBy(static s => s.Key).Select(static s => $"{s.Key.Word()}: {s.Value}")));
                return;
            }

            results[kind] = line;
            Console.Out.WriteLine($"[{kind.Word()}] {line}");
        }, ct)));
        var failed = Kinds.Where((_, i) => exitCodes[i] != 0).Select(static kind => kind.DisplayName()).ToList();
        foreach (var (_, line) in results.OrderBy(static result => result.Key))
            Console.Out.WriteLine(line);
        Console.Out.WriteLine(failed.Count == 0
            ? $"soak: clean on {string.Join(", ", Kinds.Select(static kind => kind.DisplayName()))}; seed {seed.ToString(CultureInfo.InvariantCulture)}"
            : $"soak: NOT clean on {string.Join(", ", failed)}; seed {seed.ToString(CultureInfo.InvariantCulture)}");
        return failed.Count == 0 ? 0 : 1;
    }

    private static Task<int> RunAsync(ServerKind kind, double minutes, int seed, bool withoutFaults, Action<string> say, CancellationToken ct)
    {
        string[] options =
        [
            "--server", kind.Word(), "--minutes", minutes.ToString(CultureInfo.InvariantCulture), "--seed", seed.ToString(CultureInfo.InvariantCulture),
            .. withoutFaults ? (string[])["--no-faults"] : [],
        ];
        return ChildRun.RunAsync(static command => command, options, say, ct);
    }
}
