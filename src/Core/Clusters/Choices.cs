using Slipstream.Core.Topology;

namespace Slipstream.Core.Clusters;

/// <summary>The servers that suit each wish, in tiers: those of an earlier tier are preferred. Computed once for each change, not for each lease.</summary>
internal sealed class Choices
{
    private static readonly HostWish[] Wishes = Enum.GetValues<HostWish>();

    private readonly Tier[][] _tiers;

    // Whether all servers have answered or failed once. Servers that are added later delay no caller.
    private readonly bool _isSettled;

    private Choices(Tier[][] tiers, bool isSettled) => (_tiers, _isSettled) = (tiers, isSettled);

    /// <summary>No server suits any wish.</summary>
    public static Choices None { get; } = new(Array.ConvertAll(Wishes, static _ => Array.Empty<Tier>()), false);

    /// <summary>Returns the tiers of a wish; none of them is empty.</summary>
    public Tier[] this[HostWish wish] => _tiers[(int)wish];

    /// <summary>Returns the same choices as another object, so that the callers who wait for other choices are woken.</summary>
    public Choices Renew() => new(_tiers, _isSettled);

    /// <summary>Returns the choices that a snapshot gives; the former ones if nothing has changed.</summary>
    /// <param name="snapshot">What is known about the servers.</param>
    /// <param name="members">The servers.</param>
    /// <param name="limits">The limits that a server must meet.</param>
    /// <param name="former">The choices before.</param>
    /// <param name="mayGrow">Whether there may be more servers than these.</param>
    public static Choices Of(TopologySnapshot snapshot, ClusterMember[] members, SelectionLimits limits, Choices former, bool mayGrow = false)
    {
        var isSettled = former._isSettled
            || (snapshot.Hosts.Length > 0 && !Array.Exists(snapshot.Hosts, static host => host.State == HostState.Unknown));
        var tiers = Array.ConvertAll(Wishes, wish => TiersOf(snapshot, members, wish, limits, isSettled, mayGrow));
        if (isSettled != former._isSettled)
            return new(tiers, isSettled);
        for (var wish = 0; wish < tiers.Length; wish++)
        {
            if (!IsSame(tiers[wish], former._tiers[wish]))
                return new(tiers, isSettled);
        }

        return former;
    }

    private static Tier[] TiersOf(
        TopologySnapshot snapshot, ClusterMember[] members, HostWish wish, SelectionLimits limits, bool isSettled, bool mayGrow)
    {
        // Nothing has to be known about it, and no monitor is needed.
        if (wish == HostWish.Any && members.Length == 1 && !mayGrow)
            return [new(true, members)];
        // At the start, the answers arrive in any order. Before all servers have answered or failed, only a primary is chosen that no order decides.
        if ((wish is not (HostWish.Primary or HostWish.ReadWrite) || snapshot.Writers == WriterRule.First) && !isSettled)
            return [];
        return [.. Selection.Tiers(snapshot, wish, limits)
            .Select(tier => new Tier(tier.IsSteady, Array.ConvertAll(tier.Hosts, at => members[at])))];
    }

    private static bool IsSame(Tier[] one, Tier[] other)
    {
        if (one.Length != other.Length)
            return false;
        for (var at = 0; at < one.Length; at++)
        {
            if (one[at].IsSteady != other[at].IsSteady || !one[at].Members.AsSpan().SequenceEqual(other[at].Members))
                return false;
        }

        return true;
    }

    /// <summary>Servers that suit a wish equally.</summary>
    /// <param name="IsSteady">Whether they answer in time. Servers that do not are used only if no steady one suits.</param>
    /// <param name="Members">The servers, in order of preference.</param>
    internal sealed record Tier(bool IsSteady, ClusterMember[] Members);
}
