using System.Text.Json;
using Slipstream.Race.Report;

namespace Slipstream.Race.Tests;

public class RaceJsonTests
{
    private static readonly ReportRow Row = new()
    {
        Scenario = "ManyRows",
        Settings = "seed",
        Server = "mysql",
        ServerVersion = "9.7.4",
        Mode = "sync",
        Provider = "Slipstream",
        ProviderVersion = "0.1.0",
        Workers = 1,
        WallMicroseconds = 120.5,
        LatencyMilliseconds = 0,
        Rounds = 9,
        WallRatio = 2,
        Error = "</script>",
    };

    [Fact]
    public void A_row_has_exactly_the_published_fields()
    {
        using var document = JsonDocument.Parse(RaceJson.Text([Row]));

        Assert.Equal(
            ["scenario", "settings", "server", "serverVersion", "mode", "provider", "providerVersion", "workers", "wallMicroseconds", "cpuMicroseconds",
             "allocatedBytes", "gen0Per1000", "roundTrips", "bytesSent", "bytesReceived", "operationsPerSecond", "p50Microseconds", "p99Microseconds",
             "latencyMilliseconds", "rounds", "wallQuartiles", "error", "wallRatio", "cpuRatio"],
            document.RootElement[0].EnumerateObject().Select(field => field.Name));
    }

    [Fact]
    public void What_was_not_measured_is_null()
    {
        using var document = JsonDocument.Parse(RaceJson.Text([Row]));

        Assert.Equal(JsonValueKind.Null, document.RootElement[0].GetProperty("p99Microseconds").ValueKind);
        Assert.Equal(JsonValueKind.Null, document.RootElement[0].GetProperty("wallQuartiles").ValueKind);
    }

    [Fact]
    public void The_text_cannot_end_the_script_it_stands_in() => Assert.DoesNotContain("</", RaceJson.Text([Row]), StringComparison.Ordinal);
}
