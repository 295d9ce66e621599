using Slipstream.BadPeers.Peers;
using Slipstream.Core.Topology;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>Several servers, of which connections use those with a role.</summary>
[Collection("PostgreSQL, several hosts")]
public sealed class MultiHostTests : PgPeerTests
{
    [Theory]
    [InlineData(TargetSessionAttributes.Primary, "p", false)]
    [InlineData(TargetSessionAttributes.Primary, "p", true)]
    [InlineData(TargetSessionAttributes.ReadWrite, "p", true)]
    [InlineData(TargetSessionAttributes.Standby, "s", true)]
    [InlineData(TargetSessionAttributes.ReadOnly, "s", true)]
    [InlineData(TargetSessionAttributes.PreferPrimary, "p", false)]
    [InlineData(TargetSessionAttributes.PreferStandby, "s", true)]
    [InlineData(TargetSessionAttributes.Any, "s", true)]
    public async Task A_connection_uses_the_first_server_with_the_role(TargetSessionAttributes target, string expected, bool asynchronously)
    {
        using var standby = Reporting(() => "on");
        using var primary = Reporting(() => "off");
        await using var source = Builder(standby, primary).BuildMultiHost();
        for (var i = 0; i < 2; i++)
        {
            await using var connection = source.CreateConnection(target);
            await Open(connection, asynchronously);
            Assert.Equal(expected == "p" ? primary.Port : standby.Port, connection.Port);
        }

        // One session of the monitor for each, and one for the connections.
        Assert.InRange(standby.Peers.Count, 0, expected == "s" ? 2 : 1);
        Assert.InRange(primary.Peers.Count, 0, expected == "p" ? 2 : 1);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Without_a_server_of_the_role_a_preference_takes_any_and_a_demand_fails(bool asynchronously)
    {
        using var first = Reporting(() => "on");
        using var second = Reporting(() => "on");
        await using var source = Impatient(first, second).BuildMultiHost();
        await using var preferred = source.CreateConnection(TargetSessionAttributes.PreferPrimary);
        await Open(preferred, asynchronously);
        await using var demanded = source.CreateConnection(TargetSessionAttributes.Primary);
        var failure = await Assert.ThrowsAsync<PgException>(() => Open(demanded, asynchronously));
        Assert.Matches($":{first.Port}, for [0-9.]+ s: It is a replica\\.", failure.Message);
        Assert.Matches($":{second.Port}, for [0-9.]+ s: It is a replica\\.", failure.Message);
        Assert.Equal(Core.Errors.RetrySafety.NotSent, failure.RetrySafety);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_is_down_is_left_out_until_nothing_else_helps(bool asynchronously)
    {
        using var primary = Reporting(() => "off");
        using var down = FakeServer.Bind();
        var port = ((System.Net.IPEndPoint)down.LocalEndPoint!).Port;
        await using var source = new PgDataSourceBuilder(
            $"Host=127.0.0.1:{port},127.0.0.1:{primary.Port};{PgLogin.Text};Database=db;SSL Mode=Disable;Require Auth=None;Server Selection Timeout=1")
            .BuildMultiHost();
        await using (var connection = source.CreateConnection(TargetSessionAttributes.Primary))
        {
            await Open(connection, asynchronously);
            Assert.Equal(primary.Port, connection.Port);
        }

        await using var standby = source.CreateConnection(TargetSessionAttributes.Standby);
        var failure = await Assert.ThrowsAsync<PgException>(() => Open(standby, asynchronously));
        Assert.Contains("Nothing is listening", failure.Message);
        Assert.Contains("It is a primary.", failure.Message);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Servers_that_all_refuse_logins_are_in_the_inner_exception(bool asynchronously)
    {
        using var first = Refusing();
        using var second = Refusing();
        await using var source = Impatient(first, second).BuildMultiHost();
        await using var connection = source.CreateConnection(TargetSessionAttributes.Primary);
        var failure = await Assert.ThrowsAsync<PgException>(() => Open(connection, asynchronously));
        Assert.Equal("57P03", Assert.IsType<PgException>(failure.InnerException).SqlState);

        static FakeServer Refusing() => FakeServer.Start(static peer =>
        {
            peer.ReadStartupWithoutTls();
            peer.Send(PgWords.Error(('S', "FATAL"), ('V', "FATAL"), ('C', "57P03"), ('M', "the database system is starting up")));
        });
    }

    [Fact]
    public async Task Servers_that_are_all_down_are_in_the_inner_exception()
    {
        using var first = FakeServer.Bind();
        using var second = FakeServer.Bind();
        await using var source = new PgDataSourceBuilder(
            $"Host=127.0.0.1:{PortOf(first)},127.0.0.1:{PortOf(second)};{PgLogin.Text};SSL Mode=Disable;Server Selection Timeout=1").BuildMultiHost();
        await using var connection = source.CreateConnection(TargetSessionAttributes.Primary);
        var failure = await Assert.ThrowsAsync<PgException>(() => Open(connection, asynchronously: true));
        Assert.IsType<System.Net.Sockets.SocketException>(failure.InnerException);

        static int PortOf(System.Net.Sockets.Socket socket) => ((System.Net.IPEndPoint)socket.LocalEndPoint!).Port;
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_role_that_has_changed_is_found_when_no_known_one_fits(bool asynchronously)
    {
        var isPromoted = false;
        var first = Reporting(() => "off");
        using var second = Reporting(() => isPromoted ? "off" : "on", () => isPromoted);
        await using var source = Builder(first, second).BuildMultiHost();
        await using (var standby = source.CreateConnection(TargetSessionAttributes.Standby))
            await Open(standby, asynchronously);
        await using (var primary = source.CreateConnection(TargetSessionAttributes.Primary))
            await Open(primary, asynchronously);
        isPromoted = true;
        first.Dispose();
        source.Clear();
        await using var promoted = source.CreateConnection(TargetSessionAttributes.Primary);
        await Open(promoted, asynchronously);
        Assert.Equal(second.Port, promoted.Port);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_does_not_report_its_role_is_asked(bool asynchronously)
    {
        using var standby = Reporting(null, () => false);
        using var primary = Reporting(null, () => true);
        await using var source = PgDataSource.Create(Builder(standby, primary).ConnectionString + ";Target Session Attributes=primary");
        await using var connection = source.CreateConnection();
        await Open(connection, asynchronously);
        Assert.Equal(primary.Port, connection.Port);
        Assert.IsType<PgMultiHostDataSource>(source);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_preference_finds_a_server_of_another_role_although_the_last_server_is_silent(bool asynchronously)
    {
        using var primary = Reporting(static () => "off");
        using var silent = FakeServer.Start(static peer => peer.Stall());
        await using var source = new PgDataSourceBuilder(Builder(primary, silent).ConnectionString + ";Timeout=10").BuildMultiHost();
        for (var i = 0; i < 2; i++)
        {
            await using var connection = source.CreateConnection(TargetSessionAttributes.PreferStandby);
            await Open(connection, asynchronously);
            Assert.Equal(primary.Port, connection.Port);
        }
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public async Task A_preference_does_not_wait_for_a_full_pool_while_another_server_is_free(bool asynchronously, bool primaryIsFirst)
    {
        using var primary = Reporting(static () => "off");
        using var standby = Reporting(static () => "on");
        var builder = primaryIsFirst ? Builder(primary, standby) : Builder(standby, primary);
        await using var source = new PgDataSourceBuilder(builder.ConnectionString + ";Maximum Pool Size=1").BuildMultiHost();
        await using var holding = source.CreateConnection(TargetSessionAttributes.PreferStandby);
        await Open(holding, asynchronously);
        Assert.Equal(standby.Port, holding.Port);
        await using var connection = source.CreateConnection(TargetSessionAttributes.PreferStandby);
        await Open(connection, asynchronously);
        Assert.Equal(primary.Port, connection.Port);
        Assert.Equal(0, source.Statistics.WaitTimeouts);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task When_the_pools_of_all_servers_of_the_role_are_full_the_message_says_so(bool asynchronously)
    {
        using var first = Reporting(static () => "on");
        using var second = Reporting(static () => "on");
        await using var source = new PgDataSourceBuilder(Builder(first, second).ConnectionString + ";Maximum Pool Size=1;Timeout=2").BuildMultiHost();
        await using var one = source.CreateConnection(TargetSessionAttributes.Standby);
        await Open(one, asynchronously);
        await using var two = source.CreateConnection(TargetSessionAttributes.Standby);
        await Open(two, asynchronously);
        Assert.NotEqual(one.Port, two.Port);
        await using var connection = source.CreateConnection(TargetSessionAttributes.Standby);
        var failure = await Assert.ThrowsAsync<PgException>(() => Open(connection, asynchronously));
        Assert.Equal((Core.Errors.ErrorKind.TooManyConnections, Core.Errors.RetrySafety.NotSent), (failure.Kind, failure.RetrySafety));
        Assert.Contains("No connection of pool", failure.Message);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_does_not_answer_the_question_for_its_role_is_left_out(bool asynchronously)
    {
        using var silent = FakeServer.Start(static peer =>
        {
            LogIn(peer, "off");
            peer.Stall();
        });
        using var primary = Reporting(static () => "off");
        await using var source = new PgDataSourceBuilder(Builder(silent, primary).ConnectionString + ";Timeout=10;Command Timeout=0").BuildMultiHost();
        for (var i = 0; i < 2; i++)
        {
            await using var connection = source.CreateConnection(TargetSessionAttributes.Primary);
            await Open(connection, asynchronously).WaitAsync(Client.Deadline, TestContext.Current.CancellationToken);
            Assert.Equal(primary.Port, connection.Port);
        }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task What_an_idle_session_has_reported_at_its_login_may_be_outdated(bool asynchronously)
    {
        var isPromoted = false;
        using var server = Reporting(() => isPromoted ? "off" : "on");
        using var other = Reporting(static () => "on");
        await using var source = new PgDataSourceBuilder(
            Builder(server, other).ConnectionString + ";Minimum Pool Size=3;Auto Prepare=false").BuildMultiHost();
        await using var first = source.CreateConnection(TargetSessionAttributes.Standby);
        await Open(first, asynchronously);
        // The others have never been leased.
        await Testing.Eventually.TrueAsync(() => source.Statistics.Idle >= 2 + 3);
        isPromoted = true;
        await using var connection = source.CreateConnection(TargetSessionAttributes.Primary);
        await Open(connection, asynchronously);
        Assert.Equal(server.Port, connection.Port);
    }

    // The first login of each server is the monitor's.
    [Theory]
    [InlineData(TargetSessionAttributes.Primary, false)]
    [InlineData(TargetSessionAttributes.Primary, true)]
    [InlineData(TargetSessionAttributes.ReadWrite, false)]
    [InlineData(TargetSessionAttributes.ReadWrite, true)]
    [InlineData(TargetSessionAttributes.Standby, false)]
    [InlineData(TargetSessionAttributes.Standby, true)]
    public async Task A_server_that_loses_the_role_during_the_login_is_not_used(TargetSessionAttributes target, bool asynchronously)
    {
        var (hasSwitched, logins) = (false, 0);
        var wantsPrimary = target != TargetSessionAttributes.Standby;
        PgMultiHostDataSource? known = null;
        FakeServer? other = null;
        using var first = Reporting(FirstAtLogin, () => wantsPrimary != hasSwitched);
        using var second = Reporting(() => wantsPrimary == hasSwitched ? "off" : "on", () => wantsPrimary == hasSwitched);
        await using var source = Builder(first, second).BuildMultiHost();
        (known, other) = (source, second);
        await using var connection = source.CreateConnection(target);
        await Open(connection, asynchronously);
        Assert.Equal(second.Port, connection.Port);

        string FirstAtLogin()
        {
            if (Interlocked.Increment(ref logins) == 2)
            {
                hasSwitched = true;
                // The servers have changed their roles, and the monitor has noticed both.
                var wanted = wantsPrimary ? HostRole.Primary : HostRole.Replica;
                Testing.Eventually.True(() => known!.Topology.Hosts.All(host => IsOther(host) == (host.Role == wanted)));
            }

            return wantsPrimary != hasSwitched ? "off" : "on";
        }

        bool IsOther(HostDescription host) => host.Address.EndsWith($":{other!.Port}", StringComparison.Ordinal);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Another_database_and_a_clone_keep_the_role(bool asynchronously)
    {
        using var standby = Reporting(static () => "on");
        using var primary = Reporting(static () => "off");
        await using var source = new PgDataSourceBuilder(Builder(standby, primary).ConnectionString + ";Target Session Attributes=standby").BuildMultiHost();
        await using var connection = source.CreateConnection(TargetSessionAttributes.Primary);
        await Open(connection, asynchronously);
        await using var clone = connection.CloneWith(connection.ConnectionString + ";Application Name=clone");
        await Open(clone, asynchronously);
        Assert.Equal(primary.Port, clone.Port);
        await using var twin = connection.Clone();
        await Open(twin, asynchronously);
        Assert.Equal(primary.Port, twin.Port);
        if (asynchronously)
            await connection.ChangeDatabaseAsync("other", TestContext.Current.CancellationToken);
        else
            connection.ChangeDatabase("other");
        Assert.Equal((primary.Port, "other"), (connection.Port, connection.Database));
        await using var original = source.CreateConnection(TargetSessionAttributes.Any);
        await using var any = original.CloneWith(original.ConnectionString);
        await Open(any, asynchronously);
        Assert.Equal(standby.Port, any.Port);
    }

    public static TheoryData<string, bool> WrongRoles => new MatrixTheoryData<string, bool>(
        ["NULL", "text", "no columns", "one column", "three columns", "no rows", "bytes"], [false, true]);

    [Theory, MemberData(nameof(WrongRoles))]
    public async Task A_server_that_answers_nonsense_has_no_role(string answer, bool asynchronously)
    {
        using var server = FakeServer.Start(peer =>
        {
            peer.WelcomePg();
            while (true)
            {
                peer.ReadToSync();
                var yes = "t"u8.ToArray();
                byte[] result = answer switch
                {
                    "NULL" => [.. PgWords.RowDescription(("a", 16), ("b", 16)), .. PgWords.DataRow(null, null)],
                    "text" => [.. PgWords.RowDescription(("a", 25), ("b", 25)), .. PgWords.DataRow("maybe"u8.ToArray(), yes)],
                    "no columns" => [.. PgWords.RowDescription(), .. PgWords.DataRow()],
                    "one column" => [.. PgWords.RowDescription(("a", 16)), .. PgWords.DataRow(yes)],
                    "three columns" => [.. PgWords.RowDescription(("a", 16), ("b", 16), ("c", 16)), .. PgWords.DataRow(yes, yes, yes)],
                    "no rows" => PgWords.RowDescription(("a", 16), ("b", 16)),
                    _ => [.. PgWords.RowDescription(("a", 16), ("b", 16)), .. PgWords.DataRow([1, 2, 3], [])],
                };
                peer.Send([.. result, .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()]);
            }
        });
        await using var source = Impatient(server, server).BuildMultiHost();
        await using var connection = source.CreateConnection(TargetSessionAttributes.Primary);
        var failure = await Assert.ThrowsAsync<PgException>(() => Open(connection, asynchronously));
        Assert.Contains("Its role is not known.", failure.Message);
        Assert.Equal(0, source.Statistics.Busy);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_is_asked_for_its_role_gets_no_password_in_clear_text(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.ReadStartupWithoutTls();
            peer.Send(PgWords.Authentication(3));
            peer.ReadMessage();
        });
        using var primary = Reporting(static () => "off");
        await using var source = PgDataSource.Create(
            $"{Builder(server, primary).ConnectionString};Password={Password};Target Session Attributes=primary;Require Auth=ScramSHA256,None");
        await using var connection = source.CreateConnection();
        var failure = await Record.ExceptionAsync(() => Open(connection, asynchronously));
        Assert.True(failure is null or PgException, failure?.ToString());
        NeverSent(server, System.Text.Encoding.UTF8.GetBytes(Password));
    }

    [Fact]
    public async Task A_new_primary_and_a_lost_one_are_logged()
    {
        var isPromoted = false;
        var first = Reporting(static () => "off");
        using var second = Reporting(() => isPromoted ? "off" : "on");
        using var loggers = new RecordedLogs();
        await using var source = Builder(first, second).UseLoggerFactory(loggers).BuildMultiHost();
        await using (var connection = source.CreateConnection(TargetSessionAttributes.Primary))
            await Open(connection, asynchronously: true);
        isPromoted = true;
        first.Dispose();
        await Testing.Eventually.TrueAsync(() => loggers.Entries.Any(one => one.Id == 1030 && one.Text.Contains($"the primary is 127.0.0.1:{second.Port}")));
        Assert.Contains(loggers.Entries, one => one.Id == 1030 && one.Text.Contains($"the primary is 127.0.0.1:{first.Port}; it was unknown"));
        await Testing.Eventually.TrueAsync(() => loggers.Entries.Any(one => one.Id == 1032 && one.Text.Contains($"127.0.0.1:{first.Port} cannot be used")));
        Assert.All(loggers.Entries, static one => Assert.StartsWith("Slipstream.PostgreSql.", one.Category));
    }

    [Fact]
    public void Views_are_shared_and_own_nothing()
    {
        using var source = new PgDataSourceBuilder("Host=a,b").BuildMultiHost();
        var view = source.WithTargetSession(TargetSessionAttributes.Standby);
        Assert.Same(view, source.WithTargetSession(TargetSessionAttributes.Standby));
        view.Dispose();
        Assert.Equal(200, source.Statistics.MaxSize);
        source.ClearDatabaseStates();
        Assert.Throws<ArgumentOutOfRangeException>(() => source.WithTargetSession((TargetSessionAttributes)7));
        Assert.Throws<ArgumentException>(() => PgDataSource.Create("Host=a,b;Target Session Attributes=leader"));
    }

    private static PgDataSourceBuilder Builder(FakeServer first, FakeServer second) => new(
        $"Host={first.Address}:{first.Port},{second.Address}:{second.Port};{PgLogin.Text};Database=db;SSL Mode=Disable;Require Auth=None;Timeout=30");

    private static Task Open(PgConnection connection, bool asynchronously) => asynchronously ? connection.OpenAsync() : Task.Run(connection.Open);

    private static PgDataSourceBuilder Impatient(FakeServer first, FakeServer second) =>
        new(Builder(first, second).ConnectionString + ";Server Selection Timeout=1");

    // A server that reports its role in a setting, and answers the question for it.
    private static FakeServer Reporting(Func<string>? inHotStandby, Func<bool>? isPrimary = null) => FakeServer.Start(peer =>
    {
        LogIn(peer, inHotStandby?.Invoke());
        while (true)
        {
            var (type, body) = peer.ReadMessage();
            if (type is not ('Q' or 'S'))
                continue;
            if (type == 'S' || !System.Text.Encoding.UTF8.GetString(body).StartsWith("SELECT", StringComparison.Ordinal))
            {
                peer.Send([.. PgWords.CommandComplete("DISCARD ALL"), .. PgWords.Ready()]);
                continue;
            }

            var isStandby = isPrimary is null ? inHotStandby!() == "on" : !isPrimary();
            peer.Send(
            [
                .. PgWords.RowDescription(("a", 16), ("b", 25)), .. PgWords.DataRow(isStandby ? [(byte)'t'] : "f"u8.ToArray(), "off"u8.ToArray()),
                .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready(),
            ]);
        }
    });

    private static void LogIn(FakePeer peer, string? inHotStandby)
    {
        peer.ReadStartupWithoutTls();
        peer.Send(PgWords.Authentication(0));
        if (inHotStandby is not null)
            peer.Send([.. PgWords.ParameterStatus("in_hot_standby", inHotStandby), .. PgWords.ParameterStatus("default_transaction_read_only", "off")]);
        peer.Send(
            [.. PgWords.ParameterStatus("server_version", "18.0"), .. PgWords.Message('K', [.. PgWords.Int32(7), .. PgWords.Int32(99)]), .. PgWords.Ready()]);
    }
}
