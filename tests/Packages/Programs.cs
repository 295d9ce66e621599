using System.Diagnostics;
using System.Text;

namespace Slipstream.Packages.Tests;

/// <summary>Runs programs from the repository's folder.</summary>
internal static class Programs
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(10);

    public static async Task<(int ExitCode, string Output)> RunAsync(string root, string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { WorkingDirectory = root, RedirectStandardOutput = true, RedirectStandardError = true };
        // MSBuild's variables of the program that runs this test would affect the inner build.
        foreach (var name in start.Environment.Keys.Where(static name => name.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase)).ToList())
            start.Environment.Remove(name);
        using var process = Process.Start(start)!;
        var output = new StringBuilder();
        void Keep(object sender, DataReceivedEventArgs line)
        {
            lock (output)
                output.Append(line.Data).Append('\n');
        }

        process.OutputDataReceived += Keep;
        process.ErrorDataReceived += Keep;
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        using var patience = new CancellationTokenSource(Patience);
        try
        {
            await process.WaitForExitAsync(patience.Token);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            Assert.Fail($"{program} did not end within {Patience.TotalMinutes} minutes.\n{output}");
        }

        lock (output)
            return (process.ExitCode, output.ToString());
    }

    public static string Root()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Slipstream.slnx")))
            folder = folder.Parent ?? throw new DirectoryNotFoundException("The repository is not above the test's folder.");
        return folder.FullName;
    }
}
