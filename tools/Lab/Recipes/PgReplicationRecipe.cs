using System.Globalization;

namespace Slipstream.Lab;

/// <summary>A server of a replicated PostgreSQL cluster. It starts with an empty database, or with a copy of another server from which it streams.</summary>
internal sealed class PgReplicationRecipe : PostgreSqlRecipe
{
    /// <summary>Gets or sets the server that this one copies and streams from; null for the first one.</summary>
    public ServerSettings? Primary { get; set; }

    /// <summary>Returns the line of the settings file that makes a standby stream from a server.</summary>
    public static string StreamFrom(ServerSettings primary) => string.Create(
        CultureInfo.InvariantCulture,
        $"primary_conninfo = 'host={primary.Host} port={primary.Port} user={primary.User} password={primary.Password} sslmode=prefer'\n");

    public override void Initialise(ServerPlan plan, CancellationToken ct)
    {
        if (Primary is null)
        {
            base.Initialise(plan, ct);
            return;
        }

        string[] copy =
        [
            .. ServerUser.Prefix("KILL"), "env", "PGPASSWORD=" + Primary.Password, Path.Combine(Programs!, "pg_basebackup"),
            "-h", Primary.Host, "-p", Primary.Port.ToString(CultureInfo.InvariantCulture), "-U", Primary.User, "-D", plan.DataFolder,
            "-X", "stream", "--checkpoint=fast", "--no-sync",
        ];
        Shell.Must(copy[0], copy[1..], ct: ct);
        File.AppendAllText(Path.Combine(plan.DataFolder, "postgresql.auto.conf"), StreamFrom(Primary));
        File.WriteAllText(Path.Combine(plan.DataFolder, "standby.signal"), "");
        ServerUser.Own(plan.DataFolder);
    }
}
