using Slipstream.Core.Causality;

namespace Slipstream.Core.Tests.Causality;

public class CausalScopeTests
{
    private readonly object _cluster = new();

    [Fact]
    public void A_scope_collects_writes_until_its_end()
    {
        using (var scope = CausalScope.Begin(_cluster, null))
        {
            Assert.Null(scope.Token);
            CausalScope.Find(_cluster)!.Wrote(Position("0-1-5"), null);
            Assert.Equal("d.0-1-5", scope.Token!.ToString());
        }

        Assert.Null(CausalScope.Find(_cluster));
    }

    [Fact]
    public async Task It_flows_with_the_asynchronous_context()
    {
        using var scope = CausalScope.Begin(_cluster, null);
        await Task.Run(() => CausalScope.Find(_cluster)!.Wrote(Position("0-1-5"), null), TestContext.Current.CancellationToken);
        Assert.Equal("d.0-1-5", scope.Token!.ToString());
    }

    [Fact]
    public void It_begins_with_a_token_and_with_that_of_the_outer_scope()
    {
        using var outer = CausalScope.Begin(_cluster, WriteToken.Parse("d.0-1-5"));
        using var inner = CausalScope.Begin(_cluster, WriteToken.Parse("d.1-1-7"));
        Assert.Equal("d.0-1-5~1-1-7", inner.Token!.ToString());
        Assert.Equal("d.0-1-5", outer.Token!.ToString());
        inner.Wrote(Position("2-1-1"), null);
        Assert.Equal("d.0-1-5~2-1-1", outer.Token!.ToString());
    }

    [Fact]
    public void It_covers_what_another_flow_writes_in_the_outer_scope()
    {
        using var outer = CausalScope.Begin(_cluster, null);
        using var between = CausalScope.Begin(new object(), null);
        using var inner = CausalScope.Begin(_cluster, null);
        inner.Wrote(Position("1-1-7"), null);
        outer.Wrote(Position("0-1-5"), null);
        Assert.Equal("d.0-1-5~1-1-7", inner.Token!.ToString());
        Assert.True(CausalScope.Find(_cluster)!.Need!.Position.Covers(Position("0-1-5")));
    }

    [Fact]
    public void Scopes_of_other_clusters_are_separate()
    {
        var other = new object();
        using var one = CausalScope.Begin(_cluster, null);
        using var two = CausalScope.Begin(other, null);
        CausalScope.Find(_cluster)!.Wrote(Position("0-1-5"), null);
        Assert.Null(two.Token);
        Assert.Same(one, CausalScope.Find(_cluster));
    }

    [Fact]
    public void A_write_whose_position_is_not_known_makes_the_token_unknown()
    {
        using var scope = CausalScope.Begin(_cluster, null);
        scope.Wrote(Position("0-1-5"), null);
        scope.Wrote(LogPosition.Unknown, null);
        scope.Wrote(Position("0-1-6"), null);
        Assert.Equal("u", scope.Token!.ToString());
    }

    [Fact]
    public void A_flow_that_outlives_a_scope_uses_the_outer_one()
    {
        using var outer = CausalScope.Begin(_cluster, null);
        var inner = CausalScope.Begin(_cluster, null);
        var context = ExecutionContext.Capture()!;
        inner.Dispose();
        ExecutionContext.Run(context, _ => Assert.Same(outer, CausalScope.Find(_cluster)), null);
    }

    [Fact]
    public void A_need_names_the_server_that_has_made_all_of_its_writes()
    {
        ICausalServer one = new Server(), other = new Server();
        using var outer = CausalScope.Begin(_cluster, null);
        using var inner = CausalScope.Begin(_cluster, null);
        inner.Wrote(Position("0-1-5"), one);
        inner.Wrote(LogPosition.Unknown, one);
        Assert.Same(one, inner.Need!.Writer);
        Assert.Same(one, outer.Need!.Writer);
        outer.Wrote(Position("0-2-6"), other);
        Assert.Null(inner.Need!.Writer);
        Assert.Null(outer.Need!.Writer);
    }

    [Fact]
    public void A_need_with_a_token_names_no_server()
    {
        using var scope = CausalScope.Begin(_cluster, WriteToken.Parse("d.0-1-5"));
        scope.Wrote(Position("0-1-6"), new Server());
        Assert.Null(scope.Need!.Writer);
    }

    private sealed class Server : ICausalServer
    {
        public object? Domain => null;

        public bool IsReplica => false;

        public bool HasPositions => true;
    }

    [Fact]
    public void Tracking_forgets_its_lease_and_keeps_an_unknown_write_in_mind()
    {
        var writes = new WriteTracking(isAlways: true);
        writes.Begin();
        Assert.True(writes.IsWanted);
        writes.Wrote(Position("0-1-5"));
        Assert.False(writes.IsWanted);
        Assert.Equal("d.0-1-5", writes.Last!.ToString());
        writes.Lost();
        writes.Wrote(Position("0-1-6"));
        Assert.Equal("u", writes.Last!.ToString());
        writes.Released();
        writes.Wrote(Position("0-1-7"));
        Assert.Equal("d.0-1-7", writes.Last!.ToString());
    }

    private static DomainSequences Position(string text) => DomainSequences.Parse(text, ',')!;
}
