using Slipstream.Core.Pooling;
using Slipstream.Core.Tests.Fakes;
using Slipstream.Testing;

namespace Slipstream.Core.Tests.Pooling;

public class IdleListTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(100)]
    public void Holds_as_many_as_it_has_slots(int capacity)
    {
        var list = new IdleList(capacity);
        for (var i = 0; i < capacity; i++)
            list.Add(Session(i));
        Assert.Equal(capacity, list.Count);
        var taken = new HashSet<IPooledSession>();
        while (list.TryTake() is { } one)
            Assert.True(taken.Add(one));
        Assert.Equal(capacity, taken.Count);
        Assert.Equal(0, list.Count);
    }

    [Fact]
    public void One_that_is_wished_for_is_taken_and_no_other()
    {
        var list = new IdleList(4);
        list.Add(Session(1));
        list.Add(Session(2));
        Assert.Null(list.TryTake(3, Has));
        Assert.Equal(2, Number(list.TryTake(2, Has)));
        Assert.Null(list.TryTake(2, Has));
        Assert.Equal(1, list.Count);
        Assert.Equal(1, Number(list.TryTake()));
        Assert.Null(list.TryTake(1, static (_, _) => true));
    }

    [Fact]
    public void Takes_those_that_fulfil_a_condition()
    {
        var list = new IdleList(10);
        for (var i = 0; i < 10; i++)
            list.Add(Session(i));
        var taken = new List<IPooledSession>();
        list.TakeAll(5, static (session, limit) => Number(session) < limit, taken);
        Assert.Equal([0, 1, 2, 3, 4], taken.Select(Number).Order());
        Assert.Equal(5, list.Count);
    }

    [Fact]
    public void In_parallel_nothing_is_taken_twice_or_lost()
    {
        const int Sessions = 20;
        var list = new IdleList(Sessions);
        for (var i = 0; i < Sessions; i++)
            list.Add(Session(i));
        var users = new int[Sessions];
        Parallel.For(0, 8, new ParallelOptions { MaxDegreeOfParallelism = 8 }, _ =>
        {
            for (var i = 0; i < 50_000; i++)
            {
                if (list.TryTake() is not { } mine)
                    continue;
                Assert.Equal(1, Interlocked.Increment(ref users[Number(mine)]));
                Interlocked.Decrement(ref users[Number(mine)]);
                list.Add(mine);
            }
        });
        Assert.Equal(Sessions, list.Count);
        var all = new List<IPooledSession>();
        list.TakeAll(0, static (_, _) => true, all);
        Assert.Equal(Sessions, all.Distinct().Count());
    }

    [Fact]
    public void Taking_and_adding_allocates_nothing()
    {
        var list = new IdleList(10);
        list.Add(Session(1));
        Assert.Equal(0, Allocations.Of(() =>
        {
            for (var i = 0; i < 100; i++)
                list.Add(list.TryTake()!);
        }));
    }

    private static bool Has(IPooledSession session, int number) => Number(session) == number;

    private static int Number(IPooledSession? session) => ((FakePooledSession)session!).Number;

    private static FakePooledSession Session(int number) => new(number, asynchronous: false);
}
