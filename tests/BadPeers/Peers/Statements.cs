using System.Collections.Concurrent;
using System.Text;
using Slipstream.Core.Data;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers.Peers;

/// <summary>What a server does with a statement.</summary>
/// <param name="Code">The error number or the SQLSTATE; null for none.</param>
/// <param name="Message">The error message.</param>
/// <param name="Closes">Whether the connection is closed, after the error if there is one, and otherwise without an answer.</param>
public readonly record struct Reply(string? Code, string Message = "refused", bool Closes = false)
{
    public static readonly Reply Success;

    public static readonly Reply Cut = new(null, Closes: true);
}

/// <summary>
/// A small honest server that executes nothing, but tracks its transactions: a script decides for each statement whether it succeeds. For tests of what a
/// client reports after it lost a server.
/// </summary>
public abstract class Statements
{
    private const string MySql = "MySQL";

    /// <summary>The providers, for theories.</summary>
    public static TheoryData<string, bool> Providers => new() { { MySql, false }, { MySql, true }, { "PostgreSQL", false }, { "PostgreSQL", true } };

    /// <summary>The error of a Galera node that is not ready.</summary>
    public static readonly Reply UnreadyNode = new("1047", "WSREP has not yet prepared node for application use");

    /// <summary>Decides about a statement of a session.</summary>
    public Func<FakePeer, string, Reply> Script { get; set; } = static (_, _) => Reply.Success;

    /// <summary>The statements in the order of arrival, as <c>session: text</c>. The questions for the server's role are not among them.</summary>
    public ConcurrentQueue<string> Received { get; } = new();

    /// <summary>Whether the server says that it is the primary.</summary>
    public volatile bool IsPrimary = true;

    /// <summary>What a PostgreSQL server reports about itself at login.</summary>
    public (string Name, string Value)[] LoginSettings { get; set; } = [];

    /// <summary>The error of a server that refuses a write because it is a replica.</summary>
    public abstract Reply NotPrimary { get; }

    /// <summary>The error of a deadlock.</summary>
    public abstract Reply Deadlock { get; }

    public static Statements Of(string provider) => provider == MySql ? new OfMySql() : new OfPg();

    public FakeServer Start() => FakeServer.Start(Serve);

    public abstract ProviderDataSource Connect(FakeServer server, string options = "");

    /// <summary>Creates a data source for several servers, whose connections lead to the primary.</summary>
    public abstract ProviderDataSource ConnectCluster(IEnumerable<FakeServer> servers, string options = "");

    protected abstract void Serve(FakePeer peer);

    protected Reply Decide(FakePeer peer, string sql)
    {
        Received.Enqueue($"{peer.Number}: {sql}");
        return Script(peer, sql);
    }

    private static bool Begins(string sql) => sql.StartsWith("BEGIN", StringComparison.Ordinal) || sql.StartsWith("START", StringComparison.Ordinal);

    private static bool Ends(string sql) => sql is "COMMIT" or "ROLLBACK";

    private sealed class OfMySql : Statements
    {
        private const string Login = "User ID=somebody;Password=open sesame;SSL Mode=None;Connection Timeout=30;Pipelining Mode=On;Auto Prepare=false;";
        private const byte Query = 3;
        private const byte ResetConnection = 0x1F;

        public override Reply NotPrimary => new("1290", "The MySQL server is running with the --read-only option so it cannot execute this statement");

        public override Reply Deadlock => new("1213", "Deadlock found when trying to get lock; try restarting transaction");

        public override ProviderDataSource Connect(FakeServer server, string options = "") =>
            new MySqlDataSource($"Server={server.Address};Port={server.Port};{Login}{options}");

        public override ProviderDataSource ConnectCluster(IEnumerable<FakeServer> servers, string options = "") => new MySqlDataSource(
            $"Server={string.Join(',', servers.Select(static one => $"{one.Address}:{one.Port}"))};Topology=Replication;{Login}{options}");

        protected override void Serve(FakePeer peer)
        {
            peer.Welcome();
            var isOpen = false;
            while (true)
            {
                var (_, payload) = peer.ReadPacket();
                if (payload[0] == 1)
                    return;
                var text = payload[0] == Query ? Encoding.UTF8.GetString(payload.AsSpan(1)) : payload[0] == ResetConnection ? "RESET" : $"{payload[0]}";
                if (payload[0] == Query && (text.Contains("read_only", StringComparison.Ordinal) || peer.TryAnswerOrigin(payload)))
                {
                    if (text.Contains("read_only", StringComparison.Ordinal))
                        peer.Send(Row(1, $"server|{(IsPrimary ? 0 : 1)}|", 2));
                    continue;
                }

                var statements = text.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
                var sequence = 1;
                for (var i = 0; i < statements.Length; i++)
                {
                    var sql = statements[i];
                    var reply = Decide(peer, sql);
                    if (reply.Code is { } code)
                        peer.Send(MySqlWords.Error(sequence, int.Parse(code, System.Globalization.CultureInfo.InvariantCulture), reply.Message));
                    if (reply.Closes)
                    {
                        peer.Close();
                        return;
                    }

                    if (reply.Code is not null)
                        break;
                    isOpen = (isOpen || Begins(sql)) && !Ends(sql) && !sql.StartsWith("CREATE", StringComparison.Ordinal);
                    var status = 2 | (isOpen ? 1 : 0) | (i + 1 < statements.Length ? 8 : 0);
                    var isQuery = sql.StartsWith("SELECT", StringComparison.Ordinal);
                    peer.Send(isQuery ? Row(sequence, sql, status) : MySqlWords.Ok(sequence, affected: 1, status: status));
                    sequence += isQuery ? 4 : 1;
                }
            }
        }

