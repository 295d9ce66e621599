using System.Data.Common;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>The driver's own engine with callers that misuse it. Time limits only prevent hanging.</summary>
public class EngineTests
{
    private static readonly TimeSpan Hang = TimeSpan.FromSeconds(60);

    public static TheoryData<ServerKind, string> Ways => new()
    {
        { ServerKind.MySql, "" }, { ServerKind.MySql, "SSL Mode=Required" }, { ServerKind.MariaDb, "" },
        { ServerKind.MariaDb, "Async Continuations=ThreadPool" },
        { ServerKind.PostgreSql, "" }, { ServerKind.PostgreSql, "SSL Mode=Require" },
    };

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Every_continuation_blocks_on_a_second_query(ServerKind kind, string options)
    {
        await using var source = await SourceAsync(kind, options);
        await Task.WhenAll(Enumerable.Range(0, 12).Select(worker => Task.Run(async () =>
        {
            for (var i = 0; i < 10; i++)
            {
                await using var connection = await source.OpenConnectionAsync().ConfigureAwait(false);
                await using var command = Command(connection, worker);
                Assert.Equal(worker, Convert.ToInt32(await command.ExecuteScalarAsync().ConfigureAwait(false)));
                Assert.Equal(worker, Convert.ToInt32(command.ExecuteScalar()));
                Assert.Equal(worker, Convert.ToInt32(command.ExecuteScalarAsync().Result));
                await using var reader = await command.ExecuteReaderAsync().ConfigureAwait(false);
                // Opens and uses another session by blocking on asynchronous calls inside the continuation.
                using var other = source.OpenConnectionAsync().AsTask().GetAwaiter().GetResult();
                using var second = Command(other, i);
                Assert.Equal(i, Convert.ToInt32(second.ExecuteScalarAsync().GetAwaiter().GetResult()));
                Assert.True(reader.ReadAsync().Result);
            }
        }))).WaitAsync(Hang);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Many_workers_share_few_sessions(ServerKind kind, string options)
    {
        await using var source = await SourceAsync(kind, options + ";Maximum Pool Size=8");
        await Task.WhenAll(Enumerable.Range(0, 32).Select(worker => Task.Run(async () =>
        {
            for (var i = 0; i < 25; i++)
            {
                await using var connection = await source.OpenConnectionAsync().ConfigureAwait(false);
                await using var command = Command(connection, worker * 100 + i);
                Assert.Equal(worker * 100 + i, Convert.ToInt32(await command.ExecuteScalarAsync().ConfigureAwait(false)));
            }
        }))).WaitAsync(Hang);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task One_shelf_serves_both_ways_of_waiting(ServerKind kind, string options)
    {
        await using var source = await SourceAsync(kind, options);
        var sessions = new HashSet<string>();
        for (var i = 0; i < 5; i++)
        {
            await using (var connection = await source.OpenConnectionAsync())
                sessions.Add(Convert.ToString(await SessionId(connection).ExecuteScalarAsync())!);
            // ReSharper disable once MethodHasAsyncOverload
            using (var connection = source.OpenConnection())
                sessions.Add(Convert.ToString(SessionId(connection).ExecuteScalar())!);
        }

        Assert.Single(sessions);

        DbCommand SessionId(DbConnection connection)
        {
            var command = connection.CreateCommand();
            command.CommandText = kind.IsPostgreSql() ? "SELECT pg_backend_pid()" : "SELECT CONNECTION_ID()";
            return command;
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_megabyte_both_ways(ServerKind kind, string options)
    {
        await using var source = await SourceAsync(kind, options);
        await using var connection = await source.OpenConnectionAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT @value";
        var parameter = command.CreateParameter();
        parameter.ParameterName = "@value";
        var value = new byte[3_000_000];
        new Random(1).NextBytes(value);
        parameter.Value = value;
        command.Parameters.Add(parameter);
        for (var i = 0; i < 3; i++)
        {
            await using var reader = await command.ExecuteReaderAsync();
            Assert.True(await reader.ReadAsync());
            Assert.Equal(value, reader.GetFieldValue<byte[]>(0));
        }
    }

    private static DbCommand Command(DbConnection connection, int value)
    {
        var command = connection.CreateCommand();
        command.CommandText = $"SELECT {value}";
        return command;
    }

    private static async Task<DbDataSource> SourceAsync(ServerKind kind, string options)
    {
        var server = await LiveServers.GetAsync(kind);
        var text = ConnectionStrings.Of(server, OwnEngine.Option + options);
        return kind.IsPostgreSql() ? new PgDataSourceBuilder(text).Build() : new MySqlDataSourceBuilder(text).Build();
    }
}
