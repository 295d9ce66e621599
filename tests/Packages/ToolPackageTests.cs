using System.Text;
using System.Text.Json;
using System.Xml.Linq;
using Slipstream.Lab;
using Slipstream.Testing;

namespace Slipstream.Packages.Tests;

/// <summary>The package of the command slipstream, as a user installs and uses it.</summary>
public sealed class ToolPackageTests(PackedSources packed)
{
    private const string Package = PackedSources.Tool + ".0.1.0.nupkg";
    private const string Folder = "tools/net10.0/any/";

    [Fact]
    public void It_is_a_tool_with_a_page_of_its_own()
    {
        var metadata = packed.Metadata(PackedSources.Tool);
        string Text(string element) => metadata.Elements().Single(child => child.Name.LocalName == element).Value;
        Assert.Equal("DotnetTool", metadata.Descendants().Single(static one => one.Name.LocalName == "packageType").Attribute("name")!.Value);
        Assert.StartsWith($"# {PackedSources.Tool}\n", Encoding.UTF8.GetString(packed.Read(Package, Text("readme"))), StringComparison.Ordinal);
        Assert.Equal(PackedSources.Repository, Text("projectUrl"));
        using var settings = new MemoryStream(packed.Read(Package, Folder + "DotnetToolSettings.xml"));
        Assert.Equal("slipstream", XDocument.Load(settings).Descendants("Command").Single().Attribute("Name")!.Value);
    }

    [Fact]
    public void The_bill_of_materials_names_what_the_package_contains()
    {
        using var bill = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(packed.First, PackedSources.Tool + ".0.1.0.cdx.json")));
        var names = bill.RootElement.GetProperty("components").EnumerateArray().Select(static one => one.GetProperty("name").GetString()!).ToHashSet();
        Assert.Superset(
            new HashSet<string> { "Microsoft.CodeAnalysis.CSharp", "Slipstream.Core", "Slipstream.MySql", "Slipstream.PostgreSql", "Spectre.Console",
                "System.CommandLine" },
            names);
        Assert.All(bill.RootElement.GetProperty("components").EnumerateArray(), static one => Assert.NotEmpty(one.GetProperty("licenses").EnumerateArray()));
    }

    [Theory]
    [InlineData("MySqlConnector", ServerKind.MySql)]
    [InlineData("Npgsql", ServerKind.PostgreSql)]
    public async Task A_user_installs_it_examines_a_server_and_migrates_a_solution_that_then_builds(string fixture, ServerKind kind)
    {
        // Outside the repository, whose files of properties would be in force.
        var folder = Directory.CreateTempSubdirectory("slipstream-tool-").FullName;
        try
        {
            Copy(Path.Combine(packed.Root, "tests", "Tool", "Fixtures", fixture), Path.Combine(folder, "solution"));
            var tools = Path.Combine(folder, "tools");
            // An empty configuration: the packages are in the folder, and the tool brings everything that it uses.
            await File.WriteAllTextAsync(
                Path.Combine(folder, "nuget.config"),
                    $"<configuration><packageSources><clear /><add key=\"packed\" value=\"{packed.First}\" /></packageSources></configuration>",
                TestContext.Current.CancellationToken);
            var (code, printed) = await Programs.RunAsync(
                folder, "dotnet", "tool", "install", PackedSources.Tool, "--version", "0.1.0", "--tool-path", tools, "--configfile",
                    Path.Combine(folder, "nuget.config"));
            Assert.True(code == 0, printed);
            var tool = Path.Combine(tools, "slipstream");

            (code, printed) = await Programs.RunAsync(folder, tool, "--help");
            Assert.True(code == 0, printed);
            Assert.All((string[])["doctor", "migrate", "bench", "cache"], command => Assert.Contains(command, printed, StringComparison.Ordinal));

            var server = await LiveServers.GetAsync(kind);
            (code, printed) = await Programs.RunAsync(
                folder, "env", "SHOP=" + ConnectionStrings.Of(server), tool, "doctor", "--env", "SHOP", "--provider", kind.IsPostgreSql() ? "postgresql"
                    : "mysql", "--samples", "3");
            Assert.True(code is 0 or 1, printed);
            Assert.Contains("server  ok  ", printed, StringComparison.Ordinal);
            Assert.DoesNotContain(server.Password, printed, StringComparison.Ordinal);

            var solution = Path.Combine(folder, "solution");
            (_, printed) = await Programs.RunAsync(folder, tool, "migrate", solution, "--apply");
            Assert.Contains("made in", printed, StringComparison.Ordinal);
            (code, printed) = await BuildAsync(solution);
            Assert.True(code == 0, printed);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private Task<(int ExitCode, string Output)> BuildAsync(string solution)
    {
        var machine = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
            ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
        // An own folder for packages, because the machine's may hold others of this version; what is not in the packed folder comes from the machine's.
        return Programs.RunAsync(
            solution, "dotnet", "build", Path.Combine(solution, "Shop", "Shop.csproj"), "-c", "Release", "--nologo", "-v", "quiet", "-nodeReuse:false",
            $"-p:RestorePackagesPath={Path.Combine(solution, "packages")}", $"-p:RestoreAdditionalProjectSources={packed.First}",
                $"-p:RestoreFallbackFolders={machine}",
            "-p:NuGetAudit=false", "-p:InvariantGlobalization=true");
    }

    private static void Copy(string from, string to)
    {
        foreach (var file in Directory.EnumerateFiles(from, "*", SearchOption.AllDirectories))
        {
            var target = Path.Combine(to, Path.GetRelativePath(from, file));
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            File.Copy(file, target);
        }
    }
}
