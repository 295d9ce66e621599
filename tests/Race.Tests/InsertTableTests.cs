using Slipstream.Lab;
using Slipstream.Race.Contestants;
using Slipstream.Race.Measuring;
using Slipstream.Race.Report;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Tests;

public class InsertTableTests
{
    private static readonly Track Track = new(ServerKind.MySql, "9.7", "localhost", 3306, "u", "p", "race", Settings.Seed);
    private static readonly JetContestant C = new(new JetOption("jet", -1), "libmariadb 3");

    [Fact]
    public void Rows_per_second_stand_beside_those_of_c_by_the_same_rule()
    {
        var lines = InsertTable.Lines(
            [Raced("Insert600k", 100), Raced("Insert600k", 50, slipstream: true), Raced("InsertBatch", 2_000), Raced("InsertBatch", 4_000, slipstream: true)])
                .ToArray();

        Assert.Equal(["strict", "sync", "C", "30,000", "", "", "33,333"], lines[0]);
        Assert.Equal(["strict", "sync", "Slipstream", "60,000", "2.00", "2.00", "16,667"], lines[1]);
        Assert.Equal(["batch", "sync", "C", "500,000", "", "16.67", "2,000"], lines[2]);
        Assert.Equal(["batch", "sync", "Slipstream", "250,000", "0.50", "8.33", "4,000"], lines[3]);
    }

    [Fact]
    public void The_four_rules_have_their_names() =>
        Assert.Equal(["strict", "pipelined", "batch", "bulk", "bulk, no files"], Catalogue.Jet.Select(name => Named(name).Rule!.Name));

    [Fact]
    public void C_inserts_the_rows_of_a_bulk_operation_in_whole_executions() =>
        Assert.All(
            new[] { 1, 0.1, 0.07, 0.001 },
            scale => Assert.Equal(0, Catalogue.All(scale).Single(scenario => scenario.Name == "Bulk600kNoInfile").Rule!.Rows % Catalogue.RowsPerBatch));

    [Fact]
    public void C_has_no_asynchronous_and_no_pipelined_form()
    {
        Assert.True(C.Runs(Named("Insert600k"), Mode.Sync));
        Assert.False(C.Runs(Named("Insert600k"), Mode.Async));
        Assert.False(C.Runs(Named("InsertPipelined"), Mode.Async));
        Assert.False(C.Runs(Named("ExecuteScalar"), Mode.Sync));
    }

    [Fact]
    public void Without_the_compiled_program_c_says_what_to_do()
    {
        var exception = Assert.Throws<PeerException>(() => JetContestant.Load(new JetOption("/nowhere/jet", -1)));

        Assert.Contains("./race --jet", exception.Message, StringComparison.Ordinal);
    }

    private static Cell Raced(string scenario, double wall, bool slipstream = false)
    {
        Contestant contestant = slipstream ? new Nobody() : C;
        var cell = new Cell(Named(scenario), Track, Mode.Sync, contestant);
        cell.Samples.Add(new Sample(0, 1, wall, wall, null, null, null, null));
        return cell;
    }

    private static Scenario Named(string name) => Catalogue.All(1).Single(scenario => scenario.Name == name);

    private sealed class Nobody() : Contestant(SlipstreamName, "1", Dialect.MySql)
    {
        public override Operation Create(Scenario scenario, Track track, Mode mode) => throw new NotSupportedException();
    }
}
