namespace Slipstream.Core.Pooling;

/// <summary>A pool whose numbers the metrics report.</summary>
public interface IMeteredPool
{
    string Name { get; }

    PoolStatistics GetStatistics();
}
