using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Slipstream.Lab;
using Slipstream.Testing;

namespace Slipstream.Packages.Tests;

/// <summary>The packages as ./pack creates them, and as a user installs and uses them.</summary>
public sealed class PackageTests(PackedSources packed)
{
    // https://github.com/dotnet/runtime/blob/main/docs/design/specs/PortablePdb-Metadata.md#source-link-c-and-vb-compilers
    private static readonly Guid SourceLink = new("CC110556-A091-4D38-9FEC-25AB9A351A6A");
    private static readonly Guid EmbeddedSource = new("0E8A571B-6926-466E-B4AD-8AB04611F5FE");

    public static TheoryData<string> Names => [.. PackedSources.Names];

    [Fact]
    public void The_same_commit_makes_the_same_bytes_in_another_folder()
    {
        var first = Directory.EnumerateFiles(packed.First).Select(static path => Path.GetFileName(path)!).Order(StringComparer.Ordinal).ToList();
        Assert.Equal(
            PackedSources.Names.Append(PackedSources.Tool)
                .SelectMany(static name => (string[])[$"{name}.0.1.0.cdx.json", $"{name}.0.1.0.nupkg", $"{name}.0.1.0.snupkg"])
                .Append("SHA256SUMS")
                .Order(StringComparer.Ordinal),
            first);
        foreach (var name in first)
            Assert.True(
                File.ReadAllBytes(Path.Combine(packed.First, name)).AsSpan().SequenceEqual(File.ReadAllBytes(Path.Combine(packed.Second, name))),
                $"{name} differs");
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void A_package_has_its_library_its_documentation_and_where_it_comes_from(string name)
    {
        var metadata = packed.Metadata(name);
        string Text(string element) => metadata.Elements().Single(child => child.Name.LocalName == element).Value;
        Assert.Equal(name, Text("id"));
        Assert.Equal("MIT", Text("license"));
        Assert.NotEmpty(packed.Read($"{name}.0.1.0.nupkg", Text("readme")));
        var repository = metadata.Elements().Single(static child => child.Name.LocalName == "repository");
        Assert.Equal(PackedSources.Commit, repository.Attribute("commit")!.Value);
        Assert.Equal(PackedSources.Repository, repository.Attribute("url")!.Value.Replace(".git", "", StringComparison.Ordinal));
        var library = $"lib/net10.0/{PackedSources.AssemblyOf(name)}";
        Assert.Contains("<member name=", Encoding.UTF8.GetString(packed.Read($"{name}.0.1.0.nupkg", library + ".xml")), StringComparison.Ordinal);

        using var image = new PEReader(new MemoryStream(packed.Read($"{name}.0.1.0.nupkg", library + ".dll")));
        Assert.Contains(image.ReadDebugDirectory(), static entry => entry.Type == DebugDirectoryEntryType.Reproducible);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void A_packages_page_has_its_own_readme_an_icon_an_address_and_tags(string name)
    {
        var metadata = packed.Metadata(name);
        string Text(string element) => metadata.Elements().Single(child => child.Name.LocalName == element).Value;
        Assert.Equal(PackedSources.Repository, Text("projectUrl"));
        Assert.Equal(File.ReadAllBytes(Path.Combine(packed.Root, "eng", "icon.png")), packed.Read($"{name}.0.1.0.nupkg", Text("icon")));
        Assert.Equal(Text("tags").Split(' ').Distinct(), Text("tags").Split(' '));
        Assert.Contains("ado.net", Text("tags").Split(' '));
        Assert.Equal(name.Contains("MySql", StringComparison.Ordinal), Text("tags").Contains("mysql", StringComparison.Ordinal));
        Assert.Equal(name.Contains("PostgreSql", StringComparison.Ordinal), Text("tags").Contains("postgresql", StringComparison.Ordinal));

        var readme = Encoding.UTF8.GetString(packed.Read($"{name}.0.1.0.nupkg", Text("readme")));
        Assert.StartsWith($"# {name}\n", readme, StringComparison.Ordinal);
        var links = readme.Split("](").Skip(1).Select(static rest => rest[..rest.IndexOf(')', StringComparison.Ordinal)]).ToList();
        Assert.NotEmpty(links);
        Assert.All(links, static link => Assert.StartsWith($"{PackedSources.Repository}/blob/{PackedSources.Commit}/", link, StringComparison.Ordinal));
    }

    [Fact]
    public void A_driver_brings_two_packages_of_abstractions_and_nothing_else()
    {
        Assert.Equal(["Microsoft.Extensions.DependencyInjection.Abstractions", "Microsoft.Extensions.Logging.Abstractions"], Dependencies("Slipstream.Core"));
        Assert.Equal(["Slipstream.Core"], Dependencies("Slipstream.MySql"));
        Assert.Equal(["Slipstream.Core"], Dependencies("Slipstream.PostgreSql"));
        Assert.Equal(["Slipstream.Core"], Dependencies("Slipstream.Compat.MySqlConnector"));
    }

    // The drivers use internal members of the core.
    [Theory]
    [InlineData("Slipstream.MySql")]
    [InlineData("Slipstream.PostgreSql")]
    [InlineData("Slipstream.Compat.MySqlConnector")]
    public void A_driver_takes_the_core_of_its_own_version_only(string name) =>
        Assert.Equal(
            "[0.1.0]",
            packed.Metadata(name).Descendants().Single(static element => (string?)element.Attribute("id") == "Slipstream.Core").Attribute("version")!.Value);

    [Theory]
    [MemberData(nameof(Names))]
    public void A_debugger_finds_every_source_file_at_its_commit(string name)
    {
        using var bytes = new MemoryStream(packed.Read($"{name}.0.1.0.snupkg", $"lib/net10.0/{PackedSources.AssemblyOf(name)}.pdb"));
        using var provider = MetadataReaderProvider.FromPortablePdbStream(bytes);
        var symbols = provider.GetMetadataReader();
        var link = Encoding.UTF8.GetString(
            symbols.GetBlobBytes(Custom(symbols, System.Reflection.Metadata.Ecma335.MetadataTokens.EntityHandle(1), SourceLink).Single().Value));
        using var json = JsonDocument.Parse(link);
        var map = json.RootElement.GetProperty("documents").EnumerateObject().Single();
        Assert.Equal("/_/*", map.Name);
        Assert.Equal($"https://raw.githubusercontent.com/example/slipstream/{PackedSources.Commit}/*", map.Value.GetString());

        var used = symbols.MethodDebugInformation.Select(symbols.GetMethodDebugInformation)
            .SelectMany(static method => method.GetSequencePoints().Select(static point => point.Document).Append(method.Document)).ToHashSet();
        var linked = 0;
        foreach (var handle in symbols.Documents)
        {
            var path = symbols.GetString(symbols.GetDocument(handle).Name);
            // Compiler-generated sources are in no repository, so they are embedded in the symbols.
            // No line of a program is in the renamed copy of a source: it refers to the original.
            if (Custom(symbols, handle, EmbeddedSource).Any() || (path.Contains("/renamed/", StringComparison.Ordinal) && !used.Contains(handle)))
                continue;
            linked++;
            Assert.StartsWith("/_/src/", path, StringComparison.Ordinal);
            var source = Path.Combine(packed.Root, path["/_/".Length..]);
            Assert.True(File.Exists(source), source);
            Assert.Equal(SHA256.HashData(File.ReadAllBytes(source)), symbols.GetBlobBytes(symbols.GetDocument(handle).Hash));
        }

        Assert.True(linked > 0, "no source file is linked");
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void The_bill_of_materials_names_the_package_and_all_that_it_brings(string name)
    {
        using var bill = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(packed.First, $"{name}.0.1.0.cdx.json")));
        var root = bill.RootElement;
        Assert.Equal(("CycloneDX", "1.6"), (root.GetProperty("bomFormat").GetString(), root.GetProperty("specVersion").GetString()));
        var described = root.GetProperty("metadata").GetProperty("component");
        Assert.Equal($"pkg:nuget/{name}@0.1.0", described.GetProperty("purl").GetString());
        Assert.Equal(
            Convert.ToHexStringLower(SHA512.HashData(File.ReadAllBytes(Path.Combine(packed.First, $"{name}.0.1.0.nupkg")))),
            described.GetProperty("hashes")[0].GetProperty("content").GetString());

        var components = root.GetProperty("components").EnumerateArray().ToDictionary(static component => component.GetProperty("bom-ref").GetString()!);
        foreach (var (url, component) in components)
        {
            Assert.NotEmpty(component.GetProperty("licenses").EnumerateArray());
            // A package's hash is of the downloaded package; a sibling package has its hash in its own bill of materials.
            Assert.Equal(!url.StartsWith("pkg:nuget/Slipstream.", StringComparison.Ordinal), component.TryGetProperty("hashes", out _));
        }

        var uses = root.GetProperty("dependencies").EnumerateArray().ToDictionary(
            static entry => entry.GetProperty("ref").GetString()!,
            static entry => entry.GetProperty("dependsOn").EnumerateArray().Select(static used => used.GetString()!).ToList());
        Assert.Equal(
            Dependencies(name), uses[$"pkg:nuget/{name}@0.1.0"].Select(static url => url["pkg:nuget/".Length..url.IndexOf('@', StringComparison.Ordinal)]));
        Assert.Equal(components.Keys.Order(StringComparer.Ordinal), Reachable(uses, $"pkg:nuget/{name}@0.1.0").Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task A_package_that_is_known_to_be_vulnerable_ends_the_packing()
    {
        await using var source = VulnerabilitySource.Start("microsoft.extensions.logging.abstractions");
        var settings = Path.Combine(packed.Folder, "one", "sources", "nuget.config");
        var original = await File.ReadAllTextAsync(settings);
        try
        {
            await File.WriteAllTextAsync(
                settings,
                original.Replace(
                    "value=\"https://api.nuget.org/v3/index.json\"", $"value=\"{source.Url}\" allowInsecureConnections=\"true\"", StringComparison.Ordinal));
            var unwanted = Path.Combine(packed.Folder, "unwanted");
            var (code, printed) = await Programs.RunAsync(
                Path.GetDirectoryName(settings)!, "env", $"SOURCE_DATE_EPOCH={PackedSources.Committed}", "./pack", "--output", unwanted);
            Assert.True(code == 1, printed);
            Assert.Contains("'Microsoft.Extensions.Logging.Abstractions' 10.0.0 has a known high severity vulnerability", printed, StringComparison.Ordinal);
            Assert.Empty(Directory.EnumerateFileSystemEntries(unwanted));
        }
        finally
        {
            await File.WriteAllTextAsync(settings, original);
        }
    }

    [Fact]
    public async Task Without_a_list_of_vulnerabilities_it_says_so_and_ends_where_one_is_required()
    {
        await using var source = VulnerabilitySource.Start(vulnerable: null);
        var settings = Path.Combine(packed.Folder, "another", "and", "deeper", "sources", "nuget.config");
        var original = await File.ReadAllTextAsync(settings);
        try
        {
            await File.WriteAllTextAsync(
                settings,
                original.Replace(
                    "value=\"https://api.nuget.org/v3/index.json\"", $"value=\"{source.Url}\" allowInsecureConnections=\"true\"", StringComparison.Ordinal));
            var (code, printed) = await Programs.RunAsync(
                Path.GetDirectoryName(settings)!, "env", $"SOURCE_DATE_EPOCH={PackedSources.Committed}", "./pack", "--require-audit", "--output",
                Path.Combine(packed.Folder, "unwanted"));
            Assert.True(code == 1, printed);
            Assert.Contains("nothing was audited", printed, StringComparison.Ordinal);
        }
        finally
        {
            await File.WriteAllTextAsync(settings, original);
        }
    }

    [Fact]
    public async Task A_wrong_option_is_named_with_the_help()
    {
        var (code, printed) = await Programs.RunAsync(packed.Root, Path.Combine(packed.Root, "pack"), "--signed");
        Assert.Equal(2, code);
        Assert.Contains("there is no option '--signed'", printed, StringComparison.Ordinal);
        Assert.Contains("Usage: ./pack", printed, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_program_installs_the_packages_and_asks_every_server()
    {
        List<string> arguments = [];
        foreach (var kind in ServerKinds.All)
        {
            var server = await LiveServers.GetAsync(kind);
            arguments.AddRange([kind.IsPostgreSql() ? "postgresql" : "mysql", ConnectionStrings.Of(server)]);
        }

        var consumer = Path.Combine(packed.Folder, "consumer");
        Directory.CreateDirectory(consumer);
        foreach (var source in Directory.EnumerateFiles(Path.Combine(packed.Root, "tests", "Packages", "Consumer")))
            File.Copy(source, Path.Combine(consumer, Path.GetFileName(source)), overwrite: true);
        var machine = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
            ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
        var built = await Programs.RunAsync(
            consumer, "dotnet", "build", "-c", "Release", "-o", Path.Combine(consumer, "built"), $"-p:Packages={packed.First}", $"-p:MachinePackages={machine}",
            "--nologo", "-v", "quiet", "-nodeReuse:false");
        Assert.True(built.ExitCode == 0, built.Output);
        // These packages, and none of the same name from another source.
        Assert.Equal(
            packed.Read("Slipstream.MySql.0.1.0.nupkg", "lib/net10.0/Slipstream.MySql.dll"),
            await File.ReadAllBytesAsync(Path.Combine(consumer, "built", "Slipstream.MySql.dll")));

        var (code, output) = await Programs.RunAsync(consumer, "dotnet", [Path.Combine("built", "Consumer.dll"), .. arguments]);
        Assert.True(code == 0, output);
        Assert.Equal(ServerKinds.All.Count, output.Split("grüße 42\n").Length - 1);
    }

    private List<string> Dependencies(string name) =>
        [
            .. packed.Metadata(name)
                .Descendants()
                .Where(static element => element.Name.LocalName == "dependency")
                .Select(static element => element.Attribute("id")!.Value)
                .Order(StringComparer.Ordinal)
        ];

    private static IEnumerable<CustomDebugInformation> Custom(MetadataReader symbols, EntityHandle of, Guid kind) =>
        symbols.GetCustomDebugInformation(of).Select(symbols.GetCustomDebugInformation).Where(information => symbols.GetGuid(information.Kind) == kind);

    private static HashSet<string> Reachable(Dictionary<string, List<string>> uses, string from)
    {
        HashSet<string> reached = [];
        Stack<string> left = new(uses[from]);
        while (left.TryPop(out var url))
        {
            if (!reached.Add(url))
                continue;
            foreach (var used in uses[url])
                left.Push(used);
        }

        return reached;
    }
}
