using System.Data.Common;
using Slipstream.Equivalence.Comparing;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Running;

/// <summary>
/// The pools of a series of programs of one pair: one on each side for each size. If a program shows a difference in them, it can be run again after the
/// earlier programs of its pool.
/// </summary>
internal sealed class SharedPools(World world, Pair pair) : IAsyncDisposable
{
    private readonly Dictionary<int, Row> _rows = [];

    /// <summary>Returns the programs that have used the pool of this size.</summary>
    public IReadOnlyList<EquivalenceProgram> Earlier(int poolSize) => _rows.TryGetValue(poolSize, out var row) ? [.. row.Programs] : [];

    /// <summary>Runs a program on both sides.</summary>
    public async Task<Difference?> DifferenceOf(EquivalenceProgram program, TimeSpan longest)
    {
        if (!_rows.TryGetValue(program.PoolSize, out var row))
            _rows[program.PoolSize] = row = new(new(world, pair.First, program.PoolSize), new(world, pair.Second, program.PoolSize));
        var difference = await EquivalenceRun.DifferenceOf(
            pair, program,
            (run, side) => EquivalenceRun.Traced(
                new(run, side, world, pair.IsPeer), ReferenceEquals(side, pair.First) ? row.First : row.Second, longest), world.Stage.IsPostgreSql);
        row.Programs.Add(program);
        return difference;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var row in _rows.Values)
        {
            await row.First.DisposeAsync();
            await row.Second.DisposeAsync();
        }

        _rows.Clear();
    }

    private sealed record Row(SharedSource First, SharedSource Second)
    {
        public List<EquivalenceProgram> Programs { get; } = [];
    }
}

/// <summary>
/// A data source that several programs use. It is replaced when a program has changed the types of the database, which a data source loads once.
/// </summary>
internal sealed class SharedSource(World world, Side side, int poolSize) : IAsyncDisposable
{
    private DbDataSource? _source;
    private int _types;

    /// <summary>Returns the data source for the types that the database has now.</summary>
    public async Task<DbDataSource> GetAsync()
    {
        if (_source is not null && _types != world.TypesVersion)
            await DisposeAsync();
        _types = world.TypesVersion;
        return _source ??= side.Driver.CreateSource(world.ConnectionString(side, poolSize));
    }

    public async ValueTask DisposeAsync()
    {
        if (_source is not null)
            await _source.DisposeAsync();
        _source = null;
    }
}
