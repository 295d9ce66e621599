using Slipstream.Core.Statements;
using Slipstream.Testing;

namespace Slipstream.Core.Tests.Statements;

public class StatementTests
{
    [Fact]
    public void A_text_is_scanned_once()
    {
        var scans = 0;
        var table = new StatementTable<Scanned>(sql =>
        {
            scans++;
            return new Scanned(sql);
        });
        var text = "SELECT 1";
        var first = table.Get(text);
        Assert.Same(first, table.Get(text));
        Assert.Same(first, table.Get(new string(text)));
        Assert.Equal((1, 1), (scans, table.Count));
    }

    [Fact]
    public void The_same_text_object_is_found_without_allocating()
    {
        var table = new StatementTable<Scanned>(sql => new Scanned(sql));
        var statement = table.Get("SELECT 1");
        table.Get("SELECT 1");
        Assert.Equal(0, Allocations.Of(() =>
        {
            for (var i = 0; i < 100; i++)
                _ = table.Get(statement.Sql);
        }));
    }

    [Fact]
    public void The_least_recently_used_go_and_their_slots_are_reused()
    {
        var table = new StatementTable<Scanned>(sql => new Scanned(sql), 10);
        var kept = table.Get("keep");
        var slots = new HashSet<int> { kept.Slot };
        for (var i = 0; i < 100; i++)
        {
            slots.Add(table.Get($"SELECT {i}").Slot);
            Assert.Same(kept, table.Get(new string("keep")));
        }

        Assert.InRange(table.Count, 1, 10);
        Assert.True(slots.Max() < 10, $"slot {slots.Max()}");
        var again = table.Get("SELECT 0");
        Assert.Equal("SELECT 0", again.Sql);
    }

    [Fact]
    public void A_very_long_text_is_not_kept()
    {
        var table = new StatementTable<Scanned>(sql => new Scanned(sql));
        var text = new string('x', 2_000_000);
        Assert.Equal(-1, table.Get(text).Slot);
        Assert.Equal(0, table.Count);
    }

    [Fact]
    public void In_parallel_every_text_has_one_statement_and_one_slot()
    {
        var table = new StatementTable<Scanned>(sql => new Scanned(sql));
        var found = new Scanned[8][];
        Parallel.For(0, 8, thread => found[thread] = [.. Enumerable.Range(0, 500).Select(i => table.Get($"SELECT {i}"))]);
        for (var i = 0; i < 500; i++)
            Assert.All(found, list => Assert.Same(found[0][i], list[i]));
        Assert.Equal(500, found[0].Select(statement => statement.Slot).Distinct().Count());
    }

    [Fact]
    public void Prepared_ids_are_found_by_statement_and_evicted_least_recently_used_first()
    {
        var table = new StatementTable<Scanned>(sql => new Scanned(sql));
        var ids = new PreparedIds<string>(2);
        var (a, b, c) = (table.Get("a"), table.Get("b"), table.Get("c"));
        Assert.Null(ids.Add(a, "id a"));
        Assert.Null(ids.Add(b, "id b"));
        Assert.Equal("id a", ids.Find(a));
        Assert.Equal("id b", ids.Add(c, "id c"));
        Assert.Null(ids.Find(b));
        Assert.Equal(2, ids.Count);
        Assert.Equal("id a", ids.Remove(a));
        Assert.Null(ids.Remove(a));
        Assert.Equal(1, ids.Count);
        ids.Clear();
        Assert.Null(ids.Find(c));
        Assert.Equal(0, ids.Count);
    }

    [Fact]
    public void A_reused_slot_does_not_confuse_two_statements()
    {
        var table = new StatementTable<Scanned>(sql => new Scanned(sql), 1);
        var ids = new PreparedIds<string>();
        var old = table.Get("old");
        ids.Add(old, "id old");
        var other = table.Get("other");
        Assert.Equal(old.Slot, other.Slot);
        Assert.Null(ids.Find(other));
        Assert.Equal("id old", ids.Add(other, "id other"));
        Assert.Null(ids.Find(old));
        Assert.Equal(("id other", 1), (ids.Find(other), ids.Count));
    }

    [Fact]
    public void Preparing_again_returns_what_must_be_closed()
    {
        var statement = new StatementTable<Scanned>(sql => new Scanned(sql)).Get("a");
        var ids = new PreparedIds<string>();
        ids.Add(statement, "first");
        Assert.Equal("first", ids.Add(statement, "second"));
        Assert.Equal(1, ids.Count);
    }

    [Fact]
    public void A_statement_without_a_slot_cannot_be_remembered() =>
        Assert.Throws<InvalidOperationException>(() => new PreparedIds<string>().Add(new Scanned("x"), "id"));

    [Fact]
    public void Many_statements_fit()
    {
        var table = new StatementTable<Scanned>(sql => new Scanned(sql));
        var ids = new PreparedIds<string>(500);
        var statements = Enumerable.Range(0, 500).Select(i => table.Get($"SELECT {i}")).ToArray();
        foreach (var statement in statements)
            Assert.Null(ids.Add(statement, statement.Sql));
        Assert.All(statements, statement => Assert.Equal(statement.Sql, ids.Find(statement)));
    }

    private sealed class Scanned(string sql) : Statement(sql);
}
