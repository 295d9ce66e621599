using Slipstream.Race.Measuring;
using Slipstream.Race.Report;

namespace Slipstream.Race.Tests;

public sealed class HtmlPageTests
{
    private const string Bad = "<script>alert(1)</script><img src=x onerror=\"alert(2)\">&'\u001b[2J";

    [Fact]
    public void What_a_server_says_is_one_line_of_the_console() => Assert.Equal(
        @"InvalidOperationException: gone\u001B[2J for ever (IOException: \u009Bwhy)",
        ScenarioRun.Describe(new InvalidOperationException("gone\u001b[2J\nfor ever", new IOException("\u009bwhy"))));

    // The table's columns and the chart's bars are the same fields of the same rows.
    [Fact]
    public void The_chart_shows_the_ratio_of_the_table()
    {
        var file = Path.GetTempFileName();
        try
        {
            ReportRow Row(string provider, double wall, double? ratio) => new()
            {
                Scenario = "ManyRows", Settings = "seed", Server = "mysql", ServerVersion = "9", Mode = "sync", Provider = provider, ProviderVersion = "1",
                Workers = 1, WallMicroseconds = wall, LatencyMilliseconds = 0, Rounds = 9, WallRatio = ratio, CpuRatio = ratio,
            };
            HtmlPage.Write(file, [Row("Slipstream", 100, null), Row("Peer", 300, 1.25)], "WARNING: busy & loud");
            var page = File.ReadAllText(file);
            Assert.Contains("<td class=\"n\">1.25</td>", page, StringComparison.Ordinal);
            Assert.Contains("\"wallRatio\":1.25,\"cpuRatio\":1.25", page, StringComparison.Ordinal);
            Assert.Contains("field: 'wallRatio'", page, StringComparison.Ordinal);
            Assert.Contains("field: 'cpuRatio'", page, StringComparison.Ordinal);
            Assert.Contains("<p class=\"warning\">WARNING: busy &amp; loud</p>", page, StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact]
    public void What_a_server_says_stays_text()
    {
        var file = Path.GetTempFileName();
        try
        {
            HtmlPage.Write(file, [new ReportRow
            {
                Scenario = "ManyRows", Settings = Bad, Server = "mysql", ServerVersion = Bad, Mode = "sync", Provider = "Slipstream", ProviderVersion = Bad,
                Workers = 1, WallMicroseconds = 1, LatencyMilliseconds = 0, Rounds = 9, Error = Bad,
            }]);
            var page = File.ReadAllText(file);
            Assert.DoesNotContain("<script>alert", page, StringComparison.Ordinal);
            Assert.DoesNotContain("<img", page, StringComparison.Ordinal);
            Assert.Contains("&lt;script&gt;alert(1)&lt;/script&gt;", page, StringComparison.Ordinal);
            // The same rows for the charts: the text of a script element, which a '<' could end.
            var from = page.IndexOf("type=\"application/json\">", StringComparison.Ordinal);
            Assert.DoesNotContain('<', page[(from + 24)..page.IndexOf("</script>", from, StringComparison.Ordinal)]);
        }
        finally
        {
            File.Delete(file);
        }
    }
}
