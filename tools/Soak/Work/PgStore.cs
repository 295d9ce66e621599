using System.Globalization;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using Slipstream.Core.Data;
using Slipstream.Lab;
using Slipstream.PostgreSql;

namespace Slipstream.Soak.Work;

internal sealed class PgStore(LabServer server) : Store(server)
{
    public override string Echo => "SELECT @m::bigint, @t::text, md5(@t::text)";

    public override string Rows =>
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @n::int) SELECT @m::bigint, i, md5(concat(@m::bigint, '-', i)) FROM n";

    public override string Blob => "SELECT data, md5(data) FROM soak_effect WHERE id = @id";

    [SuppressMessage("Security", "CA5351:Do not use broken cryptographic algorithms", Justification = "The checksum that every PostgreSQL can make of a text.")]
    public override string Checksum(ReadOnlySpan<byte> bytes) => Convert.ToHexStringLower(MD5.HashData(bytes));

    public override string ListSessions => $"SELECT pid FROM pg_stat_activity WHERE usename = '{WorkerUser}' AND backend_type = 'client backend'";

    public override string ReloadCertificate => "SELECT pg_reload_conf()";

    public override string Sleep(int seconds) => FormattableString.Invariant($"SELECT 0 FROM pg_sleep({seconds})");

    public override string KillSession(string session) => $"SELECT pg_terminate_backend({session})";

    public override DbConnection Administrator() => new PgConnection(
        $"Host={Server.Host};Port={Server.Port};Username={Server.User};Password={Server.Password};Database={Server.Database};SSL "
            + "Mode=Disable;Pooling=false;Timeout=5;Command Timeout=20");

    public override string TakesWrites => "SELECT (NOT pg_is_in_recovery())::int";

    public override IReadOnlyList<(string Name, ProviderDataSource Source)> Sources(IReadOnlyList<(string Host, int Port)> servers, string caFile)
    {
        var text = (servers is [var (host, port)]
                ? FormattableString.Invariant($"Host={host};Port={port};")
                : FormattableString.Invariant($"Host={Hosts(servers)};Server Selection Timeout={SoakOptions.SelectionSeconds};"))
            + $"Username={WorkerUser};Password={WorkerPassword};Database={Server.Database};"
            + string.Create(CultureInfo.InvariantCulture,
                $"Timeout={SoakOptions.TimeoutSeconds};Command Timeout={SoakOptions.TimeoutSeconds};Cancellation "
                    + $"Timeout={SoakOptions.CancellationSeconds * 1000};Application Name=soak-");
        return
        [
            ("plain", Create(text + "plain;SSL Mode=Disable;Maximum Pool Size=30")),
            ("TLS", Create(text + $"tls;SSL Mode=VerifyFull;Root Certificate={caFile};Maximum Pool Size=24")),
            ("engine", Create(text + "engine;SSL Mode=Disable;Async Engine=Own;Maximum Pool Size=12")),
        ];

        PgDataSource Create(string options) => servers.Count == 1 ? PgDataSource.Create(options) : new PgDataSourceBuilder(options).BuildMultiHost();
    }

    public override IEnumerable<string> SetUp() =>
    [
        $"CREATE ROLE {WorkerUser} LOGIN PASSWORD '{WorkerPassword}'",
        // The servers of a cluster start without these. A role's setting takes precedence over the command line.
        $"ALTER ROLE {WorkerUser} SET synchronous_commit = on",
        $"ALTER ROLE {WorkerUser} SET lock_timeout = '3s'",
        $"ALTER ROLE {WorkerUser} SET client_connection_check_interval = '1s'",
        "CREATE TABLE soak_account (id int PRIMARY KEY, amount bigint NOT NULL)",
        "CREATE TABLE soak_effect (id bigint, part int, data bytea, PRIMARY KEY (id, part))",
        $"GRANT SELECT, INSERT, UPDATE, DELETE ON soak_account, soak_effect TO {WorkerUser}",
        .. FillAccounts(),
    ];

    public override IEnumerable<string> SetReadOnly(bool isReadOnly) =>
        [isReadOnly ? $"ALTER SYSTEM SET default_transaction_read_only = on" : "ALTER SYSTEM RESET default_transaction_read_only", "SELECT pg_reload_conf()"];

    public override IEnumerable<string> Limit(int? sessions) => [FormattableString.Invariant($"ALTER ROLE {WorkerUser} CONNECTION LIMIT {sessions ?? -1}")];

    public override async ValueTask BulkCopy(Verbs verbs, DbConnection connection, long id, int rows, CancellationToken ct)
    {
        var bulk = new PgBulkCopy((PgConnection)connection) { DestinationTableName = "soak_effect", BulkCopyTimeout = SoakOptions.TimeoutSeconds };
        if (verbs.IsAsync)
            await bulk.WriteToServerAsync(Enumerable.Range(0, rows), Write, ct);
        else
            bulk.WriteToServer(Enumerable.Range(0, rows), Write);

        void Write(PgBulkRow row, int part)
        {
            row.Write(id);
            row.Write(part);
            row.WriteNull();
        }
    }
}
