namespace Slipstream.Core.Tests.Topology;

/// <summary>Each scenario is a file: a text that says what servers do, and what the data source must make of it.</summary>
public class ScenarioTests
{
    private static readonly string Folder = Path.Combine(AppContext.BaseDirectory, "Topology", "Scenarios");

    public static TheoryData<string> Names => [.. Directory.EnumerateFiles(Folder, "*.txt", SearchOption.AllDirectories)
        .Select(static file => Path.ChangeExtension(Path.GetRelativePath(Folder, file), null).Replace('\\', '/')).Order(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Names))]
    public void What_is_decided_is_what_the_scenario_says(string name) => Scenario.Run(File.ReadAllText(Path.Combine(Folder, name + ".txt")));

    [Theory]
    [InlineData("expect primary b")]
    [InlineData("expect a dead")]
    [InlineData("expect decisions retire:a")]
    [InlineData("expect choose replica a")]
    [InlineData("expect probes of a from 5 to 6")]
    [InlineData("expect search")]
    [InlineData("expect a dances")]
    [InlineData("a dances")]
    public void A_scenario_that_is_not_true_fails(string sentence) =>
        Assert.ThrowsAny<InvalidOperationException>(() => Scenario.Run($"hosts a\na is primary\nwait 10\n{sentence}"));
}
