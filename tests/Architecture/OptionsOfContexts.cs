using System.Text.RegularExpressions;

namespace Slipstream.Architecture;

/// <summary>
/// Checks that the live tests of EF Core take their options from one place: EF Core keeps services for each set of options and refuses more than twenty,
/// and which test comes twenty-first depends on the machine.
/// </summary>
public class OptionsOfContexts
{
    private static readonly string Tests = Path.Combine(Path.GetDirectoryName(SourceFile.Root)!, "tests", "MySql.EntityFrameworkCore.Live");

    [Fact]
    public void Options_of_a_test_are_made_by_its_servers() =>
        Assert.Equal(["Servers.cs"], Directory.EnumerateFiles(Tests, "*.cs", SearchOption.AllDirectories).Where(MakesOptions).Select(Path.GetFileName));

    // A builder that starts from other options has theirs.
    private static bool MakesOptions(string file) => Regex.IsMatch(File.ReadAllText(file), @"new DbContextOptionsBuilder(<\w+>)?\(\)");
}
