namespace Slipstream.Lab;

/// <summary>
/// MySQL from Debian unstable. It is unpacked with all its libraries into a folder of its own, and the loader there runs it. The machine's own packages do not
/// change, and root is not required.
/// </summary>
internal class MySqlRecipe : MySqlFamily
{
    public override ServerKind Kind => ServerKind.MySql;

    protected override string DefaultMethod => "caching_sha2_password";

    public override void Install(LabFolder folder, CancellationToken ct)
    {
        if (!Directory.Exists(Root(folder)))
            Debian.UnpackFromUnstable(Kind, ["mysql-server-core"], [], Root(folder), "about 60 MB to download, 330 MB on disk", ct);
    }

    protected override IEnumerable<LabUser> UsersByMethod(ServerPlan plan) =>
    [
        new("lab_sha2", plan.PasswordFor("sha2"), "caching_sha2_password", ""),
        new("lab_sha256", plan.PasswordFor("sha256"), "sha256_password", ""),
        new("lab_socket", "", "auth_socket", "socket"),
    ];

    protected override string Identified(LabUser user) => $"IDENTIFIED WITH {user.Method} BY {Quote(user.Password)}";

    public override string Fingerprint(ServerPlan plan) => base.Fingerprint(plan) + SocketUserSql;

    // Plug-ins are not loaded while the data folder is created, so the user of this plug-in is created when the server starts.
    private static string SocketUserSql =>
        $"CREATE USER IF NOT EXISTS lab_socket@localhost IDENTIFIED WITH auth_socket AS {Quote(Environment.UserName)};\n"
        + $"GRANT ALL ON {ServerPlan.Database}.* TO lab_socket@localhost;\n";

    /// <summary>Gets the size of the redo log.</summary>
    protected virtual string RedoLogSize => "--innodb-redo-log-capacity=512M";

    private static string SocketUserFile(ServerPlan plan) => Path.Combine(plan.InstanceFolder, "socket-user.sql");

    protected override bool IsMadeAtSetUp(LabUser user) => user.Method != "auth_socket";

    // A member of a group must not have a transaction of its own.
    public override void Prepare(ServerPlan plan, CancellationToken ct) =>
        File.WriteAllText(SocketUserFile(plan), "SET sql_log_bin = 0;\n" + SocketUserSql);

    public override void Initialise(ServerPlan plan, CancellationToken ct)
    {
        // The server checks that the file exists.
        Prepare(plan, ct);
        var file = Path.Combine(plan.InstanceFolder, "setup.sql");
        // DROP USER comes last, because the file runs as that user.
        File.WriteAllText(file, SetupSql(plan) + "DROP USER root@localhost;\n");
        string[] command = [.. ServerUser.Prefix("KILL"), .. SetUpCommand(plan), "--initialize-insecure", "--init-file=" + file];
        try
        {
            Shell.Must(command[0], command[1..], ct: ct);
        }
        finally
        {
            File.Delete(file);
        }
    }

    public override IReadOnlyList<string> Command(ServerPlan plan)
    {
        var root = Root(plan.Folder);
        return
        [
            .. Debian.Unpacked(root, "sbin", "mysqld"), "--no-defaults",
            "--basedir=" + Path.Combine(root, "usr"), "--datadir=" + plan.DataFolder,
            "--plugin-dir=" + Path.Combine(root, "usr", "lib", "mysql", "plugin"), "--plugin-load-add=auth_socket.so",
            "--lc-messages-dir=" + Path.Combine(root, "usr", "share", "mysql"),
            "--character-sets-dir=" + Path.Combine(root, "usr", "share", "mysql", "charsets"),
            "--mysqlx=OFF", RedoLogSize, "--init-file=" + SocketUserFile(plan), .. SharedOptions(plan), .. plan.ExtraArguments,
        ];
    }

    private static string Root(LabFolder folder) => folder["packages", "mysql"];
}
