using Slipstream.Core.Pooling;
using Slipstream.Testing;

namespace Slipstream.Core.Tests.Pooling;

public class IdleShelfTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(100)]
    public void Holds_as_many_as_it_has_slots(int capacity)
    {
        var shelf = new IdleShelf<object>(capacity);
        for (var i = 0; i < capacity; i++)
            Assert.True(shelf.TryGive(new object()));
        Assert.False(shelf.TryGive(new object()));
        Assert.Equal(capacity, shelf.Count);
        var taken = new HashSet<object>();
        while (shelf.TryTake() is { } one)
            Assert.True(taken.Add(one));
        Assert.Equal(capacity, taken.Count);
        Assert.Equal(0, shelf.Count);
    }

    [Fact]
    public void One_that_is_wished_for_is_taken_and_no_other()
    {
        var shelf = new IdleShelf<object>(4);
        object one = "one", other = "other";
        Assert.True(shelf.TryGive(one));
        Assert.True(shelf.TryGive(other));
        Assert.Null(shelf.TryTake("neither", static (session, wish) => (string)session == wish));
        Assert.Same(other, shelf.TryTake("other", static (session, wish) => (string)session == wish));
        Assert.Null(shelf.TryTake("other", static (session, wish) => (string)session == wish));
        Assert.Equal(1, shelf.Count);
        Assert.Same(one, shelf.TryTake());
        Assert.Null(shelf.TryTake("one", static (_, _) => true));
    }

    [Fact]
    public void Takes_those_that_fulfil_a_condition()
    {
        var shelf = new IdleShelf<string>(10);
        for (var i = 0; i < 10; i++)
            shelf.TryGive(i.ToString());
        var taken = new List<string>();
        shelf.TakeAll(5, static (text, limit) => int.Parse(text) < limit, taken);
        Assert.Equal(["0", "1", "2", "3", "4"], taken.Order());
        Assert.Equal(5, shelf.Count);
    }

    [Fact]
    public void In_parallel_nothing_is_taken_twice_or_lost()
    {
        const int Objects = 20;
        var shelf = new IdleShelf<int[]>(Objects);
        for (var i = 0; i < Objects; i++)
            shelf.TryGive(new int[1]);
        Parallel.For(0, 8, new ParallelOptions { MaxDegreeOfParallelism = 8 }, _ =>
        {
            for (var i = 0; i < 50_000; i++)
            {
                if (shelf.TryTake() is not { } mine)
                    continue;
                Assert.Equal(1, Interlocked.Increment(ref mine[0]));
                Interlocked.Decrement(ref mine[0]);
                Assert.True(shelf.TryGive(mine));
            }
        });
        Assert.Equal(Objects, shelf.Count);
        var all = new List<int[]>();
        shelf.TakeAll(0, static (_, _) => true, all);
        Assert.Equal(Objects, all.Distinct().Count());
    }

    [Fact]
    public void Taking_and_giving_back_allocates_nothing()
    {
        var shelf = new IdleShelf<object>(10);
        shelf.TryGive(new object());
        Assert.Equal(0, Allocations.Of(() =>
        {
            for (var i = 0; i < 100; i++)
                shelf.TryGive(shelf.TryTake()!);
        }));
    }
}
