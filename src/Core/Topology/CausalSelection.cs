using Slipstream.Core.Causality;

namespace Slipstream.Core.Topology;

/// <summary>Decides which servers a caller may read from who must see certain writes.</summary>
internal static class CausalSelection
{
    /// <summary>
    /// Returns whether no server is fresher than this one, as far as certain writes are concerned. The only primary is the freshest one. If all servers accept
    /// writes, the one that has executed these is: the others certify a write before it is committed there, and apply it later.
    /// </summary>
    /// <param name="snapshot">The servers.</param>
    /// <param name="at">The index of the server; negative for one that is no longer listed.</param>
    /// <param name="isWriter">Whether the server itself has executed all of the writes first.</param>
    public static bool IsFreshest(TopologySnapshot snapshot, int at, bool isWriter) =>
        snapshot.Writers == WriterRule.First ? isWriter : at >= 0 && at == snapshot.PrimaryIndex;

    /// <summary>Returns whether a server has executed what a caller must see.</summary>
    /// <param name="snapshot">The servers.</param>
    /// <param name="at">The index of the server; negative for one that is no longer listed.</param>
    /// <param name="reached">What the server has reported to a caller; null for nothing.</param>
    /// <param name="need">What the caller must see.</param>
    /// <param name="isWriter">Whether the server itself has executed all of that first.</param>
    public static Freshness Of(TopologySnapshot snapshot, int at, LogPosition? reached, LogPosition need, bool isWriter)
    {
        // It was removed after the caller had chosen it.
        if (at < 0)
            return Freshness.Stale;
        if (IsFreshest(snapshot, at, isWriter))
            return Freshness.Fresh;
        // Such a server waits for everything that was committed anywhere before, so that no position is needed.
        if (snapshot.Writers == WriterRule.First)
            return Freshness.MayCatchUp;
        var executed = snapshot.Hosts[at].Executed;
        if (executed?.Covers(need) == true || reached?.Covers(need) == true)
            return Freshness.Fresh;
        return need != LogPosition.Unknown && executed?.MayReach(need) != false ? Freshness.MayCatchUp : Freshness.Stale;
    }

    /// <summary>Divides servers that suit equally: the fresh ones come first, then those that may catch up. The others must not be used.</summary>
    /// <param name="hosts">The servers.</param>
    /// <param name="freshness">Returns what is known about a server.</param>
    public static (T[] Fresh, T[] MayCatchUp) Divide<T>(T[] hosts, Func<T, Freshness> freshness) =>
        (Array.FindAll(hosts, host => freshness(host) == Freshness.Fresh), Array.FindAll(hosts, host => freshness(host) == Freshness.MayCatchUp));

    /// <summary>Returns the servers that suit a wish in the order in which a caller tries them.</summary>
    /// <param name="snapshot">The servers.</param>
    /// <param name="wish">What the caller wants.</param>
    /// <param name="limits">Limits for replicas and distances.</param>
    /// <param name="need">What the caller must see.</param>
    /// <param name="writer">The index of the server that has executed it first; -1 if it is not known.</param>
    /// <returns>Groups of indices. Each server of a group that is not fresh must be asked.</returns>
    public static IEnumerable<(bool IsFresh, int[] Hosts)> Tiers(
        TopologySnapshot snapshot, HostWish wish, SelectionLimits limits, LogPosition need, int writer = -1)
    {
        foreach (var (_, hosts) in Selection.Tiers(snapshot, wish, limits))
        {
            var (fresh, mayCatchUp) = Divide(hosts, at => Of(snapshot, at, null, need, at == writer));
            if (fresh.Length > 0)
                yield return (true, fresh);
            if (mayCatchUp.Length > 0)
                yield return (false, mayCatchUp);
        }
    }
}
