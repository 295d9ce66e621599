using System.Data.Common;
using System.Globalization;
using Slipstream.Core.Data;
using Slipstream.Lab;

namespace Slipstream.Soak.Work;

/// <summary>The tables and statements of the soak, in a server's dialect.</summary>
internal abstract class Store(LabServer server)
{
    public const int Accounts = 64;
    public const long Total = Accounts * 1000L;
    protected const string WorkerUser = "soak";
    protected const int MostSessions = 500;

    /// <summary>Gets or sets the server of the administrator's connections: of a cluster, the primary.</summary>
    public LabServer Server { get; set; } = server;

    protected string WorkerPassword => "soak-" + Server.Password;

    public static Store Of(LabServer server) => server.Kind.IsPostgreSql() ? new PgStore(server) : new MySqlStore(server);

    /// <summary>Returns arguments for the server's program with which a killed server loses nothing that it has acknowledged.</summary>
    public static IReadOnlyList<string> ServerArguments(ServerKind kind) => kind.IsPostgreSql()
        ?
        [
            // The server answers a commit when its log is written to the system, which keeps it if the process is killed. fsync, which protects against a crash
            // of the machine, stays off. Whole pages are written to the log because SIGKILL may interrupt the write of a page. The limits release what a lost
            // client has locked.
            "-c", "synchronous_commit=on", "-c", "full_page_writes=on", "-c", "lock_timeout=3s", "-c", "deadlock_timeout=200ms", "-c",
            "client_connection_check_interval=1s", "-c", "shared_buffers=64MB",
        ]
        :
        [
            // As above: 2 writes the log at each commit and calls fsync once a second, and the doublewrite buffer repairs a page that was half written.
            "--innodb-flush-log-at-trx-commit=2", "--innodb-doublewrite=1", "--innodb-lock-wait-timeout=3", "--lock-wait-timeout=4",
            "--innodb-buffer-pool-size=128M",
            // MariaDB cannot limit connections later if it was started without a limit.
            FormattableString.Invariant($"--max-user-connections={MostSessions}"),
        ];

    /// <summary>Creates an administrator's connection that bypasses the proxy and the pools.</summary>
    public abstract DbConnection Administrator();

    /// <summary>Returns the first column of an administrator's query, as text.</summary>
    public async Task<List<string>> Column(string sql)
    {
        await using var connection = Administrator();
        await connection.OpenAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = sql;
        await using var reader = await command.ExecuteReaderAsync();
        var values = new List<string>();
        while (await reader.ReadAsync())
            values.Add(Convert.ToString(reader.GetValue(0), CultureInfo.InvariantCulture)!);
        return values;
    }

    /// <summary>
    /// Creates the data sources of the workers: one plain, one with verified TLS, one with the other engine for asynchronous I/O. With several servers, they
    /// are those of a cluster.
    /// </summary>
    public abstract IReadOnlyList<(string Name, ProviderDataSource Source)> Sources(IReadOnlyList<(string Host, int Port)> servers, string caFile);

    /// <summary>Gets a query that returns 1 if the server takes writes, otherwise 0.</summary>
    public abstract string TakesWrites { get; }

    /// <summary>Returns the statements for a server of a cluster that protect the work that it has acknowledged.</summary>
    public virtual IEnumerable<string> SetUpDurability(ClusterKind cluster) => [];

    /// <summary>
    /// Gets whether a statement may see half of a transaction that is being committed, about once in ten thousand: MariaDB 10.11 shows it to every client. A
    /// second query in the same session sees the whole transaction; a session that was reused in the middle of a transaction would show half of it again.
    /// </summary>
    public virtual bool SeesHalfCommits => false;

    /// <summary>Returns the statements that create the user and the tables. In a cluster, the primary executes them.</summary>
    public abstract IEnumerable<string> SetUp();

    /// <summary>Returns the result of the server's checksum function for these bytes, in hexadecimal.</summary>
    public abstract string Checksum(ReadOnlySpan<byte> bytes);

    /// <summary>Gets a query for the marker @m, the text @t, and its checksum.</summary>
    public abstract string Echo { get; }

    /// <summary>Gets a query for the rows 1 to @n: the marker @m, the number, and the checksum of both.</summary>
    public abstract string Rows { get; }

    /// <summary>Gets a query for the value of the row @id, and its checksum.</summary>
    public abstract string Blob { get; }

    /// <summary>Returns a query that waits for this many seconds, and returns 0 if it was not interrupted.</summary>
    public abstract string Sleep(int seconds);

    /// <summary>Writes this many rows by a bulk copy.</summary>
    public abstract ValueTask BulkCopy(Verbs verbs, DbConnection connection, long id, int rows, CancellationToken ct);

    /// <summary>Gets a query for the numbers of the workers' sessions.</summary>
    public abstract string ListSessions { get; }

    public abstract string KillSession(string session);

    /// <summary>Gets the statement that makes the server read its certificate again.</summary>
    public abstract string ReloadCertificate { get; }

    public abstract IEnumerable<string> SetReadOnly(bool isReadOnly);

    /// <summary>Returns the statements that limit the number of the workers' sessions; null: no limit.</summary>
    public abstract IEnumerable<string> Limit(int? sessions);

    public const string Insert = "INSERT INTO soak_effect (id, part, data) VALUES (@id, @part, @data)";
    public const string Change = "UPDATE soak_account SET amount = amount + @amount WHERE id = @account";
    public const string Sum = "SELECT SUM(amount), COUNT(*) FROM soak_account";
    public const string Effects = "SELECT id, COUNT(*) FROM soak_effect GROUP BY id";

    protected static string Hosts(IReadOnlyList<(string Host, int Port)> servers) =>
        string.Join(',', servers.Select(static server => FormattableString.Invariant($"{server.Host}:{server.Port}")));

    protected static IEnumerable<string> FillAccounts()
    {
        yield return "INSERT INTO soak_account (id, amount) VALUES "
            + string.Join(", ", Enumerable.Range(0, Accounts).Select(static i => FormattableString.Invariant($"({i}, {Total / Accounts})")));
    }
}
