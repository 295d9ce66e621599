using System.Runtime.InteropServices;
using Slipstream.Lab;
using Slipstream.Testing;

namespace Slipstream.Packages.Tests;

/// <summary>
/// Publishes samples/Aot trimmed and self-contained, with the analysers for trimming and NativeAOT on. A compilation to native code needs a runtime pack that
/// cannot be restored everywhere; samples/Aot/publish does it where that is possible.
/// </summary>
public sealed class PublishTests
{
    [Fact]
    public async Task Published_trimmed_it_gives_no_warning_and_reads_rows_from_every_server()
    {
        List<string> urls = [];
        foreach (var kind in ServerKinds.All)
            urls.Add((await LiveServers.GetAsync(kind)).Settings.ToUrl());
        var root = Programs.Root();
        var folder = Path.Combine(root, "artifacts", "samples", "aot-test");

        var published = await Programs.RunAsync(
            root, "dotnet", "publish", "samples/Aot/Aot.csproj", "-c", "Release", "-r", RuntimeInformation.RuntimeIdentifier, "--self-contained", "-o", folder,
            "--nologo", "--disable-build-servers");
        Assert.True(published.ExitCode == 0, published.Output);
        Assert.DoesNotContain("warning", published.Output, StringComparison.OrdinalIgnoreCase);
        // The untrimmed library has about 15 MB.
        Assert.InRange(new FileInfo(Path.Combine(folder, "System.Private.CoreLib.dll")).Length, 1, 6_000_000);

        var ran = await Programs.RunAsync(root, Path.Combine(folder, "slipstream-aot"), [.. urls]);
        Assert.True(ran.ExitCode == 0, ran.Output);
        Assert.Equal(urls.Count * 2, ran.Output.Split("  2  two  2.25  2026-02-02  a note\n  3  three  3.75  2026-03-03  NULL\n").Length - 1);
        const string Features = "  procedure: 42\n  batch: 3\n  bulk copy: 50\n  scope: 1\n  attributes: sent\n  adapter: 4 filled, the last is in a scope\n  "
            + "schema: 1\n  columns: id:Int32 name:String\n";
        Assert.Equal(urls.Count(static url => !url.StartsWith("postgresql", StringComparison.Ordinal)), ran.Output.Split(Features).Length - 1);
    }
}
