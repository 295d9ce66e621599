using System.IO.Compression;
using System.Xml.Linq;

namespace Slipstream.Packages.Tests;

/// <summary>
/// The packages, created by <c>./pack</c> from copies of the sources in two folders, as if each were a clone of one commit that is published on the web.
/// </summary>
public sealed class PackedSources : IAsyncLifetime
{
    internal const string Commit = "0123456789abcdef0123456789abcdef01234567";
    internal const string Repository = "https://github.com/example/slipstream";

    // A time in 2026, in place of the commit's.
    internal const string Committed = "1790000000";

    /// <summary>The name of the package of the command slipstream, which is a program.</summary>
    internal const string Tool = "Slipstream.Tool";

    /// <summary>The packages with a library.</summary>
    internal static readonly string[] Names =
    [
        "Slipstream.Compat.MySqlConnector", "Slipstream.Core", "Slipstream.MySql", "Slipstream.MySql.Caching",
        "Slipstream.MySql.EntityFrameworkCore", "Slipstream.MySql.EntityFrameworkCore.Hosting",
        "Slipstream.MySql.EntityFrameworkCore.NetTopologySuite", "Slipstream.MySql.Extensions",
        "Slipstream.PostgreSql", "Slipstream.PostgreSql.Caching", "Slipstream.PostgreSql.Extensions",
        "Slipstream.PostgreSql.NetTopologySuite", "Slipstream.PostgreSql.NodaTime", "Slipstream.PostgreSql.Pgvector",
    ];

    /// <summary>Returns the name of a package's assembly.</summary>
    internal static string AssemblyOf(string name) => name == "Slipstream.Compat.MySqlConnector" ? "MySqlConnector" : name;

    private static readonly string[] Copied =
    [
        "src", "tools/Sbom", "eng", "pack", "global.json", "nuget.config", ".gitignore", "Directory.Build.props", "Directory.Packages.props",
        // What the tool shares with the race, and the guide that it contains.
        "bench/Race/Measuring", "bench/Race/Contestants", "docs/migrating.md",
    ];

    internal string Root { get; } = Programs.Root();

    /// <summary>The folders of the packages of the first and of the second copy.</summary>
    internal string First => Path.Combine(Folder, "one", "made");

    internal string Second => Path.Combine(Folder, "another", "and", "deeper", "made");

    internal string Folder => Path.Combine(Root, "artifacts", "packed");

    public async ValueTask InitializeAsync()
    {
        if (Directory.Exists(Folder))
            Directory.Delete(Folder, recursive: true);
        await Task.WhenAll(PackAsync(First), PackAsync(Second));
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    /// <summary>Reads a part of a package.</summary>
    internal byte[] Read(string package, string part)
    {
        using var archive = ZipFile.OpenRead(Path.Combine(First, package));
        using var stream = (archive.GetEntry(part) ?? throw new FileNotFoundException($"{package} has no {part}")).Open();
        using var bytes = new MemoryStream();
        stream.CopyTo(bytes);
        return bytes.ToArray();
    }

    /// <summary>Reads a package's own metadata.</summary>
    internal XElement Metadata(string name)
    {
        using var nuspec = new MemoryStream(Read($"{name}.0.1.0.nupkg", $"{name}.nuspec"));
        return XDocument.Load(nuspec).Root!.Elements().Single();
    }

    private async Task PackAsync(string output)
    {
        var copy = Path.Combine(Path.GetDirectoryName(output)!, "sources");
        foreach (var name in Copied)
            Copy(Path.Combine(Root, name), Path.Combine(copy, name));
        // The parts of a git clone that the SDK reads. Git itself need not be installed.
        var git = Directory.CreateDirectory(Path.Combine(copy, ".git")).FullName;
        Directory.CreateDirectory(Path.Combine(git, "objects"));
        Directory.CreateDirectory(Path.Combine(git, "refs"));
        await File.WriteAllTextAsync(Path.Combine(git, "HEAD"), Commit + "\n");
        await File.WriteAllTextAsync(Path.Combine(git, "config"), $"[core]\n\trepositoryformatversion = 0\n[remote \"origin\"]\n\turl = {Repository}.git\n");
        // The build of the tests has analysed the same sources; analysers change no byte of the packages.
        var (code, printed) = await Programs.RunAsync(copy, "env", $"SOURCE_DATE_EPOCH={Committed}", "RunAnalyzers=false", "./pack", "--output", output);
        Assert.True(code == 0, printed);
    }

    private static void Copy(string from, string to)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(to)!);
        if (File.Exists(from))
        {
            File.Copy(from, to);
            return;
        }

        foreach (var path in Directory.EnumerateFileSystemEntries(from).Where(static path => Path.GetFileName(path) is not ("bin" or "obj")))
            Copy(path, Path.Combine(to, Path.GetFileName(path)));
    }
}
