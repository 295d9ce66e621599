using Slipstream.Core.Errors;
using Slipstream.Core.Time;
using Slipstream.Core.Topology;

namespace Slipstream.Core.Clusters;

/// <summary>
/// The search of one caller for a session, after the first attempt has not succeeded at once. It decides and never waits. A server that has failed is left out
/// until other servers suit, or for a tenth of a second.
/// </summary>
/// <param name="cluster">The servers.</param>
/// <param name="wish">What the caller wants.</param>
/// <param name="began">When the caller began to wait.</param>
/// <param name="milliseconds">The time limit of the caller, in milliseconds; 0: no limit.</param>
/// <param name="name">The wish in the provider's words, for messages.</param>
internal sealed class ServerSelection(Cluster cluster, HostWish wish, long began, long milliseconds, string name)
{
    private const long Pause = 100;

    // The time for the search begins with the search: the caller may have waited for a session of a server that was retired in the meantime.
    private readonly long _due = Math.Min(
        milliseconds <= 0 ? Clock.Never : began + milliseconds, cluster.SelectionTimeout <= 0 ? Clock.Never : Clock.In(cluster.SelectionTimeout));

    private readonly List<ClusterMember> _failed = [];
    private Exception? _failure;

    /// <summary>The servers that suited at the last choice.</summary>
    public Choices Seen { get; private set; } = Choices.None;

    /// <summary>How long to wait for a change, in milliseconds; 0: no limit.</summary>
    public long WaitTime => _failed.Count == 0 ? TimeLeft : TimeLeft == 0 ? Pause : Math.Min(Pause, TimeLeft);

    /// <summary>The time that is left for a lease, in milliseconds; 0: no limit.</summary>
    public long TimeLeft => _due == Clock.Never ? 0 : Math.Max(1, _due - Clock.Now);

    /// <summary>Returns the next server to lease from; null if the caller must wait.</summary>
    /// <exception cref="Exception">No server suits, and waiting longer cannot help, or the time has run out.</exception>
    public ClusterMember? Next()
    {
        cluster.Start();
        if (_due != Clock.Never && Clock.Now >= _due)
            throw Failed();
        if (cluster.Choices is var now && !ReferenceEquals(now, Seen))
        {
            Seen = now;
            _failed.Clear();
        }

        if (cluster.Choose(now[wish], _failed.Count > 0 ? _failed : null) is { } member)
            return member;
        if (_failure is ServerRefusedException)
            throw _failure;
        if (_failed.Count == 0 && cluster.FindPermanentFailure() is { } permanent)
            throw permanent;
        return null;
    }

    /// <summary>Leaves a server out until other servers suit, or for a tenth of a second: it is about to be reported as one that does not.</summary>
    public void Exclude(ClusterMember member)
    {
        Seen = cluster.Choices;
        _failed.Add(member);
    }

    /// <summary>Records that a wait has ended without a change.</summary>
    public void Waited() => _failed.Clear();

    /// <summary>Records that a session of the server was not what the caller wants.</summary>
    public void Rejected(ClusterMember member) => _failed.Add(member);

    /// <summary>Records that a lease has failed. Returns whether the search goes on.</summary>
    public bool Failed(ClusterMember member, long generation, Exception exception)
    {
        var refusal = (exception as ServerRefusedException)?.Error;
        // The server is full, or refuses for another reason of its own. That ends the search if no other server suits.
        var isDenied = refusal is not null && member.Probe.FailureOf(refusal) == ProbeFailure.Denied;
        var concernsServer = refusal is null
            ? exception is WireException { Failure: not WireFailure.Canceled }
            : !isDenied || member.Opener.MayTryNext(refusal);
        if (!concernsServer)
            return false;
        _failure = isDenied ? exception : null;
        if (!isDenied)
            member.NotOpened(generation, exception.Message);
        _failed.Add(member);
        return true;
    }

    private WireException Failed() => new(
        WireFailure.Unreachable,
        $"None of the {cluster.Members.Length} servers could be used for {name} within {(_due - began) / 1000.0:0.###} s. {cluster.Describe()}")
        { RetrySafety = RetrySafety.NotSent };
}
