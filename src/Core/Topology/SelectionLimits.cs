namespace Slipstream.Core.Topology;

/// <summary>The limits that a server must meet to be chosen. Times are in milliseconds.</summary>
/// <param name="LocalThreshold">How much longer a server's answers may take than those of the fastest server; negative: no limit.</param>
/// <param name="LongestLag">How far a replica may be behind; 0: no limit. A replica whose lag is unknown is not left out.</param>
internal sealed record SelectionLimits(double LocalThreshold = 15, long LongestLag = 0)
{
    /// <summary>The largest number of servers of a topology.</summary>
    public const int MostHosts = 64;
}
