using System.Data;
using System.Data.Common;

namespace Slipstream.Contract;

public abstract partial class ProviderContract
{
    [Theory, InlineData("true"), InlineData("false")]
    public async Task A_disposed_data_source_opens_nothing_with_a_pool_or_without(string pooling)
    {
        var source = Server.CreateSource(Server.With($"Pooling={pooling}"));
        var connection = source.CreateConnection();
        await source.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => Mode.Open(source));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => Mode.Open(connection));
    }

    [Fact]
    public async Task A_data_source_opens_connections_and_runs_commands()
    {
        await using var source = Server.CreateSource(Server.ConnectionString);
        await using (var connection = await Mode.Open(source))
            await StillUsable(connection);
        await using (var command = source.CreateCommand("SELECT 42"))
        {
            Assert.Equal(42, Convert.ToInt32(await Mode.Scalar(command)));
            Assert.Equal(42, Convert.ToInt32(await Mode.Scalar(command)));
            await using var reader = await Mode.Reader(command);
            Assert.True(await Mode.Read(reader));
        }

        Assert.DoesNotContain(Server.Password, source.ConnectionString);
        await using var closed = source.CreateConnection();
        Assert.Equal(ConnectionState.Closed, closed.State);
        await Mode.Open(closed);
        await StillUsable(closed);
    }

    [Fact]
    public async Task A_disposed_data_source_opens_nothing()
    {
        var source = Server.CreateSource(Server.ConnectionString);
        await using (await Mode.Open(source))
        {
        }

        await source.DisposeAsync();
        await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Open(source));
    }

    [Fact]
    public async Task A_session_given_back_is_used_again()
    {
        await using var source = Server.CreateSource(Server.ConnectionString);
        var sessions = new HashSet<object?>();
        for (var i = 0; i < 10; i++)
        {
            await using var connection = await Mode.Open(source);
            sessions.Add(await Scalar(connection, Server.SessionId));
        }

        Assert.Single(sessions);
    }

    [Fact]
    public async Task Connections_of_one_string_share_a_pool()
    {
        // The string is unique to this run, because the same test runs at the same time in the other mode.
        var options = Server.With($"Maximum Pool Size=17;Application Name=shared-{Guid.NewGuid():N}");
        object? first;
        await using (var connection = await Open(options))
            first = await Scalar(connection, Server.SessionId);
        await using (var connection = await Open(options))
            Assert.Equal(first, await Scalar(connection, Server.SessionId));
    }

    [Fact]
    public async Task Many_users_at_once_each_get_their_own_answers()
    {
        await using var source = Server.CreateSource(Server.With("Maximum Pool Size=8"));
        await Task.WhenAll(Enumerable.Range(0, 24).Select(user => Task.Factory.StartNew(async () =>
        {
            for (var i = 0; i < 30; i++)
            {
                await using var connection = await Mode.Open(source);
                var wanted = user * 1000 + i;
                Assert.Equal(wanted, await Number(connection, "SELECT @value", ("@value", wanted)));
            }
        }, default, Mode.IsAsync ? TaskCreationOptions.None : TaskCreationOptions.LongRunning, TaskScheduler.Default).Unwrap()));
    }

    [Fact]
    public async Task An_exhausted_pool_says_so_in_time()
    {
        await using var source = Server.CreateSource(Server.With($"Maximum Pool Size=2;{Server.ConnectTimeout}=1"));
        await using var one = await OpenPatiently(source);
        await using var two = await OpenPatiently(source);
        var began = Environment.TickCount64;
        var error = await Assert.ThrowsAnyAsync<DbException>(() => Mode.Open(source));
        Assert.InRange(Environment.TickCount64 - began, 900, 30_000);
        Assert.Contains("all 2 are in use", error.Message);
        await Mode.Close(one);
        await using var three = await OpenPatiently(source);
        await StillUsable(three);
    }

    // The tests with a time limit for opening use this method for other connections, because a busy machine may need more time than the limit.
    private async Task<DbConnection> OpenPatiently(DbDataSource source)
    {
        for (var tries = 1; ; tries++)
        {
            try
            {
                return await Mode.Open(source);
            }
            catch (DbException) when (tries < 30)
            {
                // Try again.
            }
        }
    }

    [Fact]
    public async Task A_waiting_open_gets_the_session_that_is_given_back()
    {
        await using var source = Server.CreateSource(Server.With("Maximum Pool Size=1"));
        var first = await Mode.Open(source);
        var session = await Scalar(first, Server.SessionId);
        var waiting = Task.Run(() => Mode.Open(source));
        // An open that did not wait for the session would end within this time.
        await Task.Delay(100);
        Assert.False(waiting.IsCompleted);
        await Mode.Close(first);
        await using var second = await waiting.WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal(session, await Scalar(second, Server.SessionId));
    }
}
