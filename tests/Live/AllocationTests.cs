using System.Data.Common;
using Slipstream.Core.Data;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>Runs alone: otherwise the measurement would include other tests' allocations, and those of the listener for secrets.</summary>
[CollectionDefinition(nameof(AllocationTests), DisableParallelization = true)]
public class Alone : ICollectionFixture<Slipstream.Live.Secrets.Unwatched>;

/// <summary>
/// Bytes allocated per operation on the hot paths. The best of several rounds counts, because the first rounds run code that is not optimised yet.
/// </summary>
[Collection(nameof(AllocationTests))]
public class AllocationTests
{
#if DEBUG
    // In a debug build, the state of an asynchronous method is a separate object.
    private const long DebugSlack = 1000;
#else
    private const long DebugSlack = 0;
#endif

    private const string ManyRows = "SELECT a.v, b.v, c.v FROM " + Ten + " a CROSS JOIN " + Ten + " b CROSS JOIN " + Ten + " c";
    private const string Ten = "(SELECT 0 AS v UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL "
        + "SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)";

    public static TheoryData<ServerKind> Servers => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.PostgreSql];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Opening_from_the_pool(ServerKind kind)
    {
        var (connection, text) = await OpenAsync(kind);
        await using var _ = connection;
        await AtMost(0, 200, () =>
        {
            connection.Close();
            connection.Open();
        });
        connection.Close();
        await AtMost(112, 200, () =>
        {
            using var another = kind.IsPostgreSql() ? (DbConnection)new PgConnection(text) : new MySqlConnection(text);
            another.Open();
        });
        await AtMostAsync(0 + DebugSlack, 200, () => connection.OpenAsync(), connection.CloseAsync);
    }

    // With a full handshake of TLS. The receive buffer is 8 KiB of it; a buffer for large results would be 64 KiB.
    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Opening_without_a_pool(ServerKind kind)
    {
        var (first, text) = await OpenAsync(kind, "Pooling=false;");
        await first.DisposeAsync();
        await AtMost(40_000, 3, () =>
        {
            using DbConnection another = kind.IsPostgreSql() ? new PgConnection(text) : new MySqlConnection(text);
            another.Open();
        });
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Waiting_for_a_session_of_the_pool(ServerKind kind)
    {
        var (connection, text) = await OpenAsync(kind, "Maximum Pool Size=1;");
        await using var closing = connection;
        await using var other = kind.IsPostgreSql() ? (DbConnection)new PgConnection(text) : new MySqlConnection(text);
        using var cancellation = new CancellationTokenSource();
        const int Times = 200;
        // The waiter and its place in the queue (200), and the task that OpenAsync returns; another task if the process has ever listened to the warnings of a
        // MySqlConnection.
        var most = (kind.IsPostgreSql() ? 360 : 512) + DebugSlack;
        var best = double.MaxValue;
        for (var round = 0; round < 20 && best > most; round++)
        {
            var before = GC.GetTotalAllocatedBytes(precise: true);
            for (var i = 0; i < Times; i++)
            {
                var (has, wants) = i % 2 == 0 ? (connection, other) : (other, connection);
                var opening = wants.OpenAsync(cancellation.Token);
                Assert.False(opening.IsCompleted);
                has.Close();
                await opening;
            }

            best = Math.Min(best, (GC.GetTotalAllocatedBytes(precise: true) - before) / (double)Times);
        }

        Assert.True(best <= most, $"{best:0.#} bytes for each wait");
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_synchronous_scalar(ServerKind kind)
    {
        var (connection, _) = await OpenAsync(kind);
        await using var closing = connection;
        await using var command = Command(connection, "SELECT 9");
        await AtMost(24, 200, () => command.ExecuteScalar());
        await AtMost(136, 200, () =>
        {
            using var another = Command(connection, "SELECT 9");
            another.ExecuteScalar();
        });
        await AtMost(0, 200, () => ((ProviderCommand)command).ExecuteScalar<long>());
        await AtMost(0, 200, () => command.ExecuteNonQuery());
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_prepared_synchronous_scalar(ServerKind kind)
    {
        var (connection, _) = await OpenAsync(kind);
        await using var closing = connection;
        await using var command = Command(connection, "SELECT 9");
        command.Prepare();
        await AtMost(24, 200, () => command.ExecuteScalar());
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    public async Task A_batch_of_a_hundred_reads(ServerKind kind)
    {
        var (connection, _) = await OpenAsync(kind);
        await using var closing = connection;
        await using var batch = connection.CreateBatch();
        for (var i = 0; i < 100; i++)
        {
            var command = batch.CreateBatchCommand();
            command.CommandText = "SELECT @value AS v";
            var parameter = command.CreateParameter();
            (parameter.ParameterName, parameter.Value) = ("@value", i);
            command.Parameters.Add(parameter);
            batch.BatchCommands.Add(command);
        }

        // A reader and a few objects for all; nothing per command.
        await AtMost(640, 20, () =>
        {
            using var reader = batch.ExecuteReader();
            var sum = 0;
            do
            {
                while (reader.Read())
                    sum += reader.GetInt32(0);
            }
            while (reader.NextResult());
            Assert.True(sum == 4950);
        });
        await AtMost(640, 20, () => batch.ExecuteNonQuery());
        await using var status = Command(connection, "SHOW SESSION STATUS LIKE 'Com_stmt_prepare'");
        using var prepared = status.ExecuteReader();
        Assert.True(prepared.Read());
        Assert.InRange(Convert.ToInt32(prepared.GetValue(1)), 0, 1);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task An_asynchronous_scalar(ServerKind kind)
    {
        var (connection, _) = await OpenAsync(kind);
        await using var closing = connection;
        await using var command = Command(connection, "SELECT 9");
        await AtMostAsync(160 + DebugSlack, 2000, () => command.ExecuteScalarAsync());
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public Task A_typed_asynchronous_scalar(ServerKind kind) => TypedAsynchronousScalar(kind, "");

    [Theory]
    [MemberData(nameof(Servers))]
    public Task A_typed_asynchronous_scalar_by_the_runtimes_sockets(ServerKind kind) => TypedAsynchronousScalar(kind, OwnEngine.Not);

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_synchronous_scalar_after_asynchronous_ones_by_the_own_engine(ServerKind kind)
    {
        var (connection, _) = await OpenAsync(kind, OwnEngine.Option);
        await using var closing = connection;
        await using var command = (ProviderCommand)Command(connection, "SELECT 9");
        for (var i = 0; i < 10; i++)
            await command.ExecuteScalarAsync<long>();
        await AtMost(0, 200, () => command.ExecuteScalar<long>());
    }

    private static async Task TypedAsynchronousScalar(ServerKind kind, string options)
    {
        var (connection, _) = await OpenAsync(kind, options);
        await using var closing = connection;
        await using var command = Command(connection, "SELECT 9");
        var provider = (ProviderCommand)command;
        var best = double.MaxValue;
        for (var round = 0; round < 400 && best >= 1 + DebugSlack; round++)
        {
            var before = GC.GetTotalAllocatedBytes(precise: true);
            for (var i = 0; i < Piece; i++)
                await provider.ExecuteScalarAsync<long>();
            best = Math.Min(best, (GC.GetTotalAllocatedBytes(precise: true) - before) / (double)Piece);
        }

        Assert.True(best < 1 + DebugSlack, $"{best:0.#} bytes per operation, more than 0");
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_thousand_rows(ServerKind kind)
    {
        var (connection, _) = await OpenAsync(kind);
        await using var closing = connection;
        await using var command = Command(connection, ManyRows);
        foreach (var prepared in new[] { false, true })
        {
            if (prepared)
                command.Prepare();
            await AtMost(200, 50, () =>
            {
                using var reader = command.ExecuteReader();
                var (sum, rows) = (0, 0);
                for (; reader.Read(); rows++)
                    sum += reader.GetInt32(1);
                Assert.True((sum, rows) == (4500, 1000));
            });
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Typed_getters(ServerKind kind)
    {
        var (connection, _) = await OpenAsync(kind);
        await using var closing = connection;
        await using var command = Command(
            connection,
            "SELECT 1, CAST(2.5 AS DECIMAL(10,2)), CAST('2024-05-06' AS DATE), 'text', 1.5e0, CAST('01:02:03' AS TIME)".Replace(
                "1.5e0", kind.IsPostgreSql() ? "1.5::float8" : "1.5e0"));
        foreach (var prepared in new[] { false, true })
        {
            if (prepared)
                command.Prepare();
            using var reader = command.ExecuteReader();
            Assert.True(reader.Read());
            await AtMost(0, 100, () =>
            {
                reader.GetInt32(0);
                reader.GetInt64(0);
                reader.GetFieldValue<int>(0);
                reader.GetDecimal(1);
                reader.GetDateTime(2);
                reader.GetFieldValue<DateOnly>(2);
                reader.GetDouble(4);
                reader.GetFieldValue<TimeSpan>(5);
                reader.GetFieldValue<int?>(0);
                reader.IsDBNull(3);
            });
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Typed_parameters_are_never_boxed(ServerKind kind)
    {
        var (connection, _) = await OpenAsync(kind);
        await using var closing = connection;
        foreach (var prepared in new[] { false, true })
        {
            await using var command = (ProviderCommand)Command(connection, "SELECT 7 FROM (SELECT 1) AS one WHERE @a > 1 AND @d > '2001-01-01'");
            PgParameter<long>? own = null;
            MySqlParameter<long>? other = null;
            if (kind.IsPostgreSql())
                command.Parameters.AddRange(new DbParameter[] { own = new("a", 5L), new PgParameter<DateTime>("d", new DateTime(2024, 1, 1)) });
            else
                command.Parameters.AddRange(new DbParameter[] { other = new("a", 5L), new MySqlParameter<DateTime>("d", new DateTime(2024, 1, 1)) });
            if (prepared)
                command.Prepare();
            await AtMost(0, 200, () =>
            {
                if (own is not null)
                    own.TypedValue++;
                else
                    other!.TypedValue++;
                command.ExecuteScalar<long>();
            });
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Nullable_parameters_are_never_boxed(ServerKind kind)
    {
        var (connection, _) = await OpenAsync(kind);
        await using var closing = connection;
        foreach (var prepared in new[] { false, true })
        {
            await using var command = (ProviderCommand)Command(connection, "SELECT 7 FROM (SELECT 1) AS one WHERE @a > 1 AND @d > 1.5 AND @n IS NULL");
            PgParameter<int?>? own = null;
            MySqlParameter<int?>? other = null;
            if (kind.IsPostgreSql())
                command.Parameters.AddRange(new DbParameter[] { own = new("a", 5), new PgParameter<double?>("d", 2.5), new PgParameter<long?>("n", null) });
            else
                command.Parameters.AddRange(
                    new DbParameter[] { other = new("a", 5), new MySqlParameter<double?>("d", 2.5), new MySqlParameter<long?>("n", null) });
            if (prepared)
                command.Prepare();
            Assert.Equal(7, command.ExecuteScalar<int>());
            await AtMost(0, 200, () =>
            {
                if (own is not null)
                    own.TypedValue++;
                else
                    other!.TypedValue++;
                command.ExecuteScalar<long>();
            });
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_large_parameter_of_a_prepared_command_is_not_copied(ServerKind kind)
    {
        var (connection, _) = await OpenAsync(kind);
        await using var closing = connection;
        await using var command = Command(connection, "SELECT LENGTH(@value)");
        var parameter = command.CreateParameter();
        (parameter.ParameterName, parameter.Value) = ("@value", new byte[20_000_000]);
        command.Parameters.Add(parameter);
        command.Prepare();
        await AtMost(4096, 1, () =>
        {
            if (((ProviderCommand)command).ExecuteScalar<long>() != 20_000_000)
                Assert.Fail("The length is wrong.");
        });
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_value_of_twenty_megabytes(ServerKind kind)
    {
        const int Size = 20_000_000;
        var (connection, _) = await OpenAsync(kind);
        await using var closing = connection;
        await using (
            var create = Command(
                connection, kind.IsPostgreSql() ? "CREATE TEMPORARY TABLE twenty (value bytea)" : "CREATE TEMPORARY TABLE twenty (value longblob)"))
            create.ExecuteNonQuery();
        await using (var insert = Command(connection, "INSERT INTO twenty VALUES (@value)"))
        {
            var parameter = insert.CreateParameter();
            (parameter.ParameterName, parameter.Value) = ("@value", new byte[Size]);
            insert.Parameters.Add(parameter);
            insert.ExecuteNonQuery();
        }

        await using var command = Command(connection, "SELECT value FROM twenty");
        if (kind.IsPostgreSql())
            command.Prepare();
        await AtMost(Size / 100 * 101, 1, () =>
        {
            using var reader = command.ExecuteReader();
            Assert.True(reader.Read());
            Assert.Equal(Size, ((byte[])reader.GetValue(0)).Length);
        });
    }

    // Each test has its own pool, because a session that has waited asynchronously once allocates in every later blocking wait.
    private static async Task<(DbConnection Connection, string Text)> OpenAsync(
        ServerKind kind, string options = "", [System.Runtime.CompilerServices.CallerMemberName] string test = "")
    {
        var server = await LiveServers.GetAsync(kind);
        var text = ConnectionStrings.Of(server, $"Application Name={test};{options}");
        DbConnection connection = kind.IsPostgreSql() ? new PgConnection(text) : new MySqlConnection(text);
        connection.Open();
        return (connection, text);
    }

    private static DbCommand Command(DbConnection connection, string sql)
    {
        var command = connection.CreateCommand();
        command.CommandText = sql;
        return command;
    }

    // One array of the value's length, and nothing else in proportion to it: the buffer for its first bytes is pooled.
    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_value_of_20_MiB_takes_its_own_size_once(ServerKind kind)
    {
        const int Size = 20 << 20;
        var (connection, _) = await OpenAsync(kind);
        await using var closing = connection;
        await using var command = connection.CreateCommand();
        command.CommandText = kind.IsPostgreSql() ? $"SELECT convert_to(repeat('x', {Size}), 'UTF8')" : $"SELECT CAST(REPEAT('x', {Size}) AS BINARY)";
        await AtMost(Size + Size / 100, 2, () =>
        {
            using var reader = command.ExecuteReader();
            reader.Read();
            Assert.Equal(Size, reader.GetFieldValue<byte[]>(0).Length);
        });
    }

    [Fact]
    public async Task A_row_of_a_binary_import()
    {
        var (connection, _) = await OpenAsync(ServerKind.PostgreSql);
        await using var closing = connection;
        await using var command = Command(connection, "CREATE TEMP TABLE imported (i int, l bigint, s text, d timestamp, n numeric, g uuid, x int)");
        command.ExecuteNonQuery();
        await using var importer = ((PgConnection)connection).BeginBinaryImport("COPY imported FROM STDIN (FORMAT binary)");
        var number = 0;
        // With the sends of full messages.
        await AtMost(0, 5000, () =>
        {
            importer.StartRow();
            importer.Write(number++);
            importer.Write((long)number, PgDbType.Bigint);
            importer.Write("a short text");
            importer.Write(new DateTime(2024, 2, 29));
            importer.Write((decimal?)number);
            importer.Write(Guid.Empty);
            importer.WriteNull();
        });
        await AtMostAsync(
            0, 300, () => importer.StartRowAsync(), () => importer.WriteAsync(1), () => importer.WriteAsync(2L), () => importer.WriteAsync("text"),
            () => importer.WriteAsync(new DateTime(2024, 2, 29)), () => importer.WriteAsync(1.5m), () => importer.WriteAsync(Guid.Empty, PgDbType.Uuid),
            () => importer.WriteNullAsync());
        Assert.True(importer.Complete() > 5000);
        await using var exporter = ((PgConnection)connection).BeginBinaryExport("COPY imported (i, l) TO STDOUT (FORMAT binary)");
        await AtMost(0, 500, () =>
        {
            exporter.StartRow();
            exporter.Read<int>();
            exporter.Read<long>();
        });
    }

    internal static Task AtMost(long bytes, int times, Action operation)
    {
        var best = long.MaxValue;
        for (var round = 0; round < 40 && best > bytes; round++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < times; i++)
                operation();
            best = Math.Min(best, (GC.GetAllocatedBytesForCurrentThread() - before) / times);
            // Methods are compiled again in the background between the rounds.
            if (best > bytes)
                Thread.Sleep(20);
        }

        Assert.True(best <= bytes, $"{best} bytes per operation, more than {bytes}");
        return Task.CompletedTask;
    }

    // What other threads allocate in a second is much for an operation that takes milliseconds on a busy machine. A short piece fits between two such moments.
    private const int Piece = 100;

    // Continuations run on any thread, so the test measures the whole process. The runtime's own occasional allocations are less than one byte per operation.
    internal static async Task AtMostAsync(long bytes, int times, params Func<Task>[] operations)
    {
        var best = double.MaxValue;
        var piece = Math.Min(times, Piece);
        for (var round = 0; round < 20 * times / piece && best > bytes + 0.99; round++)
        {
            // The delegates return the provider's own tasks: a test method in between would allocate its own task.
            var before = GC.GetTotalAllocatedBytes(precise: true);
            for (var i = 0; i < piece; i++)
                foreach (var operation in operations)
                    await operation();
            best = Math.Min(best, (GC.GetTotalAllocatedBytes(precise: true) - before) / (double)piece);
        }

        Assert.True(best <= bytes + 0.99, $"{best:0.#} bytes per operation, more than {bytes}");
    }
}
