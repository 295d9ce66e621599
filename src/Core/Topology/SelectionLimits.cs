namespace Slipstream.Core.Topology;

/// <summary>What a server must fulfil to be chosen. Times are in milliseconds.</summary>
/// <param name="LocalThreshold">How much longer than the fastest server's its answers may take; negative: no limit.</param>
/// <param name="LongestLag">How far a replica may be behind; 0: no limit. A replica whose lag is unknown is not left out.</param>
internal sealed record SelectionLimits(double LocalThreshold = 15, long LongestLag = 0)
{
    /// <summary>The largest number of servers of a topology.</summary>
    public const int MostHosts = 64;
}
