using System.Data.Common;
using Slipstream.Core.Data;
using Slipstream.Lab;

namespace Slipstream.Soak.Work;

/// <summary>The tables of the soak and its statements, in one server's words.</summary>
internal abstract class Store(LabServer server)
{
    public const int Accounts = 64;
    public const long Total = Accounts * 1000L;
    protected const string WorkerUser = "soak";
    protected const int MostSessions = 500;

    protected LabServer Server => server;

    protected string WorkerPassword => "soak-" + server.Password;

    public static Store Of(LabServer server) => server.Kind == ServerKind.PostgreSql ? new PgStore(server) : new MySqlStore(server);

    /// <summary>Arguments of the server's program with which a killed process loses nothing that it has acknowledged.</summary>
    public static IReadOnlyList<string> ServerArguments(ServerKind kind) => kind == ServerKind.PostgreSql
        ?
        [
            // A commit is answered when its log is written to the system, which a killed process does not take with it: fsync stays off, for that is for machines that die. Pages are
            // written whole to the log because SIGKILL may end a write between its two halves. The limits end what a lost client has left locked.
            "-c", "synchronous_commit=on", "-c", "full_page_writes=on", "-c", "lock_timeout=3s", "-c", "deadlock_timeout=200ms", "-c", "client_connection_check_interval=1s", "-c", "shared_buffers=64MB",
        ]
        :
        [
            // As above: 2 writes the log at each commit and leaves the fsync to once a second, and the doublewrite buffer repairs a page that was half written.
            "--innodb-flush-log-at-trx-commit=2", "--innodb-doublewrite=1", "--innodb-lock-wait-timeout=3", "--lock-wait-timeout=4", "--innodb-buffer-pool-size=128M",
            // MariaDB lets nobody limit what had no limit when it started.
            FormattableString.Invariant($"--max-user-connections={MostSessions}"),
        ];

    /// <summary>A connection past the proxy and every pool, of a user who may do everything.</summary>
    public abstract DbConnection Administrator();

    /// <summary>The data sources that the workers use, through the proxy at this port: one plain, one with verified TLS, one with the other engine for asynchronous waits.</summary>
    public abstract IReadOnlyList<(string Name, ProviderDataSource Source)> Sources(int port, string caFile);

    /// <summary>
    /// Whether a statement may see one half of a transaction that is committed at that moment, once in some ten thousand: MariaDB 10.11 shows it to every client. Who looks again in the same session sees the
    /// whole; a session that was given away in the middle of a transaction would show its half again.
    /// </summary>
    public virtual bool SeesHalfCommits => false;

    /// <summary>Makes user and tables.</summary>
    public abstract IEnumerable<string> SetUp();

    /// <summary>What the server's checksum function says of these bytes, in hexadecimal.</summary>
    public abstract string Checksum(ReadOnlySpan<byte> bytes);

    /// <summary>The marker @m, the text @t, and its checksum.</summary>
    public abstract string Echo { get; }

    /// <summary>Rows 1 to @n: the marker @m, the number, and the checksum of both.</summary>
    public abstract string Rows { get; }

    /// <summary>The value of the row @id, and its checksum.</summary>
    public abstract string Blob { get; }

    /// <summary>Waits for this many seconds, and answers 0 when it was not disturbed.</summary>
    public abstract string Sleep(int seconds);

    /// <summary>Writes @rows rows of a bulk copy.</summary>
    public abstract ValueTask BulkCopy(Verbs verbs, DbConnection connection, long id, int rows, CancellationToken ct);

    /// <summary>The names of the workers' sessions.</summary>
    public abstract string ListSessions { get; }

    public abstract string KillSession(string session);

    /// <summary>Reads the certificate's files again.</summary>
    public abstract string ReloadCertificate { get; }

    public abstract IEnumerable<string> SetReadOnly(bool isReadOnly);

    /// <summary>Lets in this many of the workers' sessions; null is no limit.</summary>
    public abstract IEnumerable<string> Limit(int? sessions);

    public const string Insert = "INSERT INTO soak_effect (id, part, data) VALUES (@id, @part, @data)";
    public const string Change = "UPDATE soak_account SET amount = amount + @amount WHERE id = @account";
    public const string Sum = "SELECT SUM(amount), COUNT(*) FROM soak_account";
    public const string Effects = "SELECT id, COUNT(*) FROM soak_effect GROUP BY id";

    protected static IEnumerable<string> FillAccounts()
    {
        yield return "INSERT INTO soak_account (id, amount) VALUES " + string.Join(", ", Enumerable.Range(0, Accounts).Select(static i => FormattableString.Invariant($"({i}, {Total / Accounts})")));
    }
}
