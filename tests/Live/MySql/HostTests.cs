using System.Net;
using System.Net.Sockets;
using Slipstream.Contract;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Options;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>Several servers in one connection string: proxies in front of a real server, which can be stalled.</summary>
public class HostTests
{
    [Theory]
    [InlineData("RoundRobin", "2 2 2", false)]
    [InlineData("FailOver", "6 0 0", true)]
    [InlineData("LeastConnections", "2 2 2", true)]
    public async Task Sessions_are_spread_as_the_option_says(string balance, string expected, bool asynchronous)
    {
        await using var hosts = await Started.StartAsync(3, $"Load Balance={balance}");
        List<MySqlConnection> connections = [];
        for (var i = 0; i < 6; i++)
            connections.Add(await hosts.Open(asynchronous));
        Assert.Equal(expected, hosts.Open());
        foreach (var connection in connections)
            await connection.DisposeAsync();
    }

    [Fact]
    public async Task Least_connections_forgets_sessions_that_are_closed()
    {
        await using var hosts = await Started.StartAsync(2, "Load Balance=LeastConnections;Pooling=false");
        var first = await hosts.Open(true);
        await using var second = await hosts.Open(true);
        Assert.Equal("1 1", hosts.Open());
        await first.CloseAsync();
        // The proxy notices it a moment later.
        Assert.True(SpinWait.SpinUntil(() => hosts.Proxies.Sum(static proxy => proxy.OpenConnections) == 1, 30_000));
        await using var third = await hosts.Open(false);
        await using var fourth = await hosts.Open(true);
        Assert.Equal(3, hosts.Proxies.Sum(static proxy => proxy.OpenConnections));
        Assert.All(hosts.Proxies, static proxy => Assert.InRange(proxy.OpenConnections, 1, 2));
    }

    [Fact]
    public async Task A_silent_server_takes_its_part_of_the_time_and_is_left_alone_until_it_answers_again()
    {
        await using var hosts = await Started.StartAsync(2, "Load Balance=FailOver;Host Connect Timeout=2;Connection Timeout=30;Pooling=false");
        hosts.Proxies[0].Stalled = true;
        var began = Clock.Now;
        await (await hosts.Open(true)).DisposeAsync();
        Assert.InRange(Clock.Now - began, 1_900, 15_000);
        var tried = hosts.Proxies[0].Counters.Connections;
        Assert.Equal(1, tried);

        for (var i = 0; i < 5; i++)
            await (await hosts.Open(i % 2 == 0)).DisposeAsync();
        // None of them has tried it. The driver's own probes begin two seconds after the failure; a busy machine may take longer than that.
        Assert.InRange(hosts.Proxies[0].Counters.Connections - tried, 0, (Clock.Now - began) / 3_900);

        hosts.Proxies[0].Stalled = false;
        var before = hosts.Proxies[1].Counters.Connections;
        var opened = 0;
        await Eventually.TrueAsync(async () =>
        {
            await (await hosts.Open(true)).DisposeAsync();
            return hosts.Proxies[1].Counters.Connections < before + ++opened;
        });

        // A probe has found it available again, and fail-over begins with it.
        Assert.True(hosts.Proxies[1].Counters.Connections > before);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task When_all_are_dead_each_says_why(bool asynchronous)
    {
        // Bound, so that no other program gets the port, but not listening.
        using var here = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        here.Bind(new IPEndPoint(IPAddress.Any, 0));
        var port = ((IPEndPoint)here.LocalEndPoint!).Port;
        await using var source = new MySqlDataSource($"Server=127.0.0.1:{port},127.0.0.2:{port},no-such-host.invalid;User ID=nobody;Connection Timeout=30");
        for (var i = 0; i < 2; i++)
        {
            var failure = asynchronous
                ? await Assert.ThrowsAsync<MySqlException>(async () => await source.OpenConnectionAsync())
                : Assert.Throws<MySqlException>(() => source.OpenConnection());
            Assert.Equal(MySqlErrorCode.UnableToConnectToHost, failure.ErrorCode);
            Assert.Contains("None of the 3 servers", failure.Message);
            Assert.Contains($"127.0.0.1:{port}: Nothing is listening", failure.Message);
            Assert.Contains($"127.0.0.2:{port}: Nothing is listening", failure.Message);
            Assert.Contains("no-such-host.invalid", failure.Message);
        }
    }

    [Fact]
    public async Task A_token_ends_the_whole_attempt_not_one_server_of_it()
    {
        await using var hosts = await Started.StartAsync(2, "Load Balance=FailOver;Connection Timeout=30;Pooling=false");
        hosts.Proxies[0].Stalled = true;
        using var source = new CancellationTokenSource(300);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await hosts.Source.OpenConnectionAsync(source.Token));
        Assert.Equal(0, hosts.Proxies[1].Counters.Connections);
    }

