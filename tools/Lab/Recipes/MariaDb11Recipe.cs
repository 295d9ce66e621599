namespace Slipstream.Lab;

/// <summary>MariaDB 11.8 from Debian unstable, unpacked in the same way as MySQL (<see cref="MySqlRecipe"/>).</summary>
internal sealed class MariaDb11Recipe : MySqlFamily
{
    public override ServerKind Kind => ServerKind.MariaDb11;

    protected override string DefaultMethod => "mysql_native_password";

    // The package with the plug-ins of the methods would also start a service, so only its files are taken.
    public override void Install(LabFolder folder, CancellationToken ct)
    {
        if (!Directory.Exists(Root(folder)))
            Debian.UnpackFromUnstable(Kind, ["mariadb-server-core"], ["mariadb-server"], Root(folder), "about 45 MB to download, 130 MB on disk", ct);
    }

    protected override IEnumerable<LabUser> UsersByMethod(ServerPlan plan) =>
    [
        new("lab_native", plan.PasswordFor("native"), "mysql_native_password", ""),
        new("lab_ed25519", plan.PasswordFor("ed25519"), "client_ed25519", ""),
        new("lab_parsec", plan.PasswordFor("parsec"), "parsec", ""),
        new("lab_sha2", plan.PasswordFor("sha2"), "caching_sha2_password", ""),
        new(Environment.UserName, "", "unix_socket", "socket"),
    ];

    protected override string Identified(LabUser user) => user.Method switch
    {
        "client_ed25519" => $"IDENTIFIED VIA ed25519 USING PASSWORD({Quote(user.Password)})",
        "parsec" or "caching_sha2_password" => $"IDENTIFIED VIA {user.Method} USING PASSWORD({Quote(user.Password)})",
        "unix_socket" => "IDENTIFIED VIA unix_socket",
        _ => $"IDENTIFIED BY {Quote(user.Password)}",
    };

    /// <summary>Does the work of <c>mariadb-install-db</c>, a shell script that looks for the server's programs on the machine.</summary>
    public override void Initialise(ServerPlan plan, CancellationToken ct)
    {
        var scripts = Share(plan.Folder);
        string[] systemTables =
        [
            "mariadb_system_tables.sql", "mariadb_performance_tables.sql", "mariadb_system_tables_data.sql", "maria_add_gis_sp_bootstrap.sql",
            "mariadb_sys_schema.sql",
        ];
        var sql = "CREATE DATABASE IF NOT EXISTS mysql;\nUSE mysql;\n"
            + $"SET @auth_root_socket = {Quote(Environment.UserName)};\n"
            + string.Concat(systemTables.Select(file => File.ReadAllText(Path.Combine(scripts, file)) + "\n"));
        Bootstrap(plan, sql, ct);
        // After FLUSH PRIVILEGES, the bootstrap mode, which has no accounts, accepts statements about them.
        Bootstrap(plan, "FLUSH PRIVILEGES;\nDROP USER IF EXISTS ''@'localhost';\n" + SetupSql(plan), ct);
    }

    public override IReadOnlyList<string> Command(ServerPlan plan)
    {
        var root = Root(plan.Folder);
        return
        [
            .. Debian.Unpacked(root, "sbin", "mariadbd"), "--no-defaults", "--basedir=" + Path.Combine(root, "usr"), "--datadir=" + plan.DataFolder,
            "--lc-messages-dir=" + Share(plan.Folder), "--character-sets-dir=" + Path.Combine(Share(plan.Folder), "charsets"), .. SharedOptions(plan),
            "--innodb-log-file-size=256M", "--plugin-dir=" + Path.Combine(root, "usr", "lib", "mysql", "plugin"),
            "--plugin-load-add=auth_ed25519", "--plugin-load-add=auth_parsec", "--plugin-load-add=auth_mysql_sha2", .. plan.ExtraArguments,
        ];
    }

    private void Bootstrap(ServerPlan plan, string sql, CancellationToken ct)
    {
        string[] command = [.. ServerUser.Prefix("KILL"), .. Command(plan), "--bootstrap"];
        Shell.Must(command[0], command[1..], sql, ct);
    }

    private static string Root(LabFolder folder) => folder["packages", "mariadb11"];

    private static string Share(LabFolder folder) => Path.Combine(Root(folder), "usr", "share", "mariadb");
}
