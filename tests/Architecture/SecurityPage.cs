using System.Text.RegularExpressions;

namespace Slipstream.Architecture;

/// <summary>Checks the table of docs/security.md: the code and the tests of every rule must exist.</summary>
public partial class SecurityPage
{
    private const int Rules = 30;

    private static readonly string Root = Path.GetDirectoryName(SourceFile.Root)!;

    private static readonly List<(int Number, string[] Code, string[] Tests)> Table =
    [
        .. File.ReadLines(Path.Combine(Root, "docs", "security.md"))
            .Select(static line => Row().Match(line))
            .Where(static row => row.Success)
            .Select(static row => (int.Parse(row.Groups[1].Value, null), Quoted(row.Groups[2].Value), Quoted(row.Groups[3].Value))),
    ];

    [Fact]
    public void Every_rule_is_listed_once_with_its_code_and_its_tests()
    {
        Assert.Equal(Enumerable.Range(1, Rules), Table.Select(static row => row.Number));
        Report.Empty(
            Table.Where(static row => row.Code.Length == 0 || row.Tests.Length == 0)
                .Select(static row => $"docs/security.md: rule {row.Number} has no code or no test"));
    }

    [Fact]
    public void Every_file_and_every_test_that_the_rules_name_is_there()
    {
        var tests = Directory.EnumerateFiles(Path.Combine(Root, "tests"), "*.cs", SearchOption.AllDirectories)
            .Select(static path => (Path: path.Replace(".cs", "", StringComparison.Ordinal).Replace('\\', '/'), Text: File.ReadAllText(path)))
            .ToList();
        var missing =
            from row in Table
            from name in row.Code.Concat(row.Tests)
            where name.Contains('/') && Path.GetExtension(name) is ".cs" or ".md"
                ? !File.Exists(Path.Combine(Root, name))
                : !tests.Exists(file => Holds(file, name))
            select $"docs/security.md, rule {row.Number}: {name} is not there";
        Report.Empty(missing);
    }

    // "Folder/Class.Method": a file Class.cs or Class.Part.cs, in a folder of that name, that contains the method as a test.
    private static bool Holds((string Path, string Text) file, string name)
    {
        var dot = name.LastIndexOf('.');
        var (type, method) = (name[..dot], name[(dot + 1)..]);
        return Regex.IsMatch(file.Path, $@"/{Regex.Escape(type)}(\.\w+)?$") && Regex.IsMatch(file.Text, $@"\n    public (async )?\w+ {Regex.Escape(method)}\(");
    }

    private static string[] Quoted(string cell) => [.. Name().Matches(cell).Select(static match => match.Groups[1].Value)];

    [GeneratedRegex(@"^\| (\d+) \|.*\| ([^|]*) \| ([^|]*) \|$")]
    private static partial Regex Row();

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Name();
}
