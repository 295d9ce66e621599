using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text;
using Slipstream.Lab;
using Slipstream.Testing;

namespace Slipstream.Aot.Tests;

/// <summary>
/// samples/Aot, published trimmed and self-contained with the analysers for trimming and NativeAOT on. Compiling it to native code needs a runtime pack that cannot be restored
/// everywhere; samples/Aot/publish does it where it can.
/// </summary>
public sealed class PublishTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    [Fact]
    public async Task Published_trimmed_it_gives_no_warning_and_reads_rows_from_every_server()
    {
        List<string> urls = [];
        foreach (var kind in ServerKinds.All)
            urls.Add((await LiveServers.GetAsync(kind)).Settings.ToUrl());
        var root = Root();
        var folder = Path.Combine(root, "artifacts", "samples", "aot-test");

        var published = await RunAsync(root, "dotnet", "publish", "samples/Aot/Aot.csproj", "-c", "Release", "-r", RuntimeInformation.RuntimeIdentifier, "--self-contained", "-o", folder,
            "--nologo", "--disable-build-servers");
        Assert.True(published.ExitCode == 0, published.Output);
        Assert.DoesNotContain("warning", published.Output, StringComparison.OrdinalIgnoreCase);
        // The whole library has about 15 MB.
        Assert.InRange(new FileInfo(Path.Combine(folder, "System.Private.CoreLib.dll")).Length, 1, 6_000_000);

        var ran = await RunAsync(root, Path.Combine(folder, "slipstream-aot"), [.. urls]);
        Assert.True(ran.ExitCode == 0, ran.Output);
        Assert.Equal(urls.Count * 2, ran.Output.Split("  2  two  2.25  2026-02-02  a note\n  3  three  3.75  2026-03-03  NULL\n").Length - 1);
    }

    private static async Task<(int ExitCode, string Output)> RunAsync(string root, string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { WorkingDirectory = root, RedirectStandardOutput = true, RedirectStandardError = true };
        // MSBuild's variables of the program that runs this test would make the inner build another one.
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

    private static string Root()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Slipstream.slnx")))
            folder = folder.Parent ?? throw new DirectoryNotFoundException("The repository is not above the test's folder.");
        return folder.FullName;
    }
}
