using System.Globalization;

namespace Slipstream.Lab;

/// <summary>The ports over which a Galera node talks to the others, in addition to the port for clients.</summary>
internal readonly record struct GaleraPorts(int Group, int Transfer)
{
    /// <summary>Gives two ports to each node.</summary>
    public static GaleraPorts[] Of(int[] ports) => [.. ports.Chunk(2).Select(static pair => new GaleraPorts(pair[0], pair[1]))];
}

/// <summary>
/// A node of a Galera cluster: MariaDB from the machine's packages, with the provider of Debian's package <c>galera-4</c>. The first node begins with an empty
/// database, the others get the data of a node that is there.
/// </summary>
/// <param name="number">The node's number; the first is 1.</param>
/// <param name="ports">The ports of all nodes.</param>
/// <param name="suspectTimeout">The time after which a silent node is suspected, and excluded if the others agree.</param>
internal sealed class GaleraRecipe(int number, IReadOnlyList<GaleraPorts> ports, TimeSpan suspectTimeout) : MariaDbRecipe
{
    // The server calls a program of this name with prefix wsrep_sst_ for the transfer of the whole data.
    private const string TransferMethod = "lab";

    private string? _position;

    public override string Name => string.Create(CultureInfo.InvariantCulture, $"Galera node {number}");

    public override int Node => number;

    /// <summary>Gets or sets whether the next start founds the cluster instead of joining one.</summary>
    public bool FoundsCluster { get; set; }

    // A smaller file is copied faster.
    protected override string LogSize => "--innodb-log-file-size=32M";

    public override void Install(LabFolder folder, CancellationToken ct)
    {
        base.Install(folder, ct);
        Debian.Unpack("galera-4", folder["packages", "galera"], ct);
    }

    // The data folder depends only on the founder's; a change makes all of them new.
    public override void Initialise(ServerPlan plan, CancellationToken ct)
    {
        if (FoundsCluster)
            base.Initialise(plan, ct);
    }

    public override void Prepare(ServerPlan plan, CancellationToken ct)
    {
        Directory.CreateDirectory(Scripts(plan));
        var script = Path.Combine(Scripts(plan), "wsrep_sst_" + TransferMethod);
        using (var source = typeof(GaleraRecipe).Assembly.GetManifestResourceStream("wsrep_sst_lab.sh")!)
        using (var file = File.Create(script))
            source.CopyTo(file);
        File.SetUnixFileMode(script, LabFolder.Everyone);
        _position = FoundsCluster ? null : RecoverPosition(plan, ct);
    }

    protected override IReadOnlyList<string> SetUpCommand(ServerPlan plan) => base.Command(plan);

    public override IReadOnlyList<string> Command(ServerPlan plan)
    {
        string[] start = FoundsCluster ? ["--wsrep-new-cluster"] : _position is null ? [] : ["--wsrep-start-position=" + _position];
        return ["env", $"PATH={Scripts(plan)}:{Environment.GetEnvironmentVariable("PATH")}", .. NodeCommand(plan), .. start];
    }

    private IReadOnlyList<string> NodeCommand(ServerPlan plan)
    {
        var own = ports[number - 1];
        var seconds = suspectTimeout.TotalSeconds;
        // The limits that Galera demands: keepalive and check well below the suspicion; inactive above it.
        string[] provider =
        [
            "base_host=127.0.0.1",
            string.Create(CultureInfo.InvariantCulture, $"base_port={own.Group}"),
            string.Create(CultureInfo.InvariantCulture, $"gmcast.listen_addr=tcp://127.0.0.1:{own.Group}"),
            string.Create(CultureInfo.InvariantCulture, $"ist.recv_addr=127.0.0.1:{own.Transfer}"),
            "gcache.size=64M",
            string.Create(CultureInfo.InvariantCulture, $"evs.keepalive_period=PT{seconds * 0.3:0.###}S"),
            string.Create(CultureInfo.InvariantCulture, $"evs.inactive_check_period=PT{seconds * 0.3:0.###}S"),
            string.Create(CultureInfo.InvariantCulture, $"evs.suspect_timeout=PT{seconds:0.###}S"),
            string.Create(CultureInfo.InvariantCulture, $"evs.inactive_timeout=PT{seconds * 3:0.###}S"),
            string.Create(CultureInfo.InvariantCulture, $"evs.install_timeout=PT{seconds * 3:0.###}S"),
        ];
        string[] options =
        [
            "--innodb-buffer-pool-size=64M", "--performance-schema=OFF", "--max-connections=200",
            "--binlog-format=ROW", "--innodb-autoinc-lock-mode=2", "--wsrep-on=ON",
            "--wsrep-provider=" + plan.Folder["packages", "galera", "usr", "lib", "libgalera_smm.so"],
            string.Create(CultureInfo.InvariantCulture, $"--wsrep-cluster-name=lab-{ports[0].Group}"),
            "--wsrep-cluster-address=gcomm://"
            + string.Join(',', ports.Select(static port => string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{port.Group}"))),
            string.Create(CultureInfo.InvariantCulture, $"--wsrep-node-name=node{number}"),
            string.Create(CultureInfo.InvariantCulture, $"--wsrep-node-address=127.0.0.1:{own.Group}"),
            string.Create(CultureInfo.InvariantCulture, $"--wsrep-node-incoming-address=127.0.0.1:{plan.Port}"),
            "--wsrep-sst-method=" + TransferMethod,
            "--wsrep-provider-options=" + string.Join(';', provider),
        ];
        return base.Command(plan with { ExtraArguments = [.. options, .. plan.ExtraArguments] });
    }

    /// <summary>
    /// Returns the position of a node that was killed: its state file does not have it, but its tables do. Without the position, the node would need all data
    /// again instead of the writes that it missed.
    /// </summary>
    private string? RecoverPosition(ServerPlan plan, CancellationToken ct)
    {
        var state = Path.Combine(plan.DataFolder, "grastate.dat");
        if (!File.Exists(state) || !LacksPosition(File.ReadAllText(state)))
            return null;
        string[] command = [.. ServerUser.Prefix("KILL"), .. NodeCommand(plan), "--wsrep-recover"];
        return FindPosition(Shell.Must(command[0], command[1..], ct: ct));
    }

    /// <summary>Returns whether the content of a state file says that the node did not end cleanly.</summary>
    internal static bool LacksPosition(string state) =>
        state.Split('\n').Any(static line => line.Split(':', StringSplitOptions.TrimEntries) is ["seqno", "-1"]);

    /// <summary>Finds the position in what <c>--wsrep-recover</c> reports; null if the tables have none.</summary>
    internal static string? FindPosition(string output)
    {
        const string Mark = "WSREP: Recovered position: ";
        if (output.Split('\n').LastOrDefault(static line => line.Contains(Mark, StringComparison.Ordinal)) is not { } line)
            return null;
        // Example: 6a93e0c3-ebfe-11f1-b3f8-9ec977e53b70:3,0-1-2, where the last part is a GTID.
        var position = line[(line.IndexOf(Mark, StringComparison.Ordinal) + Mark.Length)..].Trim().Split(',')[0];
        return position.EndsWith(":-1", StringComparison.Ordinal) ? null : position;
    }

    private static string Scripts(ServerPlan plan) => Path.Combine(plan.InstanceFolder, "bin");
}
