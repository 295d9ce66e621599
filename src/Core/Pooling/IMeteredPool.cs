namespace Slipstream.Core.Pooling;

/// <summary>A pool whose numbers the metrics report.</summary>
internal interface IMeteredPool
{
    /// <summary>The name under which metrics report it.</summary>
    string Name { get; }

    /// <summary>What it holds now and has done.</summary>
    PoolStatistics GetStatistics();
}
