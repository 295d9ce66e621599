using System.Globalization;
using System.Data.Common;
using System.Security.Cryptography;
using Slipstream.Core.Data;
using Slipstream.Lab;
using Slipstream.MySql;

namespace Slipstream.Soak.Work;

internal sealed class MySqlStore(LabServer server) : Store(server)
{
    public override string Echo => "SELECT CAST(@m AS SIGNED), @t, SHA2(@t, 256)";

    public override string Rows =>
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @n) SELECT CAST(@m AS SIGNED), i, SHA2(CONCAT(@m, '-', i), 256) FROM n";

    // MySQL's information_schema cannot show sessions whose statement contains a character of four bytes. MariaDB has no other table by default.
    public override string ListSessions =>
        $"SELECT ID FROM {(Server.Kind.IsMariaDb() ? "information_schema" : "performance_schema")}.processlist WHERE USER = '{WorkerUser}'";

    // MySQL 9.6 no longer has MD5.
    public override string Blob => "SELECT data, SHA2(data, 256) FROM soak_effect WHERE id = @id";

    public override string Checksum(ReadOnlySpan<byte> bytes) => Convert.ToHexStringLower(SHA256.HashData(bytes));

    public override bool SeesHalfCommits => Server.Version.StartsWith("10.", StringComparison.Ordinal);

    public override string ReloadCertificate => Server.Kind.IsMariaDb() ? "FLUSH SSL" : "ALTER INSTANCE RELOAD TLS";

    public override string Sleep(int seconds) => FormattableString.Invariant($"SELECT SLEEP({seconds})");

    public override string KillSession(string session) => "KILL " + session;

    public override DbConnection Administrator() => new MySqlConnection(
        $"Server={Server.Host};Port={Server.Port};User ID={Server.User};Password={Server.Password};Database={Server.Database};SSL Mode=None;Allow Public Key "
            + "Retrieval=true;Pooling=false;Connection Timeout=5;Command Timeout=20");

    public override string TakesWrites => Server.Kind.IsMariaDb() ? "SELECT @@GLOBAL.read_only = 0" : "SELECT @@GLOBAL.super_read_only = 0";

    // A server of MariaDB starts again as the primary, and must then have what it has acknowledged. In the other clusters, the others have it.
    public override IEnumerable<string> SetUpDurability(ClusterKind cluster) =>
        cluster == ClusterKind.MariaDbReplication ? ["SET GLOBAL innodb_flush_log_at_trx_commit = 2"] : [];

    public override IReadOnlyList<(string Name, ProviderDataSource Source)> Sources(IReadOnlyList<(string Host, int Port)> servers, string caFile)
    {
        var text = (servers is [var (host, port)]
                ? FormattableString.Invariant($"Server={host};Port={port};")
                : FormattableString.Invariant($"Server={Hosts(servers)};Topology=Auto;Server Selection Timeout={SoakOptions.SelectionSeconds};"))
            + $"User ID={WorkerUser};Password={WorkerPassword};Database={Server.Database};"
            + string.Create(CultureInfo.InvariantCulture,
                $"Connection Timeout={SoakOptions.TimeoutSeconds};Command Timeout={SoakOptions.TimeoutSeconds};Cancellation "
                    + $"Timeout={SoakOptions.CancellationSeconds};Application Name=soak-");
        const string Plain = ";SSL Mode=None;Allow Public Key Retrieval=true";
        return
        [
            ("plain", new MySqlDataSource(text + "plain" + Plain + ";Maximum Pool Size=30;Allow Load Local Infile=true")),
            ("TLS", new MySqlDataSource(text + $"tls;SSL Mode=VerifyFull;SSL CA={caFile};Maximum Pool Size=24")),
            ("runtime", new MySqlDataSource(text + "runtime" + Plain + ";Maximum Pool Size=12;Async Engine=Runtime")),
        ];
    }

    public override IEnumerable<string> SetUp() =>
    [
        $"CREATE USER {WorkerUser}@'%' IDENTIFIED BY '{WorkerPassword}'",
        // Without administrative privileges, which would allow writing in spite of read_only.
        $"GRANT ALL ON {Server.Database}.* TO {WorkerUser}@'%'",
        .. Server.Kind.IsMariaDb()
            ? (string[])[]
            : [
                $"GRANT SELECT ON performance_schema.replication_group_members TO {WorkerUser}@'%'",
                $"GRANT SELECT ON performance_schema.replication_group_member_stats TO {WorkerUser}@'%'",
            ],
        "CREATE TABLE soak_account (id INT PRIMARY KEY, amount BIGINT NOT NULL) ENGINE=InnoDB",
        "CREATE TABLE soak_effect (id BIGINT, part INT, data LONGBLOB, PRIMARY KEY (id, part)) ENGINE=InnoDB",
        .. FillAccounts(),
    ];

    // MySQL has a separate option for administrators, which the workers are not.
    public override IEnumerable<string> SetReadOnly(bool isReadOnly) =>
        [$"SET SESSION lock_wait_timeout = 5", $"SET GLOBAL read_only = {(isReadOnly ? 1 : 0)}"];

    public override IEnumerable<string> Limit(int? sessions) => [FormattableString.Invariant($"SET GLOBAL max_user_connections = {sessions ?? MostSessions}")];

    public override async ValueTask BulkCopy(Verbs verbs, DbConnection connection, long id, int rows, CancellationToken ct)
    {
        var bulk = new MySqlBulkCopy((MySqlConnection)connection) { DestinationTableName = "soak_effect", BulkCopyTimeout = SoakOptions.TimeoutSeconds };
        if (verbs.IsAsync)
            await bulk.WriteToServerAsync(Enumerable.Range(0, rows), Write, ct);
        else
            bulk.WriteToServer(Enumerable.Range(0, rows), Write);

        void Write(MySqlBulkRow row, int part)
        {
            row.Write(id);
            row.Write(part);
            row.WriteNull();
        }
    }
}
