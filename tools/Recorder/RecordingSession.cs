using System.Data.Common;
using Slipstream.Core.Wires;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Options;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Sessions;
using Slipstream.Recorder.Replay;
using Slipstream.Recorder.Scenarios;

namespace Slipstream.Recorder;

/// <summary>Records and replays scenarios.</summary>
internal static class RecordingSession
{
    /// <summary>Returns the scenarios of a server.</summary>
    public static IReadOnlyList<Scenario> ScenariosOf(ServerKind kind) => kind switch
    {
        ServerKind.MySql => MySqlScenarios.ForMySql,
        ServerKind.MariaDb => MySqlScenarios.ForMariaDb,
        // Recordings are made with the older releases; the live tests use these, too.
        ServerKind.MariaDb11 or ServerKind.PostgreSql18 => [],
        _ => PgScenarios.All,
    };

    /// <summary>Returns the path of a recording, relative to the folder of all recordings.</summary>
    public static string PathOf(ServerKind kind, string scenario) => Path.Combine(kind.Word(), scenario + ".txt");

    /// <summary>Runs the scenario on a real server.</summary>
    public static async Task<Recording> RecordAsync(LabServer server, Scenario scenario)
    {
        ArgumentNullException.ThrowIfNull(server);
        ArgumentNullException.ThrowIfNull(scenario);
        await SetUpAsync(server, scenario);
        var user = UserOf(server, scenario);
        var recording = new Recording { Server = $"{server.Kind.DisplayName()} {server.Version}", Options = OptionsOf(server, user, scenario) };
        await using var source =
            CreateSource(server.Kind, $"{AddressOf(server)};{recording.Options}", server.CaFile, tls => new RecordingDialer(tls, recording));
        await scenario.Run(new Stage(source, new Verbs(asynchronously: false), recording.Account));
        return recording;
    }

    /// <summary>Runs the scenario on a recording.</summary>
    /// <param name="kind">The server that it was recorded on.</param>
    /// <param name="scenario">The recorded scenario.</param>
    /// <param name="recording">The recording.</param>
    /// <param name="asynchronously">Whether to use asynchronous calls.</param>
    /// <param name="piece">The largest number of bytes that arrive at once; 0: no limit.</param>
    /// <returns>The results that the scenario wrote, and where the client deviated from the recording; null if it did not.</returns>
    public static async Task<(List<string> Account, string? Difference)> ReplayAsync(
        ServerKind kind, Scenario scenario, Recording recording, bool asynchronously, int piece)
    {
        ArgumentNullException.ThrowIfNull(scenario);
        ArgumentNullException.ThrowIfNull(recording);
        var dialer = new ReplayDialer(recording, piece, kind.IsPostgreSql() ? null : HandshakeAttributes.Remove);
        List<string> account = [];
        await using (var source = CreateSource(kind, $"{NoAddress(kind)};{recording.Options}", "", _ => dialer))
        {
            try
            {
                await scenario.Run(new Stage(source, new Verbs(asynchronously), account));
            }
            catch (Exception exception) when (dialer.Transport?.Difference is not null)
            {
                // The difference says more than its consequences.
                account.Add(exception.Message);
            }
        }

        return (account, dialer.Transport is null ? "the client did not connect" : dialer.Transport.Difference);
    }

    private static async Task SetUpAsync(LabServer server, Scenario scenario)
    {
        await using var source = CreateSource(
            server.Kind, $"{AddressOf(server)};{CredentialsOf(server.Kind, server.User, server.Password)};{DatabaseOf(server)};SSL Mode=VerifyFull",
            server.CaFile, null);
        await using var connection = await source.OpenConnectionAsync();
        var grants = server.Kind.IsPostgreSql() && scenario.Setup.Length > 0 ? ["GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC"] : (string[])[];
        string[] warmUp = server.Kind == ServerKind.MySql && !scenario.Setup.Contains("FLUSH PRIVILEGES") ? ["DO 1"] : [];
        foreach (var sql in (string[])[.. scenario.Setup, .. grants])
        {
            await using var command = Stage.Command(connection, sql);
            await command.ExecuteNonQueryAsync();
        }

        if (warmUp.Length == 0)
            return;

        // The server then has the password in its cache, and the recorded login is the short one.
        var user = UserOf(server, scenario);
        await using var warm = CreateSource(
            server.Kind, $"{AddressOf(server)};{CredentialsOf(server.Kind, user.Name, user.Password)};SSL Mode=VerifyFull;Pooling=false", server.CaFile, null);
        await using var warmed = await warm.OpenConnectionAsync();
    }

    private static DbDataSource CreateSource(ServerKind kind, string connectionString, string authority, Func<TlsSettings?, Dialer>? dialer)
    {
        if (kind.IsPostgreSql())
        {
            var pg = new PgSettings(new PgConnectionStringBuilder(connectionString) { RootCertificate = authority });
            return dialer is null
                ? new PgDataSource(pg)
                : new PgDataSource(pg, null, new PgSessionOpener(pg, dialer(authority.Length > 0 ? pg.ReadTls() : null)) { StatementPrefix = "s" });
        }

        var settings = new MySqlSettings(new MySqlConnectionStringBuilder(connectionString) { SslCa = authority });
        return new MySqlDataSource(settings, null, null, dialer?.Invoke(authority.Length > 0 ? settings.ReadTls() : null));
    }

    private static LabUser UserOf(LabServer server, Scenario scenario)
    {
        var wanted = scenario.User.Length > 0 ? scenario.User : server.Kind.IsPostgreSql() ? "trust" : "";
        if (wanted.Length == 0)
            return new LabUser(server.User, server.Password, "", "");
        return server.FindUser(wanted) ?? throw new InvalidOperationException($"{server.Kind.DisplayName()} has no user for {wanted}.");
    }

    private static string OptionsOf(LabServer server, LabUser user, Scenario scenario)
    {
        var options = $"{CredentialsOf(server.Kind, user.Name, user.Password)};{DatabaseOf(server)}";
        if (!scenario.Options.Contains("SSL Mode", StringComparison.OrdinalIgnoreCase))
            options += server.Kind.IsPostgreSql() ? ";SSL Mode=Disable" : ";SSL Mode=None";
        // The types of the database are not part of what is recorded, and differ between databases.
        if (server.Kind.IsPostgreSql())
            options += ";Server Compatibility Mode=NoTypeLoading";
        return scenario.Options.Length > 0 ? $"{options};{scenario.Options}" : options;
    }

    private static string CredentialsOf(ServerKind kind, string user, string password) =>
        kind.IsPostgreSql() ? $"Username={user};Password={password}" : $"User ID={user};Password={password}";

    private static string DatabaseOf(LabServer server) => $"Database={server.Database}";

    private static string AddressOf(LabServer server) =>
        server.Kind.IsPostgreSql() ? $"Host={server.Host};Port={server.Port}" : $"Server={server.Host};Port={server.Port}";

    private static string NoAddress(ServerKind kind) => kind.IsPostgreSql() ? "Host=recording;Port=1" : "Server=recording;Port=1";
}
