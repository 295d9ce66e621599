using Slipstream.Core.Errors;
using Slipstream.Core.Topology;

namespace Slipstream.Core.Clusters;

/// <summary>Reports events of a cluster to its observer, and remembers which members were refused.</summary>
internal sealed class ClusterReports
{
    // Number of refusals in the message of an exception. The log has all of them.
    private const int MostDescribed = 3;

    private readonly HashSet<(string By, string Because)> _refusals = [];

    /// <summary>Receives the events, for the log; null for nobody.</summary>
    public IClusterObserver? Observer { get; set; }

    /// <summary>The first members that were refused: the server that named them, and the reason.</summary>
    public (string By, string Because)[] Refusals
    {
        get
        {
            lock (_refusals)
                return [.. _refusals.Take(MostDescribed)];
        }
    }

    /// <summary>Reports an event.</summary>
    public void Tell(Action<IClusterObserver> tell)
    {
        try
        {
            if (Observer is { } observer)
                tell(observer);
        }
        catch (Exception)
        {
            // An exception of the application's logger must not keep the monitor from its work.
        }
    }

    /// <summary>Reports that members must not be used. Once for each reason, because a server names them every second.</summary>
    /// <param name="by">The server that has named them, or the address.</param>
    /// <param name="because">The reason.</param>
    public void Refused(string by, string because)
    {
        lock (_refusals)
        {
            if (_refusals.Count >= SelectionLimits.MostHosts * 2 || !_refusals.Add((by, because)))
                return;
        }

        Tell(observer => observer.MembersRefused(by, ServerText.OneLine(because, 1000)));
    }

    /// <summary>Reports that the application's topology source has failed.</summary>
    public void SourceFailed(Exception exception) => Tell(observer => observer.SourceFailed(exception));
}
