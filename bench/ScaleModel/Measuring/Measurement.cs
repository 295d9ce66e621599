using System.Globalization;
using Slipstream.Bench;
using Slipstream.Lab;
using Slipstream.WebRace;

namespace Slipstream.ScaleModel.Measuring;

/// <summary>Measures cells on this machine, in interleaved rounds.</summary>
internal static class Measurement
{
    /// <param name="settings">The cells.</param>
    /// <param name="rounds">How often each of them is measured.</param>
    /// <param name="milliseconds">The length of a block.</param>
    /// <param name="stop">Ends the measurement.</param>
    /// <returns>The samples of each cell.</returns>
    public static async Task<Dictionary<Setting, List<Sample>>> RunAsync(
        IReadOnlyList<Setting> settings, int rounds, int milliseconds, CancellationToken stop)
    {
        var servers = new Dictionary<string, LabServer>();
        var workers = new Dictionary<(string Server, int Processors), Worker>();
        var samples = settings.ToDictionary(static one => one, static _ => new List<Sample>());
        try
        {
            foreach (var word in settings.Select(static one => one.Server).Distinct())
            {
                if (!ServerKinds.TryParse(word, out var kind))
                    throw new ArgumentException($"there is no server '{word}'");
                servers[word] = await LabServer.StartAsync(kind, stop);
                await Tables.CreateAsync(servers[word], stop);
            }

            foreach (var setting in settings)
            {
                var key = (setting.Server, setting.Processors.Client);
                if (workers.ContainsKey(key))
                    continue;
                workers[key] = Worker.Start(servers[setting.Server], setting.Processors.Client == 1 ? "0" : All);
                // The compiler of the runtime needs this time, with callers that wait for a connection and with callers that do not.
                foreach (var pool in (int[])[4, 16, 4, 16])
                    await BlockAsync(setting with { Callers = 16, Pool = pool }, workers[key], servers[setting.Server], 2500);
            }

            for (var round = 0; round < rounds; round++)
            {
                foreach (var setting in round % 2 == 0 ? settings : settings.Reverse())
                {
                    stop.ThrowIfCancellationRequested();
                    var sample = await BlockAsync(setting, workers[(setting.Server, setting.Processors.Client)], servers[setting.Server], milliseconds);
                    samples[setting].Add(sample);
                    await Console.Error.WriteLineAsync(
                        $"{round + 1}: {setting.Server} {setting.Callers}/{setting.Pool} {setting.Processors}: {sample.PerSecond:0}/s, p50 {sample.Median:0}, "
                            + $"p99 {sample.P99:0} µs, CPU {sample.ClientCpu:0.0} + {sample.ServerCpu:0.0} µs, {sample.Sleeps:0.00} sleeps, "
                            + $"{sample.Bytes:0} bytes, {sample.Collections * 1e6:0} collections per million of {sample.Collection:0} µs");
                }
            }

            return samples;
        }
        finally
        {
            foreach (var worker in workers.Values)
                await worker.DisposeAsync();
            foreach (var server in servers.Values)
            {
                await Affinity.SetAsync(server.ProcessId, All);
                await server.DisposeAsync();
            }
        }
    }

    private static string All => string.Create(CultureInfo.InvariantCulture, $"0-{Environment.ProcessorCount - 1}");

    private static async Task<Sample> BlockAsync(Setting setting, Worker worker, LabServer server, int milliseconds)
    {
        await Affinity.SetAsync(server.ProcessId, setting.Processors is { Client: 1, Server: 0 } ? "0" : setting.Processors.Server == 1 ? "1" : All);
        await worker.OpenAsync(setting);
        try
        {
            // Statements prepare themselves with their third execution in a session, and another thread of the engine needs 20 ms.
            await worker.RunAsync(300, server.ProcessId);
            return await worker.RunAsync(milliseconds, server.ProcessId);
        }
        finally
        {
            await worker.CloseAsync();
        }
    }
}
