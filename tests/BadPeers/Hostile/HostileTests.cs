namespace Slipstream.BadPeers.Hostile;

/// <summary>
/// Every script of <see cref="HostileCatalogue"/>, with the synchronous and with the asynchronous methods, through a pooled data source. It must end with the
/// documented exception within its deadline, remove the session, allocate little, and leave the pool usable.
/// </summary>
[Collection(nameof(Alone))]
public sealed class HostileTests(HostileTests.SideBySide slow) : IClassFixture<HostileTests.SideBySide>
{
    public static TheoryData<string, bool> Quick => Names(static script => !script.IsSlow);

    public static TheoryData<string, bool> Slow => Names(static script => script.IsSlow);

    [Fact]
    public void The_catalogue_has_scripts_for_both_providers_and_no_name_twice()
    {
        Assert.InRange(HostileCatalogue.All.Count(static script => script.Victim == Victim.MySql), 60, int.MaxValue);
        Assert.InRange(HostileCatalogue.All.Count(static script => script.Victim == Victim.PostgreSql), 60, int.MaxValue);
        Assert.Equal(HostileCatalogue.All.Count, HostileCatalogue.All.Select(static script => script.Name).Distinct().Count());
    }

    [Theory, MemberData(nameof(Quick))]
    public async Task A_hostile_server_is_survived(string script, bool asynchronously)
    {
        var run = await new HostileRun(HostileCatalogue.Named(script), asynchronously).Run();
        Assert.InRange(run.Allocated, 0, run.Script.MemoryBound);
    }

    [Theory, MemberData(nameof(Slow))]
    public async Task A_hostile_server_is_given_up_in_time(string script, bool asynchronously)
    {
        var run = await slow.Run(script, asynchronously);
        // Asynchronous runs are parallel, so only their sum can be measured.
        if (!asynchronously)
            Assert.InRange(run.Allocated, 0, run.Script.MemoryBound);
    }

    [Fact]
    public async Task All_that_is_given_up_in_time_leaves_no_memory_behind()
    {
        await slow.Run(HostileCatalogue.All.First(static script => script.IsSlow).Name, true);
        Assert.InRange(await slow.Kept, long.MinValue, 16 << 20);
    }

    private static TheoryData<string, bool> Names(Func<HostileScript, bool> which)
    {
        var data = new TheoryData<string, bool>();
        foreach (var script in HostileCatalogue.All.Where(which))
        {
            data.Add(script.Name, false);
            data.Add(script.Name, true);
        }

        return data;
    }

    /// <summary>Runs the scripts that only wait for their deadline in parallel.</summary>
    public sealed class SideBySide : IAsyncDisposable
    {
        private const int AtOnce = 48;

        private readonly Lazy<(Dictionary<(string, bool), Task<HostileRun>> Each, Task<long> Kept)> _runs;
        private readonly SemaphoreSlim _turns = new(AtOnce);

        public SideBySide() => _runs = new(Start);

        /// <summary>The increase of live memory in bytes after all runs have ended. It does not depend on which test asks first.</summary>
        public Task<long> Kept => _runs.Value.Kept;

        /// <summary>Returns one run after all have ended, because a test in parallel would disturb the measurement.</summary>
        public async Task<HostileRun> Run(string script, bool asynchronously)
        {
            await Kept;
            return await _runs.Value.Each[(script, asynchronously)];
        }

        public ValueTask DisposeAsync()
        {
            _turns.Dispose();
            return default;
        }

        private (Dictionary<(string, bool), Task<HostileRun>> Each, Task<long> Kept) Start()
        {
            var before = GC.GetTotalMemory(forceFullCollection: true);
            var runs = HostileCatalogue.All.Where(static script => script.IsSlow)
                .SelectMany(script => new[] { false, true }.Select(asynchronously => (Key: (script.Name, asynchronously), Run: One(script, asynchronously))))
                .ToDictionary(static one => one.Key, static one => one.Run);
            return (runs, KeptBy(runs.Values, before));
        }

        private static async Task<long> KeptBy(IEnumerable<Task<HostileRun>> runs, long before)
        {
            await Task.WhenAll(runs.Select(static run => run.ContinueWith(static _ => { }, TaskScheduler.Default)));
            return GC.GetTotalMemory(forceFullCollection: true) - before;
        }

        private async Task<HostileRun> One(HostileScript script, bool asynchronously)
        {
            await _turns.WaitAsync();
            try
            {
                return await new HostileRun(script, asynchronously).Run();
            }
            finally
            {
                _turns.Release();
            }
        }
    }
}
