using System.Data.Common;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>An optimisation that is turned off costs its round trips again, counted by a proxy between client and server.</summary>
public class LeverTests
{
    public static TheoryData<ServerKind> Servers => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.PostgreSql];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Without_batching_each_command_of_a_batch_waits_for_the_one_before(ServerKind kind)
    {
        Assert.Equal(1, await RoundTripsOf(kind, "", Batch));
        Assert.Equal(5, await RoundTripsOf(kind, "Batching=false", Batch));

        static void Batch(DbConnection connection)
        {
            using var batch = connection.CreateBatch();
            for (var i = 0; i < 5; i++)
            {
                var command = batch.CreateBatchCommand();
                command.CommandText = "SELECT 42";
                batch.BatchCommands.Add(command);
            }

            using var reader = batch.ExecuteReader();
            var results = 0;
            do
            {
                Assert.True(reader.Read());
                Assert.Equal(42, Convert.ToInt32(reader.GetValue(0)));
                results++;
            }
            while (reader.NextResult());
            Assert.Equal(5, results);
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Without_pipelining_a_transaction_begins_at_once_and_by_itself(ServerKind kind)
    {
        Assert.Equal(2, await RoundTripsOf(kind, "", Transaction));
        Assert.Equal(3, await RoundTripsOf(kind, "Pipelining=false", Transaction));
        Assert.Equal(0, await RoundTripsOf(kind, "", Unused));
        Assert.Equal(2, await RoundTripsOf(kind, "Pipelining=false", Unused));

        static void Transaction(DbConnection connection)
        {
            using var transaction = connection.BeginTransaction();
            using var command = connection.CreateCommand();
            command.Transaction = transaction;
            command.CommandText = "SELECT 42";
            command.ExecuteScalar();
            transaction.Commit();
        }

        static void Unused(DbConnection connection)
        {
            using var transaction = connection.BeginTransaction();
            transaction.Commit();
        }
    }

    [Fact]
    public async Task A_reset_that_is_always_whole_drops_what_PostgreSQL_has_prepared()
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        Assert.Equal(1L, PreparedAfterLease(""));
        Assert.Equal(0L, PreparedAfterLease("Reset Mode=Always"));
        Assert.Equal(0L, PreparedAfterLease("Reset Mode=Always;Pipelining=false"));

        long PreparedAfterLease(string options)
        {
            using var source = PgDataSource.Create(ConnectionStrings.PostgreSql(server, "Maximum Pool Size=1;" + options));
            for (var i = 0; i < 5; i++)
            {
                using var connection = source.OpenConnection();
                using var command = new PgCommand("SELECT 'prepared by itself'", connection);
                Assert.Equal("prepared by itself", command.ExecuteScalar());
            }

            using var last = source.OpenConnection();
            using var count = new PgCommand("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%prepared by itself%'", last);
            return (long)count.ExecuteScalar()!;
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.PostgreSql)]
    public async Task Large_values_are_the_same_when_they_are_held_in_the_buffers(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var value = new byte[3_000_000];
        new Random(1).NextBytes(value);
        foreach (var options in (string[])["", "Direct Large Values=false", "Direct Large Values=false;Adaptive Receives=false"])
        {
            using var connection = Open(server, options);
            using var command = connection.CreateCommand();
            command.CommandText = "SELECT @p, 1";
            var parameter = command.CreateParameter();
            (parameter.ParameterName, parameter.Value) = ("@p", value);
            command.Parameters.Add(parameter);
            command.Prepare();
            foreach (var behavior in (System.Data.CommandBehavior[])[System.Data.CommandBehavior.Default, System.Data.CommandBehavior.SequentialAccess])
            {
                using var reader = command.ExecuteReader(behavior);
                Assert.True(reader.Read());
                Assert.Equal(value, reader.GetFieldValue<byte[]>(0));
                Assert.Equal(1, Convert.ToInt32(reader.GetValue(1)));
                Assert.False(reader.Read());
            }
        }
    }

    // Sequential access is the caller's choice, not an optimisation: whether a value can be read only once depends on its size, not on what has arrived or on
    // the protocol's form.
    [Theory]
    [MemberData(nameof(Servers))]
    public async Task With_sequential_access_a_value_is_read_once_from_the_same_size_on_whatever_is_off(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        foreach (var options in (string[])["", "Direct Large Values=false", "Direct Large Values=false;Adaptive Receives=false", "Auto Prepare=false"])
        {
            foreach (var type in (string[])["text", "bytes"])
            {
                foreach (var length in (int[])[100, 40_000, 65_535, 65_536, 70_000, 1_100_000])
                    Assert.Equal(length < 65_536 ? "held, held, held, held" : "once, once, once, once", ReadBackwards(server, options, type, length));
            }
        }
    }

    private static string ReadBackwards(LabServer server, string options, string type, int length)
    {
        using var connection = Open(server, options);
        using var command = connection.CreateCommand();
        var bytes = server.Kind.IsPostgreSql() ? $"decode(repeat('07', {length}), 'hex')" : $"CAST(REPEAT('x', {length}) AS BINARY)";
        var value = type == "text" ? $"REPEAT('x', {length})" : bytes;
        command.CommandText = $"SELECT {value} AS a, 1 AS b UNION ALL SELECT {value}, 2";
        List<string> seen = [];
        for (var i = 0; i < 4; i++)
        {
            using var reader = command.ExecuteReader(System.Data.CommandBehavior.SequentialAccess);
            Assert.True(reader.Read());
            Assert.True(reader.Read());
            Assert.Equal(2, Convert.ToInt32(reader.GetValue(1)));
            try
            {
                var read = reader.GetValue(0);
                Assert.Equal(length, read is string text ? text.Length : ((byte[])read).Length);
                seen.Add("held");
            }
            catch (InvalidOperationException)
            {
                seen.Add("once");
            }
        }

        return string.Join(", ", seen);
    }

    private static DbConnection Open(LabServer server, string options)
    {
        DbConnection connection =
            server.Kind.IsPostgreSql()
                ? new PgConnection(ConnectionStrings.PostgreSql(server, options))
                : new MySqlConnection(ConnectionStrings.MySql(server, options));
        connection.Open();
        return connection;
    }

    private static async Task<long> RoundTripsOf(ServerKind kind, string options, Action<DbConnection> operation)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        DbDataSource source = kind.IsPostgreSql()
            ? PgDataSource.Create(
                $"Host=127.0.0.1;Port={proxy.Port};Username={server.User};Password={server.Password};Database={server.Database};SSL Mode=Disable;{options}")
            : new MySqlDataSource(
                $"Server=127.0.0.1;Port={proxy.Port};User ID={server.User};Password={server.Password};Database={server.Database};SSL Mode=None;Allow Public "
                    + $"Key Retrieval=true;{options}");
        await using var closing = source;
        using var connection = source.OpenConnection();
        using (var command = connection.CreateCommand())
        {
            command.CommandText = "SELECT 1";
            command.ExecuteScalar();
        }

        operation(connection);
        proxy.Counters.Reset();
        operation(connection);
        return proxy.Counters.RoundTrips;
    }
}
