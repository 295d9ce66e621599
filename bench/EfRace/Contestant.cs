using System.Diagnostics;
using System.Globalization;

namespace Slipstream.EfRace;

/// <summary>A provider of EF Core in a process of its own, on one server.</summary>
internal sealed class Contestant : IAsyncDisposable
{
    private readonly Process _process;

    private Contestant(string name, string server, string program, string connectionString)
    {
        (Name, Server, Program, ConnectionString) = (name, server, program, connectionString);
        _process = Start("use", connectionString, program);
    }

    public string Name { get; }

    public string Server { get; }

    public string Program { get; }

    public string ConnectionString { get; }

    /// <summary>Creates the contestant's database, and starts its process.</summary>
    /// <returns>The contestant, or why it does not take part.</returns>
    public static async Task<(Contestant? Contestant, string? Missing)> StartAsync(string name, string server, string folder, string connectionString)
    {
        var program = Path.Combine(folder, name, $"EfRace.{name}.dll");
        if (!File.Exists(program))
            return (null, $"{name} does not take part: it could not be built ({Path.Combine(folder, name + ".missing")} says why)");
        using var create = Start("create", connectionString, program);
        var problem = await create.StandardError.ReadToEndAsync();
        await create.WaitForExitAsync();
        return create.ExitCode == 0
            ? (new Contestant(name, server, program, connectionString), null)
            : (null, $"{name} on {server} does not take part: {problem.Split('\n')[0]}");
    }

    /// <summary>Starts a second process on the same database, by another connection string.</summary>
    public Contestant By(string connectionString) => new(Name, Server, Program, connectionString);

    public async Task<IReadOnlyList<string>> ScenariosAsync() => (await AskAsync("scenarios")).Split(' ');

    /// <summary>Runs a scenario for some milliseconds, or a number of operations (<c>"20!"</c>).</summary>
    public async Task<Sample> RunAsync(string scenario, string mode, string limit)
    {
        if (scenario == Plan.ColdStart)
            return await RunColdAsync();
        var answer = await AskAsync(scenario == Plan.Pooled64 ? $"run QueryByKey pooled64 {limit}" : $"run {scenario} {mode} {limit}");
        return Sample.Parse(answer) ?? throw new InvalidOperationException($"{Name} on {Server}, {scenario}: {answer}");
    }

    public async ValueTask DisposeAsync()
    {
        _process.StandardInput.Close();
        await _process.WaitForExitAsync();
        _process.Dispose();
    }

    /// <summary>Drops the contestant's database.</summary>
    public async Task DropAsync()
    {
        using var drop = Start("drop", ConnectionString, Program);
        await drop.WaitForExitAsync();
    }

    private async Task<Sample> RunColdAsync()
    {
        var start = Stopwatch.GetTimestamp();
        using var process = Start("cold", ConnectionString, Program);
        var answer = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        var elapsed = Stopwatch.GetElapsedTime(start);
        return Sample.Parse(answer) is { } sample
            ? sample with { Wall = elapsed.TotalMicroseconds }
            : throw new InvalidOperationException($"{Name} on {Server}: the program failed at its start");
    }

    private async Task<string> AskAsync(string line)
    {
        await _process.StandardInput.WriteLineAsync(line);
        await _process.StandardInput.FlushAsync();
        return await _process.StandardOutput.ReadLineAsync() ?? throw new InvalidOperationException($"The program of {Name} on {Server} ended.");
    }

    // The standard error of a long-lived process is the race's own: nothing reads it otherwise.
    private static Process Start(string word, string connectionString, string program) =>
        Process.Start(new ProcessStartInfo("dotnet", ["exec", program, word, connectionString])
        {
            RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = word == "create",
        })!;
}

/// <summary>The figures of a block, for one operation.</summary>
/// <param name="Wall">Microseconds.</param>
/// <param name="Cpu">Microseconds of the client's CPU.</param>
/// <param name="Bytes">Bytes allocated.</param>
internal sealed record Sample(double Wall, double Cpu, double Bytes)
{
    public static Sample? Parse(string answer)
    {
        var words = answer.Trim().Split(' ');
        var numbers = new double[4];
        if (words.Length != 4)
            return null;
        for (var index = 0; index < 4; index++)
            if (!double.TryParse(words[index], NumberStyles.Float, CultureInfo.InvariantCulture, out numbers[index]))
                return null;
        return new(numbers[1] / numbers[0], numbers[2] / numbers[0], numbers[3] / numbers[0]);
    }
}
