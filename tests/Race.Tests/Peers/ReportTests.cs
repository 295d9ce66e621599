using System.Text.Json;
using Slipstream.Bench;

namespace Slipstream.PeerRace.Tests;

public class ReportTests
{
    private static readonly Cell Cell = new("mysql", Plan.Single, 16, Seating.Together);
    private static readonly Sample[] Ours = [new(300, 10, 1), new(200, 10, 1), new(400, 10, 1)];
    private static readonly Sample[] Theirs = [new(100, 20, 1), new(200, 10, 1), new(200, 5, 1)];

    [Fact]
    public void A_ratio_is_the_median_of_the_rounds_with_the_lowest_and_the_highest()
    {
        var row = new Row(Cell, "Java", Plan.Sync, "1", Theirs, Ours, null, null);

        Assert.Equal(new Spread(2, 1, 3), row.SyncPerSecond);
        Assert.Equal(new Spread(1, 0.5, 2), row.SyncCpu);
        Assert.Null(row.AsyncPerSecond);
        Assert.Equal("2.00 (1.00–3.00)", FormattableString.Invariant($"{row.SyncPerSecond}"));
    }

    [Fact]
    public void A_contestant_that_is_not_beaten_in_both_figures_is_named()
    {
        Row[] rows =
        [
            new(Cell, "Java", Plan.Sync, "1", Theirs, Ours, null, null),
            new(Cell, "Node", Plan.Async, "1", [new(100, 20, 1), new(100, 20, 1), new(100, 20, 1)], Ours, Ours, null),
            new(Cell, "minimal driver", Plan.Sync, "1", Theirs, Ours, null, null),
            new(Cell, "Java", Plan.Sync, null, [], Ours, Ours, "it failed"),
        ];

        var line = Assert.Single(Report.Behind(rows));
        Assert.StartsWith("not ahead: mysql single 16: sync against Java sync: ", line, StringComparison.Ordinal);
    }

    [Fact]
    public void A_row_has_exactly_the_published_fields()
    {
        using var document = JsonDocument.Parse(Report.Json([new(Cell, "Java", Plan.Sync, "1", Theirs, Ours, Ours, null)]));

        Assert.Equal(
            ["Server", "Scenario", "Callers", "Seating", "Name", "Mode", "Version", "PerSecond", "Cpu", "WakeUps", "SyncPerSecond", "SyncCpu", "AsyncPerSecond",
             "AsyncCpu", "Rounds", "Error"],
            document.RootElement[0].EnumerateObject().Select(static field => field.Name));
        Assert.Equal(2, document.RootElement[0].GetProperty("SyncPerSecond").GetProperty("Median").GetDouble());
    }

    [Fact]
    public void A_contestant_that_does_not_take_part_has_a_row_that_says_why()
    {
        using var document = JsonDocument.Parse(Report.Json([new(Cell, "Java", Plan.Sync, null, [], null, null, "no compiler")]));

        var row = document.RootElement[0];
        Assert.Equal("no compiler", row.GetProperty("Error").GetString());
        Assert.Equal(JsonValueKind.Null, row.GetProperty("PerSecond").ValueKind);
    }
}
