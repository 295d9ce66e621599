using System.Diagnostics;
using System.Diagnostics.Metrics;
using Slipstream.Lab;
using Slipstream.Testing;

namespace Slipstream.Compat;

/// <summary>The assembly as libraries find it.</summary>
public class AssemblyTests
{
    [Fact]
    public void Its_name_and_version_are_those_that_libraries_refer_to()
    {
        var name = typeof(MySqlConnection).Assembly.GetName();
        Assert.Equal(("MySqlConnector", 2), (name.Name, name.Version!.Major));
        Assert.Empty(name.GetPublicKeyToken()!);
        Assert.NotNull(Type.GetType("MySqlConnector.MySqlConnectorFactory, MySqlConnector, Version=2.0.0.0, Culture=neutral, PublicKeyToken=d33d3e53aa5f8c92"));
    }

    [Fact]
    public void It_has_99_percent_of_MySqlConnectors_signatures()
    {
        const string Namespace = "MySqlConnector.";
        var ours = new PublicSurface(typeof(MySqlConnection).Assembly, "MySqlConnector");
        var lines = File.ReadLines(Path.Combine(Root(), "tests", "MySql.Tests", "Api", "mysqlconnector.txt")).Where(static line => line.Length > 0).ToList();
        var missing = lines.Where(line => !ours.Has(line[Namespace.Length..])).ToList();
        Assert.True(missing.Count * 100 <= lines.Count, $"{missing.Count} of {lines.Count} are missing:\n{string.Join('\n', missing)}");
    }

    [Fact]
    public async Task Spans_and_metrics_have_MySqlConnectors_source()
    {
        var spans = new List<string>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "MySqlConnector",
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = span => spans.Add(span.Source.Name),
        };
        ActivitySource.AddActivityListener(listener);
        var meters = new List<string>();
        using var metrics = new MeterListener { InstrumentPublished = (instrument, _) => meters.Add(instrument.Meter.Name) };
        metrics.Start();
        await using var connection = new MySqlConnection(await Servers.ConnectionString(ServerKind.MariaDb));
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        await using var command = new MySqlCommand("SELECT 1", connection);
        await command.ExecuteScalarAsync(TestContext.Current.CancellationToken);

        Assert.NotEmpty(spans);
        Assert.Contains("MySqlConnector", meters);
        Assert.DoesNotContain("Slipstream.MySql", meters);
    }

    internal static string Root()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Slipstream.slnx")))
            folder = folder.Parent ?? throw new DirectoryNotFoundException("the test does not run below the repository");
        return folder.FullName;
    }
}
