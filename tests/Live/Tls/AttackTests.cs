using System.Data;
using System.Data.Common;
using System.Text;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.Tls;

/// <summary>An attacker between the client and a real server who changes messages.</summary>
public sealed class AttackTests(TlsMatrixTests.Setup setup) : IClassFixture<TlsMatrixTests.Setup>
{
    public static TheoryData<ServerKind, string, Attack, bool> Modes
    {
        get
        {
            var rows = new TheoryData<ServerKind, string, Attack, bool>();
            foreach (var kind in (ServerKind[])[ServerKind.MySql, ServerKind.MariaDb, ServerKind.PostgreSql])
                foreach (var mode in kind.IsPostgreSql()
                    ? (string[])["Prefer", "Require", "VerifyCA", "VerifyFull"]
                    : ["Preferred", "Required", "VerifyCA", "VerifyFull"])
                    foreach (var attack in (Attack[])[Attack.Strip, Attack.Inject])
                        rows.Add(kind, mode, attack, rows.Count % 2 == 1);
            return rows;
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task TLS_that_is_taken_away_or_begins_with_the_words_of_others(ServerKind kind, string mode, Attack attack, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        // The account whose password the attacker could read, if there is one.
        var user = server.RequireUser(kind switch { ServerKind.MySql => "lab_sha256", _ when kind.IsPostgreSql() => "lab_password", _ => "lab_native" });
        using var between = new Middleman(server, Middleman.Address, setup.Certificates[Fault.None]) { Attack = attack };
        await using var connection = setup.Create(server, user, between.Port, mode);
        var isContent = attack == Attack.Strip && mode is "Preferred" or "Prefer";
        if (isContent && kind == ServerKind.MariaDb)
            await connection.OpenBy(asynchronous);
        else
            await Assert.ThrowsAnyAsync<DbException>(() => connection.OpenBy(asynchronous));

        var received = Assert.Single(between.Received);
        Assert.Equal(-1, received.InClear.AsSpan().IndexOf(Encoding.UTF8.GetBytes(user.Password)));
        Assert.Empty(received.InTls);
        var request = kind.IsPostgreSql() ? 8 : 36;
        // A MySQL server sends first: its client has sent nothing before it sees that TLS is missing.
        if (attack == Attack.Strip && !isContent)
            Assert.Equal(kind.IsPostgreSql() ? request : 0, received.InClear.Length);
        else if (attack == Attack.Inject)
            Assert.InRange(received.InClear.Length, 0, request);
    }

    [Theory]
    [InlineData(ServerKind.MySql, "Preferred", Attack.None, false)]
    [InlineData(ServerKind.MySql, "VerifyFull", Attack.None, true)]
    [InlineData(ServerKind.MySql, "Preferred", Attack.StripLater, true)]
    [InlineData(ServerKind.MariaDb, "VerifyFull", Attack.None, false)]
    [InlineData(ServerKind.MariaDb, "Preferred", Attack.StripLater, true)]
    [InlineData(ServerKind.MariaDb, "VerifyFull", Attack.StripLater, true)]
    [InlineData(ServerKind.PostgreSql, "Prefer", Attack.None, true)]
    [InlineData(ServerKind.PostgreSql, "VerifyFull", Attack.None, false)]
    [InlineData(ServerKind.PostgreSql, "Prefer", Attack.StripLater, true)]
    [InlineData(ServerKind.PostgreSql, "VerifyFull", Attack.StripLater, true)]
    public async Task What_stops_a_command_travels_as_the_command_did(ServerKind kind, string mode, Attack attack, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        var isPostgreSql = kind.IsPostgreSql();
        var user = server.RequireUser(kind switch { ServerKind.MySql => "lab_sha2", _ when kind.IsPostgreSql() => "lab_scram", _ => "lab_native" });
        if (kind == ServerKind.MySql)
            await setup.WarmUp(server, user);
        using var between = new Middleman(server, Middleman.Address, setup.Certificates[Fault.None]) { Attack = attack };
        await using var connection =
            setup.Create(server, user, between.Port, mode, isPostgreSql ? "Channel Binding=Disable;Cancellation Timeout=25000" : "Cancellation Timeout=25");
        await connection.OpenAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = isPostgreSql ? "SELECT pg_sleep(60)" : "SELECT 1 FROM (SELECT 1 AS one UNION ALL SELECT 2) t WHERE SLEEP(30) = 0";
        command.CommandTimeout = asynchronous ? 30 : 1;
        using var source = new CancellationTokenSource();
        if (asynchronous)
        {
            var running = command.ExecuteScalarAsync(source.Token);
            source.CancelAfter(200);
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        }
        else
            await Assert.ThrowsAnyAsync<DbException>(() => Verbs.OnOwnThread(() => command.ExecuteScalar()));

        var later = between.Received.Skip(1).ToArray();
        Assert.NotEmpty(later);
        byte[] stopping = isPostgreSql ? [0, 0, 0, 16, 4, 210, 22, 46] : [.. "KILL QUERY"u8];
        Assert.All(between.Received, received => Assert.Equal(-1, received.InClear.AsSpan().IndexOf(stopping)));
        Assert.Equal(attack == Attack.None, later.Any(received => received.InTls.AsSpan().IndexOf(stopping) >= 0));
        Assert.Equal(attack == Attack.None ? ConnectionState.Open : ConnectionState.Closed, connection.State);
        Assert.All(later, received => Assert.InRange(received.InClear.Length, 0, isPostgreSql ? 8 : 36));
    }

    [Theory]
    [InlineData("lab_native", "VerifyFull", false)]
    [InlineData("lab_ed25519", "VerifyCA", true)]
    [InlineData("lab_parsec", "VerifyFull", true)]
    public async Task A_certificate_that_the_server_does_not_know_is_not_proved_by_it(string account, string mode, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(ServerKind.MariaDb11);
        var user = server.RequireUser(account);
        using var between = new Middleman(server, Middleman.Address, setup.Certificates[Fault.SelfSigned]);
        // No authority is configured: the password proves the certificate, but only the server's own.
        await using var connection = new MySqlConnection(
            $"Server={Middleman.Address};Port={between.Port};User ID={user.Name};Password={user.Password};Pooling=false;Connection Timeout=30;SSL Mode={mode}");
        var failure = await Assert.ThrowsAsync<MySqlException>(() => connection.OpenBy(asynchronous));
        Assert.Contains("certificate", failure.Message);
        Assert.Equal(-1, Assert.Single(between.Received).InTls.AsSpan().IndexOf(Encoding.UTF8.GetBytes(user.Password)));
    }

    // The client did not verify the certificate; the server notices that it is not its own.
    [Theory]
    [InlineData("", Attack.None, "28000", false)]
    [InlineData("", Attack.HideBinding, "28000", true)]
    [InlineData("Channel Binding=Require", Attack.None, "28000", true)]
    [InlineData("Channel Binding=Require", Attack.HideBinding, null, false)]
    [InlineData("Channel Binding=Disable", Attack.None, "", false)]
    public async Task Channel_binding_finds_somebody_in_the_middle(string options, Attack attack, string? state, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        using var between = new Middleman(server, Middleman.Address, setup.Certificates[Fault.SelfSigned]) { Attack = attack };
        await using var connection = setup.Create(server, server.RequireUser("lab_scram"), between.Port, "Require", options);
        if (state == "")
        {
            await connection.OpenBy(asynchronous);
            return;
        }

        var failure = await Assert.ThrowsAsync<PgException>(() => connection.OpenBy(asynchronous));
        if (state is null)
            Assert.Contains("Channel Binding", failure.Message);
        else
            Assert.Contains("channel binding", failure.Message);
        if (attack == Attack.None)
            Assert.Equal(state, failure.SqlState);
    }
}
