using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace Slipstream.Lab;

/// <summary>A group of MySQL servers, as its members know it.</summary>
/// <param name="Name">The group's name, a UUID.</param>
/// <param name="Ports">The port over which each member talks to the others.</param>
/// <param name="ExpelTimeout">How long a member that was silent for five seconds may stay silent before it is expelled.</param>
internal sealed record GroupPlan(Guid Name, IReadOnlyList<int> Ports, TimeSpan ExpelTimeout);

/// <summary>A member of a MySQL group. The plug-in is in the server's package. All members begin with a copy of the same empty database.</summary>
/// <param name="number">The member's number; the first is 1.</param>
/// <param name="group">The group.</param>
internal sealed class GroupReplicationRecipe(int number, GroupPlan group) : MySqlRecipe
{
    public override string Name => string.Create(CultureInfo.InvariantCulture, $"Group Replication member {number}");

    public override int Node => number;

    protected override string RedoLogSize => "--innodb-redo-log-capacity=64M";

    protected override IReadOnlyList<string> SetUpCommand(ServerPlan plan) => base.Command(plan);

    /// <summary>Copies the lab's empty database for members. Creates it if there is none yet, which takes much longer than a copy.</summary>
    public override void Initialise(ServerPlan plan, CancellationToken ct)
    {
        var hash = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(Fingerprint(plan))).AsSpan(0, 4));
        var seeds = plan.Folder["seeds"];
        var seed = Path.Combine(seeds, "group-replication-" + hash);
        if (Directory.Exists(seed))
        {
            Directory.Delete(plan.DataFolder);
            Copy(seed, plan.DataFolder, ct);
            return;
        }

        base.Initialise(plan, ct);
        // The file has the server's UUID, which differs between members.
        File.Delete(Path.Combine(plan.DataFolder, "auto.cnf"));
        Directory.CreateDirectory(seeds);
        var partial = string.Create(CultureInfo.InvariantCulture, $"{seed}.{Environment.ProcessId}");
        Copy(plan.DataFolder, partial, ct);
        try
        {
            Directory.Move(partial, seed);
        }
        catch (IOException) when (Directory.Exists(seed))
        {
            // Another program has just created the same.
            Directory.Delete(partial, recursive: true);
        }
    }

    public override IReadOnlyList<string> Command(ServerPlan plan)
    {
        string[] addresses = [.. group.Ports.Select(static port => string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{port}"))];
        string[] options =
        [
            "--innodb-buffer-pool-size=64M", "--max-connections=200", "--table-open-cache=200",
            string.Create(CultureInfo.InvariantCulture, $"--server-id={number}"),
            "--log-bin=binlog", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--sync-binlog=0",
            "--report-host=127.0.0.1",
            string.Create(CultureInfo.InvariantCulture, $"--report-port={plan.Port}"),
            "--plugin-load-add=group_replication.so",
            // The server knows these only after it has loaded the plug-in.
            "--loose-group-replication-group-name=" + group.Name,
            "--loose-group-replication-start-on-boot=OFF",
            "--loose-group-replication-local-address=" + addresses[number - 1],
            "--loose-group-replication-group-seeds=" + string.Join(',', addresses),
            "--loose-group-replication-recovery-use-ssl=ON",
            string.Create(CultureInfo.InvariantCulture, $"--loose-group-replication-member-expel-timeout={group.ExpelTimeout.TotalSeconds:0}"),
            // The least that is allowed; the default is 1 GiB.
            "--loose-group-replication-message-cache-size=134217728",
        ];
        return base.Command(plan with { ExtraArguments = [.. options, .. plan.ExtraArguments] });
    }

    private static void Copy(string from, string to, CancellationToken ct) => Shell.Must("cp", ["-a", "--reflink=auto", "--sparse=always", from, to], ct: ct);
}
