using System.Collections.Concurrent;
using System.Data.Common;
using System.Globalization;
using Slipstream.Core.Data;
using Slipstream.Core.Pooling;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>More callers than a pool has sessions, on real servers: all at once, and while the pool is cleared.</summary>
public sealed class PoolStormTests
{
    private const int Maximum = 20;

    public static TheoryData<ServerKind> Servers => CancelStormTests.Servers;

    public static TheoryData<ServerKind, bool> Ways => RoundTripTests.Ways;

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_storm_of_opens_shares_no_more_sessions_than_the_pool_may_have(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var source = DataSources.Create(
            kind,
            ConnectionStrings.Of(
                server, $"Port={proxy.Port};Maximum Pool Size={Maximum};{(kind.IsPostgreSql() ? "Timeout" : "Connection Timeout")}=120"));
        var ids = new ConcurrentDictionary<long, int>();
        var answers = 0;
        const int Workers = 50;
        var number = Storm.Number(1000);
        await Task.WhenAll(Enumerable.Range(0, Workers).Select(worker => asynchronous
            ? Task.Run(async () => await Task.WhenAll(Enumerable.Range(0, number / Workers).Select(UseAsync)))
            : Task.Factory.StartNew(() => UseAll(number / Workers), TaskCreationOptions.LongRunning))).WaitAsync(TimeSpan.FromSeconds(150));

        Assert.Equal(number / Workers * Workers, answers);
        // The proxy saw every connection.
        Assert.InRange(proxy.Counters.Connections, 1, Maximum);
        var statistics = AddsUp(source);
        Assert.Equal((proxy.Counters.Connections, 0L, 0L), (statistics.Opened, statistics.WaitTimeouts, statistics.OpenFailures));
        Assert.InRange(ids.Count, 1, Maximum);

        async Task UseAsync(int i)
        {
            await using var connection = source.CreateConnection();
            await connection.OpenAsync();
            // One caller in ten executes a command; the test is about opening.
            if (i % 10 == 0)
                await using (var command = SessionId(connection, kind))
                    ids.TryAdd(Convert.ToInt64(await command.ExecuteScalarAsync(), CultureInfo.InvariantCulture), 0);
            Interlocked.Increment(ref answers);
        }

        void UseAll(int times)
        {
            for (var i = 0; i < times; i++)
            {
                using var connection = source.CreateConnection();
                connection.Open();
                if (i % 10 == 0)
                    using (var command = SessionId(connection, kind))
                        ids.TryAdd(Convert.ToInt64(command.ExecuteScalar(), CultureInfo.InvariantCulture), 0);
                Interlocked.Increment(ref answers);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Clearing_pools_under_load_disturbs_nobody_and_loses_nothing(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var text = ConnectionStrings.Of(server, "Maximum Pool Size=6;Application Name=clearing");
        // By the connection string, which ClearPool uses to find the pool.
        DbConnection Connect() => kind.IsPostgreSql() ? new PgConnection(text) : new MySqlConnection(text);
        var stop = false;
        var (rounds, cleared) = (0, 0);
        // For each session: one more than the number of clears that had ended when the first lease was recorded. A lease that begins after more clears must not
        // get the session.
        var opened = new ConcurrentDictionary<long, int>();
        var wrong = new ConcurrentQueue<string>();
        var users =
            Enumerable.Range(0, 10).Select(user => Task.Factory.StartNew(() => Use(user).GetAwaiter().GetResult(), TaskCreationOptions.LongRunning)).ToArray();
        for (var i = 0; i < 40; i++)
        {
            var before = Volatile.Read(ref rounds);
            await using (var connection = (ProviderConnection)Connect())
            {
                if (kind.IsPostgreSql())
                    PgConnection.ClearPool((PgConnection)(DbConnection)connection);
                else if (i % 2 == 0)
                    MySqlConnection.ClearPool((MySqlConnection)(DbConnection)connection);
                else
                    await MySqlConnection.ClearPoolAsync((MySqlConnection)(DbConnection)connection);
            }

            Interlocked.Increment(ref cleared);
            SpinWait.SpinUntil(() => Volatile.Read(ref rounds) > before + 15, 5000);
        }

        Volatile.Write(ref stop, true);
        await Task.WhenAll(users).WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Empty(wrong.Distinct());
        await using var last = (ProviderConnection)Connect();
        await last.OpenAsync();
        var source = last.Source;
        await last.CloseAsync();
        source.Clear();
        var statistics = AddsUp(source);
        Assert.Equal(0, statistics.Idle);
        Assert.True(statistics.Closed[CloseReason.Cleared] >= 20, "Hardly anything was cleared: the test proved nothing.");

        async Task Use(int user)
        {
            for (var i = 0; !Volatile.Read(ref stop); i++)
            {
                try
                {
                    await using var connection = Connect();
                    var over = Volatile.Read(ref cleared);
                    if (user % 2 == 0)
                        connection.Open();
                    else
                        await connection.OpenAsync();
                    await using var command = SessionId(connection, kind);
                    var id = Convert.ToInt64(user % 2 == 0 ? command.ExecuteScalar() : await command.ExecuteScalarAsync(), CultureInfo.InvariantCulture);
                    // The first user of the session recorded the highest number of clears that can have begun by then. If more clears had ended before this
                    // lease, the session should be gone.
                    var first = opened.GetOrAdd(id, Volatile.Read(ref cleared) + 1);
                    if (first < over)
                        wrong.Enqueue($"session {id} was leased after {over} clears, though it was there before the {first}th was over");
                    Interlocked.Increment(ref rounds);
                }
                catch (Exception exception)
                {
                    wrong.Enqueue(exception.ToString());
                    return;
                }
            }
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_connection_that_nobody_closes_is_found_and_its_session_ended(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var source = DataSources.Create(kind, ConnectionStrings.Of(server, "Maximum Pool Size=3;Application Name=leaking"));
        var lost = await Leak(source, kind);
        // A waiting caller gets the place.
        await Eventually.TrueAsync(() =>
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            return source.Statistics.Closed[CloseReason.Leaked] >= 3;
        });

        await using var connection = await source.OpenConnectionAsync();
        await using var command = SessionId(connection, kind);
        Assert.DoesNotContain(Convert.ToInt64(await command.ExecuteScalarAsync(), CultureInfo.InvariantCulture), lost);
        Assert.Equal(1, source.Statistics.Busy);
    }

    // One connection that executed a command, one in the middle of a result, and one that executed a prepared command.
    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static async Task<long[]> Leak(ProviderDataSource source, ServerKind kind)
    {
        var ids = new long[3];
        for (var i = 0; i < 3; i++)
        {
            var connection = await source.OpenConnectionAsync();
            if (connection is PgConnection pg)
                pg.Notice += static (_, _) => { };
            if (connection is MySqlConnection my)
                my.InfoMessage += static (_, _) => { };
            var command = SessionId(connection, kind);
            if (i == 2)
            {
                await command.PrepareAsync();
                await command.ExecuteScalarAsync();
            }

            if (i != 1)
            {
                ids[i] = Convert.ToInt64(await command.ExecuteScalarAsync(), CultureInfo.InvariantCulture);
                continue;
            }

            var reader = await command.ExecuteReaderAsync();
            Assert.True(await reader.ReadAsync());
            ids[i] = Convert.ToInt64(reader.GetValue(0), CultureInfo.InvariantCulture);
        }

        return ids;
    }

    private static DbCommand SessionId(DbConnection connection, ServerKind kind)
    {
        var command = connection.CreateCommand();
        command.CommandText = kind.IsPostgreSql() ? "SELECT pg_backend_pid()" : "SELECT CONNECTION_ID()";
        return command;
    }

    private static PoolStatistics AddsUp(ProviderDataSource source)
    {
        var statistics = source.Statistics;
        Assert.Equal((0, 0), (statistics.Busy, statistics.Waiting));
        Assert.Equal(statistics.Opened - statistics.Closed.Values.Sum(), statistics.Idle);
        return statistics;
    }
}
