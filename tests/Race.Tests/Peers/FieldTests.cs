using Slipstream.Bench;

namespace Slipstream.PeerRace.Tests;

public sealed class FieldTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("field-").FullName;

    public FieldTests()
    {
        Write("java/classpath", "/classes:/driver.jar\n");
        Write("node/worker.js", "");
        Write("peers/MySqlConnector/MySqlConnector.dll", "");
        Write("peers/Npgsql/Npgsql.dll", "");
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(false, "MySqlConnector")]
    [InlineData(true, "Npgsql")]
    public void Every_driver_races_in_the_modes_that_it_has(bool isPostgreSql, string peer)
    {
        var entries = new Field(Plans.Of(), _folder, processors: 2).For(isPostgreSql, Seating.Together, "");

        Assert.Equal(
            ["Slipstream sync", "Slipstream async", $"{peer} sync", $"{peer} async", "minimal driver sync", "Java sync", "Node async", "Node × 2 async"],
            entries.Select(static entry => $"{entry.Name} {entry.Mode}"));
        Assert.All(entries, static entry => Assert.Null(entry.Missing));
    }

    [Fact]
    public void A_mode_chooses_contestants()
    {
        var entries = new Field(Plans.Of(Plan.Sync), _folder, processors: 2).For(isPostgreSql: false, Seating.Together, "");

        Assert.Equal(["Slipstream", "MySqlConnector", "minimal driver", "Java"], entries.Select(static entry => entry.Name));
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 0)]
    public void Nodes_processes_need_processors_of_their_own(int processors, int seating)
    {
        var entries = new Field(Plans.Of(), _folder, processors).For(isPostgreSql: false, (Seating)seating, "");

        Assert.DoesNotContain(entries, static entry => entry.LeastCallers > 1);
    }

    [Fact]
    public void As_many_callers_as_processes_take_part_at_least()
    {
        var entry = new Field(Plans.Of(), _folder, processors: 4).For(isPostgreSql: true, Seating.Together, "")
            .Single(static entry => entry.Name == "Node × 4");

        Assert.Equal(4, entry.LeastCallers);
        Assert.Equal("4", entry.Variables["RACE_PROCESSES"]);
    }

    [Fact]
    public void Java_gets_its_class_path() => Assert.Equal(
        ["java", "-cp", "/classes:/driver.jar", "slipstream.race.Worker"],
        new Field(Plans.Of(), _folder, processors: 2).For(isPostgreSql: true, Seating.Together, "").Single(static entry => entry.Name == "Java").Words);

    [Fact]
    public void What_could_not_be_had_says_why()
    {
        Write("java.missing", "javac could not be installed\n");
        Directory.Delete(Path.Combine(_folder, "node"), recursive: true);
        Directory.Delete(Path.Combine(_folder, "peers"), recursive: true);

        var missing = new Field(Plans.Of(), _folder, processors: 2).For(isPostgreSql: true, Seating.Together, "")
            .Where(static entry => entry.Missing is not null).ToLookup(static entry => entry.Name, static entry => entry.Missing!);

        Assert.Equal(["javac could not be installed"], missing["Java"]);
        Assert.Contains("worker.js does not exist", missing["Node"].Single(), StringComparison.Ordinal);
        Assert.Contains("could not be restored", missing["Npgsql"].First(), StringComparison.Ordinal);
        Assert.Empty(missing["Slipstream"]);
    }

    private void Write(string name, string text)
    {
        var file = Path.Combine(_folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllText(file, text);
    }
}
