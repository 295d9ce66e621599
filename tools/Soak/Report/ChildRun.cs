using System.Diagnostics;

namespace Slipstream.Soak.Report;

/// <summary>A run in a process of its own, which ends in order if its input ends.</summary>
internal static class ChildRun
{
    /// <summary>Runs this program again and returns its exit code.</summary>
    /// <param name="through">Turns the command of the program into one that runs it elsewhere.</param>
    /// <param name="options">The options of the run.</param>
    /// <param name="say">Gets each line of the output.</param>
    /// <param name="ct">Ends the run with its last checks and its summary.</param>
    public static async Task<int> RunAsync(
        Func<IEnumerable<string>, IEnumerable<string>> through, IEnumerable<string> options, Action<string> say, CancellationToken ct)
    {
        string[] command = [Environment.ProcessPath!, typeof(ChildRun).Assembly.Location, .. options, "--until-input-ends"];
        // In a session of its own, so that Ctrl-C in the terminal reaches only this program, which ends the others in order.
        using var process = Process.Start(
            new ProcessStartInfo("setsid", ["--wait", .. through(command)])
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true
            })!;
        using var registration = ct.Register(process.StandardInput.Close);
        var errors = Lines(process.StandardError, say);
        await Lines(process.StandardOutput, say);
        await errors;
        await process.WaitForExitAsync(CancellationToken.None);
        return process.ExitCode;
    }

    private static async Task Lines(StreamReader reader, Action<string> say)
    {
        while (await reader.ReadLineAsync() is { } line)
            say(line);
    }
}
