using System.Globalization;

namespace Slipstream.Lab;

/// <summary>The common part of both PostgreSQL releases: settings, users, access rules.</summary>
internal abstract class PostgreSqlFamily : ServerRecipe
{
    // postgres(1): SIGINT is the fast shutdown; SIGTERM would wait until the clients have left.
    public override string StopSignal => "INT";

    public override string SocketFile(int port) => string.Create(CultureInfo.InvariantCulture, $".s.PGSQL.{port}");

    /// <summary>Returns the path of <c>postgres</c>.</summary>
    protected abstract string Server(LabFolder folder);

    /// <summary>Returns the command that runs <c>initdb</c>.</summary>
    protected abstract IReadOnlyList<string> InitDb(LabFolder folder);

    public override IReadOnlyList<LabUser> Users(ServerPlan plan) =>
    [
        new("lab_scram", plan.PasswordFor("scram"), "scram-sha-256", ""),
        new("lab_md5", plan.PasswordFor("md5"), "md5", ""),
        new("lab_password", plan.PasswordFor("password"), "password", "ssl"),
        new("lab_trust", "", "trust", ""),
        new(LabCertificates.ClientName, "", "cert", "x509"),
        new("lab_peer", "", "peer", "socket"),
        new("lab_ssl", plan.PasswordFor("ssl"), "scram-sha-256", "ssl"),
        new("lab_special", "pä ß;\"'=\\%{}" + plan.Secret, "scram-sha-256", "special characters"),
        new("lab_locked", plan.PasswordFor("locked"), "scram-sha-256", "account locked"),
        new("lab_limited", plan.PasswordFor("limited"), "scram-sha-256", "one connection at a time"),
    ];

    public override string Fingerprint(ServerPlan plan) => SetupSql(plan) + HostRules;

    public override void Initialise(ServerPlan plan, CancellationToken ct)
    {
        var prefix = ServerUser.Prefix("KILL");
        var passwordFile = Path.Combine(plan.InstanceFolder, "password");
        File.WriteAllText(passwordFile, plan.MainPassword + "\n");
        try
        {
            string[] create =
            [
                .. prefix, .. InitDb(plan.Folder), "-D", plan.DataFolder, "-U", ServerPlan.MainUser, "--pwfile=" + passwordFile,
                "--auth=scram-sha-256", "--locale=C.UTF-8", "--encoding=UTF8", "--no-sync",
            ];
            Shell.Must(create[0], create[1..], ct: ct);
        }
        finally
        {
            File.Delete(passwordFile);
        }

        // The single-user mode takes one statement per line and always exits with success, so its output is checked.
        string[] single = [.. prefix, Server(plan.Folder), "--single", "-D", plan.DataFolder, "-c", "fsync=off", "template1"];
        var output = Shell.Must(single[0], single[1..], SetupSql(plan), ct);
        if (output.Contains("ERROR:", StringComparison.Ordinal))
            throw new InvalidOperationException("PostgreSQL refused a statement of the set-up:\n" + output);

        // A folder of the servers' user with mode 0700. It is written through a copy, because later the caller may be neither root nor that user.
        File.WriteAllText(Path.Combine(plan.DataFolder, "pg_hba.conf"), HostRules);
        File.WriteAllText(Path.Combine(plan.DataFolder, "pg_ident.conf"), $"lab {Environment.UserName} lab_peer\n");
    }

    public override IReadOnlyList<string> Command(ServerPlan plan) =>
    [
        Server(plan.Folder), "-D", plan.DataFolder,
        .. Settings(plan).SelectMany(setting => (string[])["-c", setting]), .. plan.ExtraArguments,
    ];

    /// <summary>
    /// Reads the postmaster's own file. Its eighth line is <c>ready</c> when it accepts connections. Its first line is the process ID, because a killed one
    /// leaves the file.
    /// </summary>
    public override string? Probe(ServerPlan plan, int process)
    {
        try
        {
            var lines = File.ReadAllLines(Path.Combine(plan.DataFolder, "postmaster.pid"));
            if (lines.Length < 8 || lines[7].Trim() != "ready" || lines[0] != process.ToString(CultureInfo.InvariantCulture))
                return null;
            // Example: postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)
            return Shell.Must(Server(plan.Folder), ["--version"]).Trim().Split(' ')[2];
        }
        catch (IOException)
        {
            return null;
        }
    }

    private static string[] Settings(ServerPlan plan) =>
    [
        string.Create(CultureInfo.InvariantCulture, $"port={plan.Port}"),
        "listen_addresses=" + (FreePort.HasIPv6Loopback ? "127.0.0.1,::1" : "127.0.0.1"),
        "unix_socket_directories=" + plan.SocketFolder,
        "max_connections=600",
        // The default is 0, which refuses PREPARE TRANSACTION.
        "max_prepared_transactions=50",
        "ssl=on",
        "ssl_ca_file=" + Path.Combine(plan.TlsFolder, "ca.pem"),
        "ssl_cert_file=" + Path.Combine(plan.TlsFolder, "server.pem"),
        "ssl_key_file=" + Path.Combine(plan.TlsFolder, "server.key"),
        "shared_buffers=256MB",
        // Trades safety at a power failure, which throwaway data does not need, for speed.
        "fsync=off",
        "synchronous_commit=off",
        "full_page_writes=off",
        // Replication needs these. Without a slot or a sender they cost a few bytes of log for each statement.
        "wal_level=logical",
        "max_wal_senders=10",
        "max_replication_slots=10",
    ];

    private static string SetupSql(ServerPlan plan)
    {
        string Password(string purpose) => plan.PasswordFor(purpose);
        var special = ("pä ß;\"'=\\%{}" + plan.Secret).Replace("'", "''", StringComparison.Ordinal);
        return $"""
            CREATE ROLE lab WITH NOLOGIN;
            GRANT ALL ON SCHEMA public TO lab;
            CREATE DATABASE {ServerPlan.Database};
            GRANT ALL ON DATABASE {ServerPlan.Database} TO lab;
            CREATE ROLE lab_scram LOGIN IN ROLE lab PASSWORD '{Password("scram")}';
            CREATE ROLE lab_password LOGIN IN ROLE lab PASSWORD '{Password("password")}';
            CREATE ROLE lab_trust LOGIN IN ROLE lab;
            CREATE ROLE lab_cert LOGIN IN ROLE lab;
            CREATE ROLE lab_peer LOGIN IN ROLE lab;
            CREATE ROLE lab_ssl LOGIN IN ROLE lab PASSWORD '{Password("ssl")}';
            CREATE ROLE lab_special LOGIN IN ROLE lab PASSWORD '{special}';
            CREATE ROLE lab_locked NOLOGIN IN ROLE lab PASSWORD '{Password("locked")}';
            CREATE ROLE lab_limited LOGIN CONNECTION LIMIT 1 IN ROLE lab PASSWORD '{Password("limited")}';
            SET password_encryption = 'md5';
            CREATE ROLE lab_md5 LOGIN IN ROLE lab PASSWORD '{Password("md5")}';

            """;
    }

    // The first match wins: rules that must not work without TLS are refused before the line that admits all users.
    private const string HostRules =
        """
        local     all lab_peer     peer map=lab
        local     all lab_trust    trust
        local     all lab_md5      md5
        local     all all          scram-sha-256
        hostnossl all lab_password,lab_cert,lab_ssl all reject
        hostssl   all lab_password all password
        hostssl   all lab_cert     all cert
        host      all lab_md5      all md5
        host      all lab_trust    all trust
        host      all all          all scram-sha-256
        local     replication all  scram-sha-256
        host      replication all  all scram-sha-256

        """;
}
