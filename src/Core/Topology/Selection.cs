namespace Slipstream.Core.Topology;

/// <summary>The kind of server that a caller wants.</summary>
internal enum HostWish
{
    /// <summary>Any server.</summary>
    Any,

    /// <summary>The primary, if its transactions are read-write by default.</summary>
    ReadWrite,

    /// <summary>A replica, or a primary whose transactions are read-only by default.</summary>
    ReadOnly,

    /// <summary>The primary.</summary>
    Primary,

    /// <summary>The primary, otherwise any other server.</summary>
    PreferPrimary,

    /// <summary>A replica.</summary>
    Replica,

    /// <summary>A replica, otherwise any other server.</summary>
    PreferReplica,
}

/// <summary>Chooses the server for a session. A silent or suspect server is chosen only if no other server suits, not even as a second choice.</summary>
internal static class Selection
{
    private static readonly SelectionLimits NoLimits = new();
    private static readonly (bool IsSteady, bool IsSecondChoice)[] Order = [(true, false), (true, true), (false, false), (false, true)];

    /// <summary>Returns the index of a server that suits; -1 if the caller must wait.</summary>
    /// <param name="snapshot">The servers.</param>
    /// <param name="wish">What the caller wants.</param>
    /// <param name="limits">Limits for replicas and distances.</param>
    /// <param name="load">The number of sessions in use at each server, in the order of the snapshot.</param>
    /// <param name="random">Returns a number from 0 to below its argument.</param>
    public static int Choose(TopologySnapshot snapshot, HostWish wish, SelectionLimits limits, ReadOnlySpan<int> load, Func<int, int> random)
    {
        foreach (var (_, hosts) in Tiers(snapshot, wish, limits))
            return LeastLoaded(hosts, load, random);
        return -1;
    }

    /// <summary>Returns the servers that suit, those of an earlier tier before those of a later one. No tier is empty.</summary>
    /// <param name="snapshot">The servers.</param>
    /// <param name="wish">What the caller wants.</param>
    /// <param name="limits">Limits for replicas and distances.</param>
    /// <returns>Whether the servers of the tier answer in time, and their indices in the order of the snapshot.</returns>
    public static IEnumerable<(bool IsSteady, int[] Hosts)> Tiers(TopologySnapshot snapshot, HostWish wish, SelectionLimits limits)
    {
        foreach (var (isSteady, isSecondChoice) in Order)
        {
            var hosts = Suitable(snapshot, wish, isSecondChoice, isSteady, limits);
            if (hosts.Length > 0)
                yield return (isSteady, hosts);
        }
    }

    /// <summary>Returns whether a server has a role that suits, if only as a second choice.</summary>
    /// <param name="snapshot">The servers.</param>
    /// <param name="at">The index of the server.</param>
    /// <param name="wish">What the caller wants.</param>
    public static bool HasRole(TopologySnapshot snapshot, int at, HostWish wish) => snapshot.Hosts[at].Role == HostRole.Unknown
        // A single server is not asked for its role by callers who want any.
        ? wish == HostWish.Any
        : HostStatus.MayServe(snapshot.Hosts[at].Role)
            && (Suits(snapshot, at, wish, isSecondChoice: false, NoLimits) || Suits(snapshot, at, wish, isSecondChoice: true, NoLimits));

    /// <summary>
    /// Returns two different random numbers below a count of at least two. Of two random servers, the one with fewer sessions in use is chosen: the load is
    /// nearly as even as with the least loaded of all, but not all clients choose the same server.
    /// </summary>
    /// <param name="count">The number of servers.</param>
    /// <param name="random">Returns a number from 0 to below its argument.</param>
    public static (int First, int Second) Pair(int count, Func<int, int> random)
    {
        var first = random(count);
        var second = random(count - 1);
        return (first, second >= first ? second + 1 : second);
    }

    private static int[] Suitable(TopologySnapshot snapshot, HostWish wish, bool isSecondChoice, bool isSteady, SelectionLimits limits)
    {
        Span<int> suitable = stackalloc int[SelectionLimits.MostHosts];
        var count = Collect(snapshot, wish, isSecondChoice, isSteady, limits, suitable);
        return count == 0 ? [] : suitable[..Near(snapshot, suitable[..count], limits)].ToArray();
    }

    private static int Collect(TopologySnapshot snapshot, HostWish wish, bool isSecondChoice, bool isSteady, SelectionLimits limits, Span<int> suitable)
    {
        var count = 0;
        for (var at = 0; at < snapshot.Hosts.Length && count < suitable.Length; at++)
        {
            var host = snapshot.Hosts[at];
            if (host.IsUsable && IsSteady(host) == isSteady && Suits(snapshot, at, wish, isSecondChoice, limits))
                suitable[count++] = at;
        }

        return count;
    }

    private static bool IsSteady(HostStatus host) => host is { State: HostState.Up, IsSilent: false };

    private static bool Suits(TopologySnapshot snapshot, int at, HostWish wish, bool isSecondChoice, SelectionLimits limits)
    {
        var (host, isPrimary) = (snapshot.Hosts[at], at == snapshot.PrimaryIndex);
        // With the rule First, all writers but the primary serve as replicas. Otherwise, the cluster may discard the data of a second primary.
        var isReplica = !isPrimary && (host.Role != HostRole.Primary || snapshot.Writers == WriterRule.First) && IsFresh(host, limits);
        return wish switch
        {
            HostWish.ReadWrite => isPrimary && !host.IsReadOnlyByDefault && !isSecondChoice,
            HostWish.ReadOnly => (isReplica || (isPrimary && host.IsReadOnlyByDefault)) && !isSecondChoice,
            HostWish.Primary => isPrimary && !isSecondChoice,
            HostWish.Replica => isReplica && !isSecondChoice,
            HostWish.PreferPrimary => isSecondChoice ? isReplica : isPrimary,
            HostWish.PreferReplica => isSecondChoice ? isPrimary : isReplica,
            _ => (isPrimary || isReplica || host.Role == HostRole.Primary) && !isSecondChoice,
        };
    }

    private static bool IsFresh(HostStatus host, SelectionLimits limits) => limits.LongestLag <= 0 || host.Lag is not { } lag || lag <= limits.LongestLag;

    // Moves the near servers to the front and returns their number: their answers take longer than the fastest one's by at most the threshold.
    private static int Near(TopologySnapshot snapshot, Span<int> suitable, SelectionLimits limits)
    {
        if (limits.LocalThreshold < 0)
            return suitable.Length;
        var fastest = double.MaxValue;
        foreach (var at in suitable)
            fastest = Math.Min(fastest, snapshot.Hosts[at].RoundTrip ?? double.MaxValue);
        var count = 0;
        foreach (var at in suitable)
            if ((snapshot.Hosts[at].RoundTrip ?? 0) <= fastest + limits.LocalThreshold)
                suitable[count++] = at;
        return count;
    }

    private static int LeastLoaded(int[] suitable, ReadOnlySpan<int> load, Func<int, int> random)
    {
        if (suitable.Length == 1)
            return suitable[0];
        var (first, second) = Pair(suitable.Length, random);
        return load[suitable[second]] < load[suitable[first]] ? suitable[second] : suitable[first];
    }
}
