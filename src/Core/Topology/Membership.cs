namespace Slipstream.Core.Topology;

/// <summary>
/// Decides which servers a data source has: those that are listed, and members of the cluster that its servers report. The primary decides. Only while no
/// primary reports a list, other servers may add members, so that a primary can be found that is not listed. Like <see cref="TopologyMachine"/>, it does no
/// I/O, and gets the time from the observations.
/// </summary>
/// <param name="listed">The addresses of the connection string, in order of preference.</param>
/// <param name="removalDelay">Time in milliseconds after which a member is removed that the primary no longer reports.</param>
internal sealed class Membership(IReadOnlyList<string> listed, long removalDelay)
{
    // Host names have no case.
    private static readonly StringComparer Names = StringComparer.OrdinalIgnoreCase;

    private readonly Dictionary<string, MemberList> _reported = new(Names);

    // In alphabetical order, so that all clients prefer the same server.
    private readonly SortedDictionary<string, long?> _found = new(Names);
    private IReadOnlyList<string> _listed = listed;

    /// <summary>All servers: the listed ones, then the members that were found.</summary>
    public IReadOnlyList<string> All => [.. _listed, .. _found.Keys];

    /// <summary>Returns whether a server is one that was found, and is not listed.</summary>
    public bool IsFound(string address) => _found.ContainsKey(address);

    /// <summary>Replaces the listed servers. An empty list is ignored, because a cluster has at least one server.</summary>
    /// <returns>Whether <see cref="All"/> has changed.</returns>
    public bool List(IReadOnlyList<string> addresses)
    {
        if (addresses.Count == 0)
            return false;
        var before = All;
        _listed = [.. addresses.Distinct(Names)];
        foreach (var address in _listed)
            _found.Remove(address);
        return !All.SequenceEqual(before);
    }

    /// <summary>Takes an answer of a server.</summary>
    /// <param name="answered">The answer.</param>
    /// <param name="now">The servers after it.</param>
    /// <returns>Whether <see cref="All"/> has changed.</returns>
    public bool Take(ProbeAnswered answered, TopologySnapshot now)
    {
        var at = Array.FindIndex(now.Hosts, host => host.Address == answered.Host);
        // A server that is not a part of the cluster now may know an old list, or that of another cluster.
        if (at < 0 || !now.Hosts[at].IsUsable || answered.Answer.Members is not { Addresses.Count: > 0 } members)
        {
            _reported.Remove(answered.Host);
            return false;
        }

        _reported[answered.Host] = members;
        var authority = now.Primary is { } primary ? _reported.GetValueOrDefault(primary.Address) : null;
        var hasChanged = RemoveAliases();
        if (at == now.PrimaryIndex)
            hasChanged |= RemoveMissing(members, answered.At);
        else if (authority is null)
            Keep();
        if ((at == now.PrimaryIndex || authority is null) && HasBegun(now))
            hasChanged |= Add(members);
        return hasChanged;
    }

    // A listed server may be known to the cluster under another name. Only its own answer shows that.
    private bool HasBegun(TopologySnapshot now) =>
        Array.TrueForAll(now.Hosts, host => host.State != HostState.Unknown || !_listed.Contains(host.Address, Names));

    private bool Add(MemberList members)
    {
        var hasChanged = false;
        foreach (var address in members.Addresses)
        {
            if (_listed.Count + _found.Count >= SelectionLimits.MostHosts || _listed.Contains(address, Names) || IsAlias(address))
                continue;
            hasChanged |= _found.TryAdd(address, null);
        }

        return hasChanged;
    }

    private bool RemoveMissing(MemberList members, long time)
    {
        var hasChanged = false;
        foreach (var (address, missingSince) in _found.ToArray())
        {
            if (members.Addresses.Contains(address, Names))
                _found[address] = null;
            else if (missingSince is null)
                _found[address] = time;
            else if (time - missingSince >= removalDelay)
                hasChanged |= _found.Remove(address);
        }

        return hasChanged;
    }

    // The time counts only while a primary reports the members.
    private void Keep()
    {
        foreach (var address in _found.Keys.ToArray())
            _found[address] = null;
    }

    private bool RemoveAliases()
    {
        var hasChanged = false;
        foreach (var address in _found.Keys.ToArray())
            if (IsAlias(address))
                hasChanged |= _found.Remove(address);
        return hasChanged;
    }

    private bool IsAlias(string address)
    {
        foreach (var server in _listed)
            if (_reported.TryGetValue(server, out var members) && Names.Equals(members.Self, address) && !Names.Equals(server, address))
                return true;
        return false;
    }
}
