using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using Slipstream.Lab;

namespace Slipstream.Race.Servers;

/// <summary>The lab's proxy in a separate process, so that its cost does not count as the client's.</summary>
internal sealed class LatencyProxy : IDisposable
{
    public const string Argument = "proxy";

    private readonly Process _process;

    private LatencyProxy(Process process, int port)
    {
        _process = process;
        Port = port;
    }

    public int Port { get; }

    public static LatencyProxy Start(string host, int port, TimeSpan latency)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!) { RedirectStandardInput = true, RedirectStandardOutput = true };
        if (Path.GetFileNameWithoutExtension(start.FileName) == "dotnet")
            start.ArgumentList.Add(Assembly.GetExecutingAssembly().Location);
        var microseconds = latency.TotalMicroseconds.ToString("F0", CultureInfo.InvariantCulture);
        foreach (var argument in (ReadOnlySpan<string>)[Argument, host, port.ToString(CultureInfo.InvariantCulture), microseconds])
            start.ArgumentList.Add(argument);
        var process = Process.Start(start)!;
        return int.TryParse(process.StandardOutput.ReadLine(), CultureInfo.InvariantCulture, out var own)
            ? new LatencyProxy(process, own)
            : throw new InvalidOperationException("the latency proxy did not start");
    }

    /// <summary>Runs the child: <c>proxy HOST PORT MICROSECONDS</c>. It prints its port and runs until its standard input ends.</summary>
    public static async Task<int> ChildAsync(string[] arguments)
    {
        await using var proxy = LabProxy.Start(arguments[1], int.Parse(arguments[2], CultureInfo.InvariantCulture));
        proxy.Latency = TimeSpan.FromMicroseconds(long.Parse(arguments[3], CultureInfo.InvariantCulture));
        Console.WriteLine(proxy.Port.ToString(CultureInfo.InvariantCulture));
        while (Console.ReadLine() is not null)
        {
        }

        return 0;
    }

    // The child ends when its standard input ends.
    public void Dispose()
    {
        _process.StandardInput.Dispose();
        _process.WaitForExit(TimeSpan.FromSeconds(2));
        _process.Dispose();
    }
}
