using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Slipstream.Bench;
using Slipstream.Lab;
using Slipstream.WebRace;

namespace Slipstream.ScaleModel.Measuring;

/// <summary>A process of <see cref="WorkerProgram"/> for a server and a number of processors.</summary>
internal sealed class Worker : IAsyncDisposable
{
    private readonly LineProcess _process;

    private Worker(LineProcess process) => _process = process;

    public static Worker Start(LabServer server, string processors)
    {
        var kind = server.Kind.IsPostgreSql() ? "postgresql" : "mysql";
        var start = new ProcessStartInfo(
            "taskset", ["-c", processors, "dotnet", "exec", typeof(Worker).Assembly.Location, WorkerProgram.Option, kind])
        {
            RedirectStandardInput = true, RedirectStandardOutput = true,
        };
        start.Environment[WorkerProgram.ConnectionVariable] = Tables.ConnectionString(server, "seed");
        return new(new LineProcess(Process.Start(start)!));
    }

    public Task OpenAsync(Setting setting) => AskAsync(string.Create(CultureInfo.InvariantCulture, $"open {setting.Callers} {setting.Pool}"));

    public Task CloseAsync() => AskAsync("close");

    /// <summary>Runs a block.</summary>
    public async Task<Sample> RunAsync(int milliseconds, int server)
    {
        var (client, other) = (ProcessUsage.Of(_process.Id), ProcessUsage.Of(server));
        var answer = await AskAsync(string.Create(CultureInfo.InvariantCulture, $"run {milliseconds}"));
        var block = JsonSerializer.Deserialize<Block>(answer)!;
        var (cpu, sleeps) = ProcessUsage.Of(_process.Id).Since(client);
        return new(
            block.Operations * 1e6 / block.Microseconds, block.Median, block.P99, cpu / block.Operations,
            ProcessUsage.Of(server).Since(other).Cpu / block.Operations, (double)sleeps / block.Operations, (double)block.Collections / block.Operations,
            block.Collections == 0 ? 0 : block.Paused / block.Collections, (double)block.Bytes / block.Operations);
    }

    public ValueTask DisposeAsync() => _process.DisposeAsync();

    private Task<string> AskAsync(string line) => _process.AskAsync(line, LineProcess.Patience);
}
