using System.Globalization;

namespace Slipstream.Lab;

/// <summary>
/// A network of its own for a program and the servers that it starts. Its only interface is the loopback, and its packets can be dropped without effect on the
/// rest of the machine. Linux allows it to root, and to others where user namespaces are permitted. <see cref="LabCluster.CutFromClients"/> needs it.
/// </summary>
public static class LabNetwork
{
    private const string Variable = "SLIPSTREAM_LAB_NETWORK";

    // Numbers of groups that Debian assigns to nobody. Each node of a cluster has one, because a rule can tell programs apart only by their user or group.
    private const int FirstGroup = 64_000;
    private const int MostNodes = 9;

    // A side that the cut has left waiting learns what has become of its connection within seconds after the cut, as it does in a network with long cuts and
    // the default values after minutes. A server without a client gives up a session after 9 seconds.
    private static readonly (string Setting, int Value)[] Settings =
    [
        ("ipv4/tcp_keepalive_time", 1), ("ipv4/tcp_keepalive_intvl", 1), ("ipv4/tcp_keepalive_probes", 8),
        // Linux 6.15. Before, a side waits up to as long as the cut has lasted.
        ("ipv4/tcp_rto_max_ms", 1000),
        // After a cut, a connection may be at a place where the kernel does not expect it, and would lose its number.
        ("netfilter/nf_conntrack_tcp_be_liberal", 1),
    ];

    private static readonly Lazy<bool> CanMark = new(SetUp);

    /// <summary>Gets whether this program runs in a network of its own.</summary>
    public static bool IsPrivate => Environment.GetEnvironmentVariable(Variable) is { Length: > 0 };

    /// <summary>
    /// Gets whether the connections between the nodes of a cluster can be told from those of clients. This requires servers that run as another user than this
    /// program, which only root can start.
    /// </summary>
    public static bool TellsNodesApart => IsPrivate && CanMark.Value;

    /// <summary>Returns why this machine has no network for a program of its own; null if it has. Unpacks the program that writes the rules.</summary>
    public static Task<string?> WhyUnavailableAsync(CancellationToken ct = default) => Task.Run(() =>
    {
        try
        {
            NetworkRules.Install(ct);
        }
        catch (LabUnavailableException e)
        {
            return e.Message;
        }

        // The kernel may lack what a rule needs.
        var (program, arguments) = NetworkRules.Command();
        string[] trial = Inside([program, .. arguments]);
        var result = Shell.Run(trial[0], trial[1..], NetworkRules.Trial, NetworkRules.Environment, ct);
        return result.ExitCode == 0 ? null : $"This machine permits no network for a program of its own: {result.Tail(2)}";
    }, ct);

    /// <summary>Returns the command that runs another command in a network of its own. The servers that this one starts are in the same network.</summary>
    public static string[] Inside(IEnumerable<string> command) =>
    [
        "env", Variable + "=private", "unshare",
        // Whoever is not root must be the same user inside: a server refuses to run as the root of a namespace, too.
        .. ServerUser.MustDrop ? (string[])["--net"] : ["--user", "--map-current-user", "--keep-caps", "--net"],
        "--", "sh", "-c", "ip link set lo up && exec \"$@\"", "sh", .. command,
    ];

    /// <summary>Returns the group of a node's process; 0: none.</summary>
    /// <param name="node">The number of the node; the first is 1; 0: the server's connections need not be told apart.</param>
    internal static int GroupOf(int node) => TellsNodesApart && node is > 0 and <= MostNodes ? FirstGroup + node : 0;

    private static bool SetUp()
    {
        foreach (var (setting, value) in Settings)
        {
            try
            {
                File.WriteAllText("/proc/sys/net/" + setting, value.ToString(CultureInfo.InvariantCulture));
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // An older kernel.
            }
        }

        if (!ServerUser.MustDrop)
            return false;
        // A connection has the number of the node that has opened it, in both directions; 0: a client.
        return NetworkRules.TryApply(
            "mangle",
            Enumerable.Range(1, MostNodes).Select(static node => string.Create(
                CultureInfo.InvariantCulture,
                $"-A OUTPUT -p tcp --syn -m owner --gid-owner {FirstGroup + node} --suppl-groups -j CONNMARK --set-mark {node}")));
    }
}
