namespace Slipstream.Lab;

/// <summary>MariaDB from the machine's own Debian packages.</summary>
internal class MariaDbRecipe : MySqlFamily
{
    public override ServerKind Kind => ServerKind.MariaDb;

    protected override string DefaultMethod => "mysql_native_password";

    private static string? Server => Debian.FindProgram("mariadbd");

    public override void Install(LabFolder folder, CancellationToken ct)
    {
        // mariadb-install-db is in the server's package and calls my_print_defaults, which is in the clients' package.
        string[] programs = ["mariadbd", "mariadb-install-db", "my_print_defaults"];
        Debian.Install(Kind, () => programs.All(program => Debian.FindProgram(program) is not null), ["mariadb-server-core", "mariadb-client-core"], ct);

        // The package with the plug-in of client_ed25519 would also start a service, so only its files are taken.
        Debian.Unpack("mariadb-server", folder["packages", "mariadb-server"], ct);
    }

    protected override IEnumerable<LabUser> UsersByMethod(ServerPlan plan) =>
    [
        new("lab_native", plan.PasswordFor("native"), "mysql_native_password", ""),
        new("lab_ed25519", plan.PasswordFor("ed25519"), "client_ed25519", ""),
        new(Environment.UserName, "", "unix_socket", "socket"),
    ];

    protected override string Identified(LabUser user) => user.Method switch
    {
        "client_ed25519" => $"IDENTIFIED VIA ed25519 USING PASSWORD({Quote(user.Password)})",
        "unix_socket" => "IDENTIFIED VIA unix_socket",
        _ => $"IDENTIFIED BY {Quote(user.Password)}",
    };

    public override void Initialise(ServerPlan plan, CancellationToken ct)
    {
        var prefix = ServerUser.Prefix("KILL");
        string[] install =
        [
            .. prefix, "mariadb-install-db", "--no-defaults", "--basedir=/usr", "--datadir=" + plan.DataFolder, "--tmpdir=" + plan.TemporaryFolder,
            "--skip-test-db", "--auth-root-authentication-method=socket", "--auth-root-socket-user=" + Environment.UserName, LogSize,
        ];
        Shell.Must(install[0], install[1..], ct: ct);
        // After FLUSH PRIVILEGES, the bootstrap mode, which has no accounts, accepts statements about them.
        string[] bootstrap = [.. prefix, .. SetUpCommand(plan), "--bootstrap"];
        Shell.Must(bootstrap[0], bootstrap[1..], "FLUSH PRIVILEGES;\nDROP USER IF EXISTS ''@'localhost';\n" + SetupSql(plan), ct);
    }

    // mallopt(3). By default, one thread's heap returns each large value to the system and faults its pages in again, 15,000 for 20 MiB, and the next thread's
    // keeps them: which session is slow is random. With these settings, all threads keep values below 32 MiB.
    public override IReadOnlyDictionary<string, string> Variables { get; } = new Dictionary<string, string>
    {
        ["MALLOC_TOP_PAD_"] = "67108864",
        ["MALLOC_MMAP_THRESHOLD_"] = "33554432",
        ["MALLOC_TRIM_THRESHOLD_"] = "1073741824",
    };

    // Debian's own configuration of MariaDB sets utf8mb4.
    public override IReadOnlyList<string> Command(ServerPlan plan) =>
    [
        Server!, "--no-defaults", "--datadir=" + plan.DataFolder, .. SharedOptions(plan), LogSize,
        "--plugin-dir=" + plan.Folder["packages", "mariadb-server", "usr", "lib", "mysql", "plugin"], "--plugin-load-add=auth_ed25519",
        "--character-set-server=utf8mb4", "--collation-server=utf8mb4_general_ci", .. plan.ExtraArguments,
    ];

    /// <summary>Gets the size of the log file that the data folder begins with.</summary>
    protected virtual string LogSize => "--innodb-log-file-size=256M";
}
