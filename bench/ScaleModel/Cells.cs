namespace Slipstream.ScaleModel;

/// <summary>The cells of the tables.</summary>
internal static class Cells
{
    public static IReadOnlyList<string> Servers { get; } = ["mysql", "postgresql"];

    /// <summary>Returns what the model predicts and this machine can measure.</summary>
    public static IEnumerable<Setting> OfThisMachine(IReadOnlyList<int> allCallers, IReadOnlyList<int> pools) =>
        from server in Servers
        from processors in (Processors[])[Processors.One, Processors.Divided, Processors.Together]
        from callers in allCallers
        from pool in pools
        select new Setting(server, callers, pool, processors);

    /// <summary>Gets what it predicts for larger machines: as many processors for the server as for the client, 200 µs of network between them.</summary>
    public static IEnumerable<Setting> OfLargerMachines =>
        from server in Servers
        from processors in (int[])[2, 4, 8, 16, 32, 64, 128]
        from callers in (int[])[10, 100, 1000, 10_000]
        from pool in (int[])[100, 10_000]
        where callers > 100 || pool == 100
        select new Setting(server, callers, pool, new(processors, processors)) { RoundTrip = 200, IsMeasuredMachine = false };
}
