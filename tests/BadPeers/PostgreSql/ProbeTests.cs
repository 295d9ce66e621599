using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>What the driver makes of unusual answers to the question for a server's role.</summary>
[Collection("PostgreSQL, probes")]
public sealed class ProbeTests : PgPeerTests
{
    // With the short question, a server states neither its lag nor its timeline.
    [Theory, InlineData("57014"), InlineData("40001"), InlineData("53200"), InlineData("XX000")]
    public async Task After_an_error_that_passes_the_whole_question_is_asked_again(string state)
    {
        var server = new Server { Refuses = count => count == 2 ? state : null };
        using var primary = server.Start();
        using var other = PgNode.Start(static () => true);
        await using var source = Source(primary, other);
        await using (await source.Primary.OpenConnectionAsync(TestContext.Current.CancellationToken))
            await Eventually.TrueAsync(() => server.WholeQuestions > 3);
        Assert.Equal(0, server.ShortQuestions);
    }

    [Theory, InlineData("42501"), InlineData("42883"), InlineData("42P01"), InlineData("42703"), InlineData("0A000")]
    public async Task A_server_that_does_not_know_the_question_is_asked_the_short_one(string state)
    {
        var server = new Server { Refuses = _ => state };
        using var primary = server.Start();
        using var other = PgNode.Start(static () => true);
        await using var source = Source(primary, other);
        await using (await source.Primary.OpenConnectionAsync(TestContext.Current.CancellationToken))
            await Eventually.TrueAsync(() => server.ShortQuestions > 2);
        Assert.Equal(1, server.WholeQuestions);
    }

    [Theory, InlineData("9223372036854775807"), InlineData("922337203685478")]
    public async Task A_lag_that_no_time_holds_is_shown_as_a_long_one(string lag)
    {
        var server = new Server { Lag = lag, IsStandby = true };
        using var standby = server.Start();
        using var primary = PgNode.Start(static () => false);
        await using var source = Source(primary, standby);
        await using (await source.Primary.OpenConnectionAsync(TestContext.Current.CancellationToken))
            await Eventually.TrueAsync(() => source.Topology.Hosts[1].Lag > TimeSpan.FromDays(1000));
    }

    [Fact]
    public async Task The_words_of_a_server_are_one_line_of_the_log()
    {
        // A server that refused earlier might never become the primary.
        var isOpen = false;
        var server = new Server
        {
            Refuses = _ => Volatile.Read(ref isOpen) ? "57P01" : null, Severity = "FATAL", Words = "bye\n[9999] forged\u2028second\u202Ethird",
        };
        using var primary = server.Start();
        using var other = PgNode.Start(static () => true);
        using var loggers = new RecordedLogs();
        await using var source = new PgDataSourceBuilder(Text(primary, other)).UseLoggerFactory(loggers).BuildMultiHost();
        await using (await source.Primary.OpenConnectionAsync(TestContext.Current.CancellationToken))
        {
            Volatile.Write(ref isOpen, true);
            await Eventually.TrueAsync(() => loggers.Messages.Any(static one => one.Contains("forged", StringComparison.Ordinal)));
        }

        Assert.All(loggers.Messages, static one => Assert.True(one.IndexOfAny(['\n', '\u2028', '\u202E']) < 0, one));
    }

    // The monitor logs in for all connections of the data source. It cannot ask the callbacks of one of them.
    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public async Task With_roles_a_connection_with_callbacks_of_its_own_is_refused_before_anything_is_sent(bool asynchronously, bool isPassword)
    {
        using var first = PgNode.Start(static () => false);
        using var second = PgNode.Start(static () => true);
        await using var connection = new PgConnection(Text(first, second) + ";Target Session Attributes=primary");
#pragma warning disable CS0618 // They are obsolete, and still supported.
        if (isPassword)
            connection.ProvidePasswordCallback = static (_, _, _, _) => Password;
        else
            connection.UserCertificateValidationCallback = static (_, _, _, _) => false;
#pragma warning restore CS0618
        var failure = await Assert.ThrowsAsync<InvalidOperationException>(() => asynchronously
            ? connection.OpenAsync(TestContext.Current.CancellationToken)
            : Task.Run(connection.Open, TestContext.Current.CancellationToken));
        Assert.Contains("data source builder", failure.Message, StringComparison.Ordinal);
        Assert.Empty(first.Peers);
        Assert.Empty(second.Peers);
    }

    private static string Text(FakeServer first, FakeServer second) =>
        $"Host={first.Address}:{first.Port},{second.Address}:{second.Port};{PgLogin.Text};Database=db;SSL Mode=Disable;Require Auth=None;Timeout=30;"
        + "Topology Refresh Interval=100";

    private static PgMultiHostDataSource Source(FakeServer first, FakeServer second) => new PgDataSourceBuilder(Text(first, second)).BuildMultiHost();

    /// <summary>A server that may refuse the whole question, of seven columns.</summary>
    private sealed class Server
    {
        private int _whole;
        private int _short;

        /// <summary>Returns the error for the whole question with this number; null for an answer.</summary>
        public Func<int, string?> Refuses { get; init; } = static _ => null;

        public string Words { get; init; } = "It was refused.";

        public string Severity { get; init; } = "ERROR";

        public string? Lag { get; init; }

        public bool IsStandby { get; init; }

        public int WholeQuestions => Volatile.Read(ref _whole);

        public int ShortQuestions => Volatile.Read(ref _short);

        public FakeServer Start() => FakeServer.Start(Serve);

        private void Serve(FakePeer peer)
        {
            peer.ReadStartupWithoutTls();
            peer.Send(
            [
                .. PgWords.Authentication(0), .. PgWords.ParameterStatus("in_hot_standby", IsStandby ? "on" : "off"),
                .. PgWords.ParameterStatus("server_version", "18.0"), .. PgWords.Message('K', [.. PgWords.Int32(7), .. PgWords.Int32(99)]), .. PgWords.Ready(),
            ]);
            while (peer.ReadMessage() is ('Q', var body))
            {
                var text = Encoding.UTF8.GetString(body);
                if (!text.StartsWith("SELECT pg_catalog.pg_is_in_recovery", StringComparison.Ordinal))
                {
                    peer.Send([.. PgWords.CommandComplete("DISCARD ALL"), .. PgWords.Ready()]);
                    continue;
                }

                var isWhole = text.Contains("pg_control_system", StringComparison.Ordinal);
                var count = isWhole ? Interlocked.Increment(ref _whole) : Interlocked.Increment(ref _short);
                peer.Send(
                    isWhole && Refuses(count) is { } state
                        ? [.. PgWords.Error(('S', Severity), ('V', Severity), ('C', state), ('M', Words)), .. PgWords.Ready()]
                        : [.. Row(isWhole), .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()]);
            }
        }

        private byte[] Row(bool isWhole)
        {
            var role = IsStandby ? "t"u8.ToArray() : "f"u8.ToArray();
            return isWhole
                ?
                [
                    .. PgWords.RowDescription(("a", 16), ("b", 25), ("c", 20), ("d", 25), ("e", 3220), ("f", 701), ("g", 23)),
                    .. PgWords.DataRow(
                        role, "off"u8.ToArray(), "7312345678901234567"u8.ToArray(), IsStandby ? null : "000000010000000000000000"u8.ToArray(),
                        "0/100"u8.ToArray(), Lag is null ? null : Encoding.ASCII.GetBytes(Lag), IsStandby ? "1"u8.ToArray() : null),
                ]
                : [.. PgWords.RowDescription(("a", 16), ("b", 25)), .. PgWords.DataRow(role, "off"u8.ToArray())];
        }
    }
}
