using System.Text.RegularExpressions;

namespace Slipstream.Documentation;

/// <summary>A block of C# in one of the repository's Markdown pages.</summary>
internal sealed partial record Sample(string Page, int Number, int Line, string Code)
{
    public static string Root { get; } = FindRoot();

    /// <summary>All samples of the pages that users read: README.md, docs, and the pages of the packages.</summary>
    public static IReadOnlyList<Sample> All { get; } =
        [.. new[] { Path.Combine(Root, "README.md") }
            .Concat(Directory.EnumerateFiles(Path.Combine(Root, "docs"), "*.md").Order(StringComparer.Ordinal))
            .Concat(Directory.EnumerateFiles(Path.Combine(Root, "src"), "README.md", SearchOption.AllDirectories).Order(StringComparer.Ordinal))
            .SelectMany(Read)];

    /// <summary>Whether the sample is a program of its own: it names the namespaces that it needs.</summary>
    public bool HasUsings => Usings().IsMatch(Code);

    public bool UsesPostgreSql => PostgreSqlNames().IsMatch(Code);

    public bool UsesMySql => Code.Contains("MySql", StringComparison.Ordinal);

    /// <summary>The sample as a file: a clause without its <c>try</c>, and members without their class, get one.</summary>
    public string AsFile() => Code switch
    {
        _ when Code.StartsWith("catch ", StringComparison.Ordinal) => $"try {{ }} {Code}",
        _ when Members().IsMatch(Code) => $"static class Sample {{ {Code} }}",
        _ => Code,
    };

    public override string ToString() => $"{Page}, sample {Number} (line {Line})";

    private static IEnumerable<Sample> Read(string path)
    {
        var text = File.ReadAllText(path);
        var number = 0;
        foreach (Match block in Blocks().Matches(text))
        {
            var line = text.AsSpan(0, block.Groups[1].Index).Count('\n') + 1;
            yield return new(Path.GetRelativePath(Root, path).Replace('\\', '/'), ++number, line, block.Groups[1].Value);
        }
    }

    private static string FindRoot()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Slipstream.slnx")))
            folder = folder.Parent ?? throw new DirectoryNotFoundException("the test does not run below the repository");
        return folder.FullName;
    }

    [GeneratedRegex(@"^```csharp\n(.*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Blocks();

    [GeneratedRegex(@"^using [\w.]+;", RegexOptions.Multiline)]
    private static partial Regex Usings();

    [GeneratedRegex(@"\bPg[A-Z]|Slipstream\.PostgreSql|SlipstreamPostgreSql|LogicalReplication|PhysicalReplication")]
    private static partial Regex PostgreSqlNames();

    [GeneratedRegex(@"^(public|private) static (?!class|partial)")]
    private static partial Regex Members();
}
