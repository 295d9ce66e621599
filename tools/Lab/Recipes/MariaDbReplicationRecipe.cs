using System.Globalization;

namespace Slipstream.Lab;

/// <summary>A MariaDB server that writes a binary log with GTIDs, so that it can be a primary or a replica.</summary>
/// <param name="number">The server's ID.</param>
internal sealed class MariaDbReplicationRecipe(int number) : MariaDbRecipe
{
    public override string Name => string.Create(CultureInfo.InvariantCulture, $"MariaDB replication server {number}");

    protected override string LogSize => "--innodb-log-file-size=32M";

    // What happens at the set-up is not in the binary log: all servers have it.
    protected override IReadOnlyList<string> SetUpCommand(ServerPlan plan) => base.Command(plan);

    public override IReadOnlyList<string> Command(ServerPlan plan)
    {
        string[] options =
        [
            "--innodb-buffer-pool-size=64M", "--max-connections=200",
            string.Create(CultureInfo.InvariantCulture, $"--server-id={number}"),
            "--log-bin=binlog", "--log-slave-updates", "--gtid-strict-mode", "--binlog-format=ROW",
            // A server that starts again must not take writes before it is known which one is the primary.
            "--read-only", "--skip-slave-start",
        ];
        return base.Command(plan with { ExtraArguments = [.. options, .. plan.ExtraArguments] });
    }
}
