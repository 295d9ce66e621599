using System.Diagnostics;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace Slipstream.Architecture;

/// <summary>Checks the commands in the repository's root, and their knowledge of the test programs.</summary>
public partial class Commands
{
    private static readonly string Root = Path.GetDirectoryName(SourceFile.Root)!;

    public static TheoryData<string> All =>
    [
        .. Directory.EnumerateFiles(Root).Where(static file => File.ReadLines(file).FirstOrDefault() == "#!/bin/bash")
            .Select(static file => Path.GetFileName(file)).Order(StringComparer.Ordinal),
    ];

    [Theory]
    [MemberData(nameof(All))]
    public async Task Help_needs_no_build(string command)
    {
        // A copy without any source, so that nothing can be built.
        var folder = Directory.CreateTempSubdirectory("help-").FullName;
        try
        {
            File.Copy(Path.Combine(Root, command), Path.Combine(folder, command));
            Directory.CreateDirectory(Path.Combine(folder, "eng", "help"));
            foreach (var file in Directory.EnumerateFiles(Path.Combine(Root, "eng"), "*", SearchOption.AllDirectories))
                File.Copy(file, Path.Combine(folder, Path.GetRelativePath(Root, file)));
            foreach (var word in (string[])["--help", "-h"])
            {
                var start = new ProcessStartInfo("bash", [Path.Combine(folder, command), "--no-such-option", word]) { RedirectStandardOutput = true };
                using var process = Process.Start(start)!;
                var printed = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
                await process.WaitForExitAsync(TestContext.Current.CancellationToken);
                Assert.Equal(0, process.ExitCode);
                Assert.StartsWith($"Usage: ./{command} ", printed, StringComparison.Ordinal);
                Assert.Contains("-h, --help", printed, StringComparison.Ordinal);
            }
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    // The tests of the programs compare their options with their help.
    [Theory]
    [InlineData("test")]
    [InlineData("pack")]
    [InlineData("site")]
    public void Help_tells_the_options_of_a_script(string command)
    {
        var script = File.ReadAllText(Path.Combine(Root, "eng", command + ".sh"));
        var cases = string.Join('\n', Case().Matches(script).Select(static match => match.Value));
        var help = File.ReadAllText(Path.Combine(Root, "eng", "help", command + ".txt"));
        var known = Option().Matches(cases).Select(static match => match.Value).Append("--help").ToHashSet();
        Assert.Equal(known.Order(), Option().Matches(help).Select(static match => match.Value).Distinct().Order());
    }

    [Fact]
    public void A_test_program_of_the_fast_set_needs_no_server() => Report.Empty(
        from project in Directory.EnumerateFiles(Path.Combine(Root, "tests"), "*.csproj", SearchOption.AllDirectories)
        where XDocument.Load(project).Descendants("IsFastTest").Any(static fast => fast.Value == "true")
        from file in Directory.EnumerateFiles(Path.GetDirectoryName(project)!, "*.cs", SearchOption.AllDirectories)
        where Path.GetFileName(file) != "Commands.cs" && Server().IsMatch(File.ReadAllText(file))
        select $"{Path.GetRelativePath(Root, file)} asks for a server, but {Path.GetFileName(project)} is run by ./test --fast");

    [Theory]
    [InlineData("tests")]
    [InlineData("tools")]
    [InlineData("bench")]
    public void A_readme_names_every_folder(string folder)
    {
        var text = File.ReadAllText(Path.Combine(Root, folder, "README.md"));
        Report.Empty(
            from path in Directory.EnumerateDirectories(Path.Combine(Root, folder))
            let name = Path.GetFileName(path)
            where !text.Contains($"`{name}`", StringComparison.Ordinal)
            select $"{folder}/README.md does not name {name}");
    }

    [Fact]
    public void Every_test_program_has_a_duration() => Assert.Equal(
        from folder in Directory.EnumerateDirectories(Path.Combine(Root, "tests"))
        from project in Directory.EnumerateFiles(folder, "*.csproj")
        where !XDocument.Load(project).Descendants("IsTestLibrary").Any(static library => library.Value == "true")
        orderby Path.GetFileNameWithoutExtension(project)
        select Path.GetFileNameWithoutExtension(project),
        File.ReadLines(Path.Combine(Root, "eng", "test-durations.txt")).Select(static line => line.Split(' ')[0]).Order());

    [GeneratedRegex(@"(?m)^ +--[a-z -]*(\| --[a-z-]+)*\)")]
    private static partial Regex Case();

    [GeneratedRegex(@"(?<![\w-])--[a-z][a-z-]*")]
    private static partial Regex Option();

    [GeneratedRegex(@"LiveServers\.|LabServer\.Start")]
    private static partial Regex Server();
}