        private static byte[] Row(int sequence, string text, int status) =>
            [.. MySqlWords.Columns(sequence, MySqlWords.StringType, "a"), .. MySqlWords.TextRow(sequence + 2, text), .. MySqlWords.End(sequence + 3, status)];
    }

    private sealed class OfPg : Statements
    {
        private const string Login = PgLogin.Text + ";Password=open sesame;Database=db;SSL Mode=Disable;Timeout=30;";

        public override Reply NotPrimary => new("25006", "cannot execute UPDATE in a read-only transaction");

        public override Reply Deadlock => new("40P01", "deadlock detected");

        public override ProviderDataSource Connect(FakeServer server, string options = "") =>
            PgDataSource.Create($"Host={server.Address};Port={server.Port};{Login}{options}");

        public override ProviderDataSource ConnectCluster(IEnumerable<FakeServer> servers, string options = "") => PgDataSource.Create(
            $"Host={string.Join(',', servers.Select(static one => $"{one.Address}:{one.Port}"))};Target Session Attributes=primary;{Login}{options}");

        protected override void Serve(FakePeer peer)
        {
            peer.WelcomePg(LoginSettings);
            var status = 'I';
            Dictionary<string, string> prepared = [];
            var (sql, skips, closes, tag) = ("", false, false, "");
            List<byte> answer = [];
            while (true)
            {
                var (type, body) = peer.ReadMessage();
                if (type == 'X')
                    return;
                if (type is 'Q')
                {
                    sql = Encoding.UTF8.GetString(body.AsSpan(0, body.Length - 1));
                    if (sql.Contains("pg_is_in_recovery", StringComparison.Ordinal))
                    {
                        peer.Send(Role());
                        continue;
                    }

                    // The reset behind a pooler is a text with several statements.
                    if (sql.StartsWith("SET SESSION AUTHORIZATION", StringComparison.Ordinal))
                    {
                        peer.Send([.. sql.Split(';').SelectMany(Reset), .. PgWords.Ready(status)]);
                        continue;
                    }

                    Execute();
                    answer.AddRange(PgWords.Ready(status));
                }
                else if (type == 'S')
                {
                    answer.AddRange(PgWords.Ready(status));
                    skips = false;
                }
                else if (!skips)
                    Take(type, body);

                if (closes)
                {
                    if (answer.Count > 0 && skips)
                        peer.Send([.. answer]);
                    peer.Close();
                    return;
                }

                if (type is not ('Q' or 'S'))
                    continue;
                skips = false;
                peer.Send([.. answer]);
                answer.Clear();
            }

            void Take(char type, byte[] body)
            {
                var words = Encoding.UTF8.GetString(body).Split('\0');
                switch (type)
                {
                    case 'P':
                        prepared[words[0]] = words[1];
                        answer.AddRange(PgWords.ParseComplete);
                        break;
                    case 'B':
                        sql = prepared[words[1]];
                        answer.AddRange(PgWords.BindComplete);
                        break;
                    case 'C':
                        answer.AddRange(PgWords.Message('3'));
                        break;
                    case 'D':
                        answer.AddRange(
                            sql.StartsWith("SELECT", StringComparison.Ordinal) ? PgWords.RowDescription(("a", PgWords.TextOid)) : PgWords.Message('n'));
                        break;
                    case 'E':
                        Execute();
                        break;
                }
            }

            void Execute()
            {
                var reply = Decide(peer, sql);
                closes = reply.Closes;
                if (reply.Code is { } code)
                {
                    var severity = closes ? "FATAL" : "ERROR";
                    answer.AddRange(PgWords.Error(('S', severity), ('V', severity), ('C', code), ('M', reply.Message)));
                    skips = true;
                    status = status == 'I' ? 'I' : sql == "COMMIT" ? 'I' : 'E';
                    return;
                }

                if (closes)
                    return;
                if (sql.StartsWith("SELECT", StringComparison.Ordinal))
                    answer.AddRange(PgWords.DataRow(Encoding.UTF8.GetBytes(sql)));
                tag = Begins(sql) ? "BEGIN" : sql == "COMMIT" && status == 'E' ? "ROLLBACK" : Ends(sql) ? sql
                    : sql.StartsWith("SELECT", StringComparison.Ordinal) ? "SELECT 1"
                    : sql.StartsWith("UPDATE", StringComparison.Ordinal) ? "UPDATE 1"
                    : sql.Split(' ')[0];
                status = Begins(sql) ? 'T' : Ends(sql) ? 'I' : status;
                answer.AddRange(PgWords.CommandComplete(tag));
            }
        }

        private byte[] Role() =>
        [
            .. PgWords.RowDescription([.. Enumerable.Range(0, 7).Select(static one => ($"c{one}", PgWords.TextOid))]),
            .. PgWords.DataRow(
                IsPrimary ? "f"u8.ToArray() : "t"u8.ToArray(), "off"u8.ToArray(), "7000000"u8.ToArray(),
                IsPrimary ? "000000010000000000000001"u8.ToArray() : null, "0/1"u8.ToArray(), IsPrimary ? null : "0"u8.ToArray(),
                IsPrimary ? null : "1"u8.ToArray()),
            .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready(),
        ];

        private static byte[] Reset(string statement) => statement.StartsWith("SELECT", StringComparison.Ordinal)
            ? [.. PgWords.RowDescription(("a", PgWords.TextOid)), .. PgWords.DataRow(""u8.ToArray()), .. PgWords.CommandComplete("SELECT 1")]
            : PgWords.CommandComplete("RESET");
    }
}
