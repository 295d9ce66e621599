using System.Data.Common;
using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using System.Runtime.Loader;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Contestants;

internal sealed record FirstRowRequest(string Assembly, string Factory, string ConnectionString, Mode Mode);

/// <summary>
/// Measures from the start of a process to the first row. The figures are the child's: its CPU time and allocations, and the time until its line arrives.
/// </summary>
internal sealed class FirstRow(FirstRowRequest request) : Operation
{
    public const string Argument = "first-row";

    private const string Connection = "RACE_CONNECTION";
    private const string Query = "select value from integers";

    public override void Run(int count)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            Environment = { [Connection] = request.ConnectionString },
        };
        if (Path.GetFileNameWithoutExtension(start.FileName) == "dotnet")
            start.ArgumentList.Add(Assembly.GetExecutingAssembly().Location);
        foreach (var argument in (ReadOnlySpan<string>)[Argument, request.Assembly, request.Factory, request.Mode.ToString()])
            start.ArgumentList.Add(argument);

        double wall = 0, cpu = 0, allocated = 0;
        for (var i = 0; i < count; i++)
        {
            var clock = Stopwatch.GetTimestamp();
            using var process = Process.Start(start)!;
            var line = process.StandardOutput.ReadLine();
            wall += Stopwatch.GetElapsedTime(clock).TotalMicroseconds;
            process.WaitForExit();
            if (line?.Split(' ') is not ["row", var processor, var bytes])
                throw new InvalidOperationException(line ?? process.StandardError.ReadLine() ?? "the process ended without a row");
            cpu += double.Parse(processor, CultureInfo.InvariantCulture);
            allocated += double.Parse(bytes, CultureInfo.InvariantCulture);
        }

        OwnFigures = new Figures(wall / count, cpu / count, allocated / count);
    }

    public override Task RunAsync(int count)
    {
        Run(count);
        return Task.CompletedTask;
    }

    /// <summary>Runs the child: <c>first-row ASSEMBLY FACTORY MODE</c>, with the connection string in the environment.</summary>
    public static int Child(string[] arguments)
    {
        try
        {
            var factory = Load(arguments[1], arguments[2]);
            if (arguments[3] == nameof(Mode.Async))
                ReadAsync(factory).GetAwaiter().GetResult();
            else
                Read(factory);
            var cpu = Environment.CpuUsage.TotalTime.TotalMicroseconds;
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"row {cpu:F0} {GC.GetTotalAllocatedBytes(precise: true)}"));
            return 0;
        }
        catch (Exception exception)
        {
            Console.WriteLine(exception.Message.ReplaceLineEndings(" "));
            return 1;
        }
    }

    private static void Read(DbProviderFactory factory)
    {
        using var connection = factory.CreateConnection()!;
        connection.ConnectionString = Environment.GetEnvironmentVariable(Connection);
        connection.Open();
        using var command = connection.CreateCommand();
        command.CommandText = Query;
        using var reader = command.ExecuteReader();
        Check.Equal(1, reader.Read() && reader.GetInt32(0) >= 0 ? 1 : 0);
    }

    private static async Task ReadAsync(DbProviderFactory factory)
    {
        await using var connection = factory.CreateConnection()!;
        connection.ConnectionString = Environment.GetEnvironmentVariable(Connection);
        await connection.OpenAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = Query;
        await using var reader = await command.ExecuteReaderAsync();
        Check.Equal(1, await reader.ReadAsync() && reader.GetInt32(0) >= 0 ? 1 : 0);
    }

    // This does not use PeerLoader's context, because the child has only one provider, and the cost of loading it is part of the figure.
    private static DbProviderFactory Load(string path, string factory)
    {
        var folder = Path.GetDirectoryName(path)!;
        AssemblyLoadContext.Default.Resolving += (context, name) =>
            Path.Combine(folder, name.Name + ".dll") is var found && File.Exists(found) ? context.LoadFromAssemblyPath(found) : null;
        var type = AssemblyLoadContext.Default.LoadFromAssemblyPath(path).GetType(factory, throwOnError: true)!;
        return (DbProviderFactory)(type.GetField("Instance")?.GetValue(null) ?? type.GetProperty("Instance")!.GetValue(null)!);
    }
}
