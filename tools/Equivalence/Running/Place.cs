using Slipstream.Equivalence.Comparing;

namespace Slipstream.Equivalence.Running;

/// <summary>A world that a worker runs programs in, made when it is first needed, and the pools of the current series of programs.</summary>
internal sealed class Place(Func<Task<World>> create) : IAsyncDisposable
{
    private World? _world;
    private SharedPools? _pools;

    public async Task<World> WorldAsync() => _world ??= await create();

    /// <summary>Returns the pools of the current series, whose programs all are of one pair.</summary>
    public async Task<SharedPools> PoolsAsync(Pair pair) => _pools ??= new(await WorldAsync(), pair);

    /// <summary>Closes the pools, so that the next program gets new ones.</summary>
    public async Task ClosePoolsAsync()
    {
        if (_pools is { } pools)
            await pools.DisposeAsync();
        _pools = null;
    }

    /// <summary>Leaves the world alone, because a program may still be running in it. The next program gets a new one.</summary>
    public void Abandon() => (_world, _pools) = (null, null);

    public async ValueTask DisposeAsync()
    {
        await ClosePoolsAsync();
        if (_world is { } world)
            await world.DisposeAsync();
        _world = null;
    }
}
