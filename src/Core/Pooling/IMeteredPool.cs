namespace Slipstream.Core.Pooling;

/// <summary>A pool that reports metrics.</summary>
internal interface IMeteredPool
{
    /// <summary>Name of the pool in metrics.</summary>
    string Name { get; }

    /// <summary>The current state of the pool and its totals.</summary>
    PoolStatistics GetStatistics();
}
