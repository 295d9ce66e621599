using System.Globalization;

namespace Slipstream.Lab;

/// <summary>PostgreSQL from the machine's own Debian packages.</summary>
internal class PostgreSqlRecipe : PostgreSqlFamily
{
    private const string ClusterSettings = "/etc/postgresql-common/createcluster.conf";

    public override ServerKind Kind => ServerKind.PostgreSql;

    /// <summary>Gets the folder of the programs. Debian has one for each major version, outside PATH.</summary>
    protected static string? Programs =>
        Directory.Exists("/usr/lib/postgresql")
            ? Directory.GetDirectories("/usr/lib/postgresql")
                .OrderByDescending(d => int.TryParse(Path.GetFileName(d), CultureInfo.InvariantCulture, out var major) ? major : 0)
                .Select(d => Path.Combine(d, "bin"))
                .FirstOrDefault(d => File.Exists(Path.Combine(d, "postgres")) && File.Exists(Path.Combine(d, "initdb")))
            : null;

    public override void Install(LabFolder folder, CancellationToken ct) =>
        Debian.Install(Kind, () => Programs is not null, ["postgresql"], ct, PreventServices);

    protected override string Server(LabFolder folder) => Path.Combine(Programs!, "postgres");

    protected override IReadOnlyList<string> InitDb(LabFolder folder) => [Path.Combine(Programs!, "initdb")];

    // The package creates and starts a cluster of its own during its installation, unless this file prevents it.
    private static void PreventServices()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(ClusterSettings)!);
        if (!File.Exists(ClusterSettings))
            File.WriteAllText(ClusterSettings, "create_main_cluster = false\n");
    }
}
