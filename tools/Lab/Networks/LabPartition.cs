using System.Globalization;

namespace Slipstream.Lab;

/// <summary>The cuts in the network of a cluster.</summary>
internal sealed class LabPartition
{
    private readonly Dictionary<LabServer, List<string>> _rules = [];

    /// <summary>Returns whether a server is cut from its clients or its group.</summary>
    public bool IsCut(LabServer server)
    {
        lock (_rules)
            return _rules.ContainsKey(server);
    }

    /// <summary>Cuts all connections to a server's port for clients, in both directions.</summary>
    public void CutClients(LabServer server, CutKind kind)
    {
        var what = kind == CutKind.Drop ? "DROP" : "REJECT --reject-with tcp-reset";
        Add(
            server,
            string.Create(CultureInfo.InvariantCulture, $"INPUT -p tcp --dport {server.Port} -j {what}"),
            string.Create(CultureInfo.InvariantCulture, $"INPUT -p tcp --sport {server.Port} -j {what}"));
    }

    /// <summary>Cuts all connections between a node and the others, whichever has opened them.</summary>
    /// <param name="server">The node.</param>
    /// <param name="number">Its number; the first is 1.</param>
    /// <param name="own">The ports over which the others talk to it.</param>
    /// <param name="others">The ports over which it talks to the others.</param>
    public void CutGroup(LabServer server, int number, IEnumerable<int> own, IEnumerable<int> others)
    {
        if (!LabNetwork.TellsNodesApart)
        {
            throw new LabUnavailableException(
                "The connections between the nodes cannot be told apart: this takes root, and a kernel with xt_owner and xt_connmark.", "run as root");
        }

        Add(
            server,
            $"INPUT -p tcp -m multiport --ports {Joined(own)} -j DROP",
            string.Create(CultureInfo.InvariantCulture, $"INPUT -p tcp -m connmark --mark {number} -m multiport --ports {Joined(others)} -j DROP"));
    }

    /// <summary>Ends all cuts of a server.</summary>
    public void Heal(LabServer server)
    {
        lock (_rules)
        {
            if (_rules.Remove(server, out var rules))
                NetworkRules.Apply("filter", rules.Select(static rule => "-D " + rule));
        }
    }

    private void Add(LabServer server, params string[] rules)
    {
        if (!LabNetwork.IsPrivate)
            throw new LabUnavailableException("This program has no network of its own.", "start it with the command that LabNetwork.Inside returns");
        lock (_rules)
        {
            NetworkRules.Apply("filter", rules.Select(static rule => "-A " + rule));
            if (!_rules.TryAdd(server, [.. rules]))
                _rules[server].AddRange(rules);
        }
    }

    private static string Joined(IEnumerable<int> ports) => string.Join(',', ports.Select(static port => port.ToString(CultureInfo.InvariantCulture)));
}
