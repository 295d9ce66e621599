using System.Globalization;
using System.Net.Sockets;

namespace Slipstream.Lab;

/// <summary>PgBouncer from Debian unstable in front of a PostgreSQL server. The machine's own is older than <c>max_prepared_statements</c> (1.21).</summary>
/// <param name="server">The server.</param>
/// <param name="maxPreparedStatements">The setting of this name.</param>
internal sealed class PgBouncerRecipe(ServerSettings server, int maxPreparedStatements) : ServerRecipe
{
    public override ServerKind Kind => server.Kind;

    public override string Name => "PgBouncer";

    // SIGINT and SIGTERM wait for clients.
    public override string StopSignal => "QUIT";

    public override string SocketFile(int port) => string.Create(CultureInfo.InvariantCulture, $".s.PGSQL.{port}");

    public override void Install(LabFolder folder, CancellationToken ct) => new PostgreSql18Recipe().Install(folder, ct);

    public override (string User, string Password, string Database) Login(ServerPlan plan) => (server.User, server.Password, server.Database);

    // PgBouncer logs in to the server with the password that it also expects from the client.
    public override IReadOnlyList<LabUser> Users(ServerPlan plan) => [.. server.Users.Where(static user => user is { Method: "scram-sha-256", Notes: "" })];

    public override string Fingerprint(ServerPlan plan) => Settings(plan) + UserList(plan);

    public override void Initialise(ServerPlan plan, CancellationToken ct)
    {
        File.WriteAllText(SettingsFile(plan), Settings(plan));
        File.WriteAllText(UserFile(plan), UserList(plan));
    }

    public override IReadOnlyList<string> Command(ServerPlan plan) => [.. PostgreSql18Recipe.PgBouncer(plan.Folder), SettingsFile(plan)];

    /// <summary>Requests TLS: a server that answers accepts connections.</summary>
    public override string? Probe(ServerPlan plan, int process)
    {
        try
        {
            using var client = new TcpClient();
            client.ReceiveTimeout = 2000;
            client.Connect("127.0.0.1", plan.Port);
            var stream = client.GetStream();
            // SSLRequest: length 8, code 80877103.
            stream.Write([0, 0, 0, 8, 4, 210, 22, 47]);
            if (stream.ReadByte() != 'S')
                return null;
            // Example: PgBouncer 1.26.1
            var command = PostgreSql18Recipe.PgBouncer(plan.Folder);
            return Shell.Must(command[0], [.. command.Skip(1), "--version"]).Split((char[])[' ', '\n'])[1];
        }
        catch (Exception e) when (e is SocketException or IOException)
        {
            return null;
        }
    }

    private string Settings(ServerPlan plan) =>
        string.Create(CultureInfo.InvariantCulture,
            $"""
             [databases]
             * = host={server.Host} port={server.Port}

             [pgbouncer]
             listen_addr = {(FreePort.HasIPv6Loopback ? "127.0.0.1,::1" : "127.0.0.1")}
             listen_port = {plan.Port}
             unix_socket_dir = {plan.SocketFolder}
             client_tls_sslmode = allow
             client_tls_ca_file = {Path.Combine(plan.TlsFolder, "ca.pem")}
             client_tls_cert_file = {Path.Combine(plan.TlsFolder, "server.pem")}
             client_tls_key_file = {Path.Combine(plan.TlsFolder, "server.key")}
             auth_type = scram-sha-256
             auth_file = {UserFile(plan)}
             admin_users = {server.User}
             pool_mode = transaction
             max_prepared_statements = {maxPreparedStatements}
             max_client_conn = 600
             min_pool_size = 3
             default_pool_size = 3
             server_round_robin = 1
             {string.Join('\n', plan.ExtraArguments)}

             """);

    private string UserList(ServerPlan plan) =>
        string.Concat(
            Users(plan).Append(new LabUser(server.User, server.Password, "", "")).Select(static user => $"{Quote(user.Name)} {Quote(user.Password)}\n"));

    private static string Quote(string text) => $"\"{text.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";

    private static string SettingsFile(ServerPlan plan) => Path.Combine(plan.DataFolder, "pgbouncer.ini");

    private static string UserFile(ServerPlan plan) => Path.Combine(plan.DataFolder, "users.txt");
}
