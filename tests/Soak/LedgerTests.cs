using Slipstream.Soak.Checks;

namespace Slipstream.Soak.Tests;

/// <summary>The log of changes detects what a driver's wrong report about a change would leave behind.</summary>
public class LedgerTests
{
    private readonly WorkLog _ledger = new();

    [Theory]
    [InlineData(Outcome.Acknowledged, 3, true)]
    [InlineData(Outcome.Acknowledged, 2, false)]
    [InlineData(Outcome.Acknowledged, 0, false)]
    [InlineData(Outcome.Refused, 0, true)]
    [InlineData(Outcome.Refused, 3, false)]
    [InlineData(Outcome.NotSent, 0, true)]
    [InlineData(Outcome.NotSent, 1, false)]
    [InlineData(Outcome.Unknown, 0, true)]
    [InlineData(Outcome.Unknown, 3, true)]
    [InlineData(Outcome.Unknown, 1, false)]
    [InlineData(Outcome.UnderWay, 0, false)]
    internal void What_is_there_must_be_what_was_said(Outcome outcome, int rows, bool isRight)
    {
        var id = _ledger.Begin("transfer", 3);
        if (outcome != Outcome.UnderWay)
            _ledger.End(id, outcome);
        var faults = _ledger.Settle(rows == 0 ? new Dictionary<long, int>() : new Dictionary<long, int> { [id] = rows });
        Assert.Equal(isRight ? 0 : 1, faults.Count);
    }

    [Fact]
    public void What_nobody_wrote_must_not_be_there()
    {
        Assert.Single(_ledger.Settle(new Dictionary<long, int> { [7] = 1 }));
        Assert.Empty(_ledger.Settle(new Dictionary<long, int>()));
    }

    [Fact]
    public void What_was_settled_is_forgotten_and_counted()
    {
        var (first, second) = (_ledger.Begin("insert", 1), _ledger.Begin("insert", 1));
        _ledger.End(first, Outcome.Unknown);
        _ledger.End(second, Outcome.Acknowledged);
        Assert.Empty(_ledger.Settle(new Dictionary<long, int> { [first] = 1, [second] = 1 }));
        Assert.Equal((1, 1, 1), (_ledger.Acknowledged, _ledger.Unknown, _ledger.UnknownThatHappened));
        Assert.Empty(_ledger.Settle(new Dictionary<long, int>()));
    }

    [Theory]
    [InlineData(Outcome.Acknowledged, 0, true)]
    [InlineData(Outcome.Acknowledged, 1, false)]
    [InlineData(Outcome.NotSent, 2, false)]
    internal void What_was_not_replicated_yet_is_lost_completely_or_not_at_all(Outcome outcome, int rows, bool isRight)
    {
        var id = _ledger.Begin("transfer", 2);
        _ledger.End(id, outcome);
        var found = rows == 0 ? new Dictionary<long, int>() : new Dictionary<long, int> { [id] = rows };
        Assert.Equal(isRight ? 0 : 1, _ledger.Settle(found, static _ => true).Count);
        Assert.Equal(isRight ? 1 : 0, _ledger.LostByReplication);
    }

    [Fact]
    public void What_was_acknowledged_at_another_time_is_not_lost_by_replication()
    {
        var before = System.Diagnostics.Stopwatch.GetTimestamp();
        _ledger.End(_ledger.Begin("insert", 1), Outcome.Acknowledged);
        Assert.Single(_ledger.Settle(new Dictionary<long, int>(), ended => ended < before));
        Assert.Equal(0, _ledger.LostByReplication);
    }
}