    [Fact]
    public async Task A_changed_address_empties_the_pool_and_loses_no_session()
    {
        var server = await LiveServers.GetAsync(ServerKind.MariaDb11);
        await using var here = LabProxy.Start(server.Host, server.Port);
        var names = new NamedDialer("127.0.0.1");
        var text = ConnectionStrings.MySql(server, "DNS Check Interval=1").Replace($"Server={server.Host}", "Server=db.example", StringComparison.Ordinal)
            .Replace($"Port={server.Port}", $"Port={here.Port}", StringComparison.Ordinal);
        await using var source = new MySqlDataSource(MySqlSettings.Parse(text), null, null, names);
        async Task<long> Id(MySqlConnection connection)
        {
            await using var command = new MySqlCommand("SELECT CONNECTION_ID()", connection);
            return Convert.ToInt64(await command.ExecuteScalarAsync());
        }

        var leased = await source.OpenConnectionAsync();
        var first = await Id(leased);
        await Eventually.TrueAsync(() => names.Looks >= 2);
        await leased.CloseAsync();
        await leased.OpenAsync();
        Assert.Equal(first, await Id(leased));

        names.Addresses = "127.0.0.1 ::1";
        var idle = await source.OpenConnectionAsync();
        await idle.CloseAsync();
        await Eventually.TrueAsync(() => source.Statistics.Idle == 0);
        // A caller with a session keeps it until it returns it.
        Assert.Equal(first, await Id(leased));
        await leased.CloseAsync();
        await leased.OpenAsync();
        Assert.NotEqual(first, await Id(leased));
        await leased.DisposeAsync();
        Assert.Equal(1, source.Statistics.Idle);
    }

    private sealed class NamedDialer(string addresses) : Dialer(null)
    {
        private volatile string _addresses = addresses;
        private int _looks;

        public string Addresses
        {
            set => _addresses = value;
        }

        public int Looks => Volatile.Read(ref _looks);

        public override IPAddress[] LookUp(string host)
        {
            Interlocked.Increment(ref _looks);
            return Array.ConvertAll(_addresses.Split(' '), IPAddress.Parse);
        }

        protected override Task<IPAddress[]> LookUpAsync(string host, CancellationToken cancellationToken) =>
            Task.FromResult(Array.ConvertAll(_addresses.Split(' '), IPAddress.Parse));
    }

    private sealed class Started(LabProxy[] proxies, MySqlDataSource source) : IAsyncDisposable
    {
        public LabProxy[] Proxies => proxies;

        public MySqlDataSource Source => source;

        public static async Task<Started> StartAsync(int count, string options)
        {
            var server = await LiveServers.GetAsync(ServerKind.MariaDb);
            LabProxy[] proxies = [.. Enumerable.Range(0, count).Select(_ => LabProxy.Start(server.Host, server.Port))];
            var list = string.Join(',', proxies.Select(static proxy => $"{proxy.Host}:{proxy.Port}"));
            return new(
                proxies,
                new MySqlDataSource(ConnectionStrings.MySql(server, options).Replace($"Server={server.Host}", $"Server={list}", StringComparison.Ordinal)));
        }

        public async Task<MySqlConnection> Open(bool asynchronous) => asynchronous ? await source.OpenConnectionAsync() : source.OpenConnection();

        /// <summary>Returns the number of open connections through each proxy.</summary>
        public string Open() => string.Join(' ', proxies.Select(static proxy => proxy.OpenConnections));

        public async ValueTask DisposeAsync()
        {
            await source.DisposeAsync();
            foreach (var proxy in proxies)
                await proxy.DisposeAsync();
        }
    }
}
