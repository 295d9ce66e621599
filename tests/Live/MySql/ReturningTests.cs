using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>MariaDB's INSERT, REPLACE and DELETE … RETURNING: rows from statements that change rows, in each form of execution.</summary>
public class ReturningTests
{
    public static TheoryData<ServerKind, bool, string> Ways
    {
        get
        {
            var ways = new TheoryData<ServerKind, bool, string>();
            foreach (var kind in (ServerKind[])[ServerKind.MariaDb, ServerKind.MariaDb11])
                foreach (var asynchronous in (bool[])[false, true])
                    foreach (var form in (string[])["text", "prepared", "by itself"])
                        ways.Add(kind, asynchronous, form);
            return ways;
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Changed_rows_come_back_with_their_values(ServerKind kind, bool asynchronous, string form)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var connection = await OpenAsync(kind, mode, form);
        await using var insert =
            new MySqlCommand("INSERT INTO given (name, part, at) VALUES (@name, @part, @at) RETURNING id, UPPER(name), part, at", connection);
        if (form == "prepared")
            await mode.Prepare(insert);
        for (var round = 1; round <= 5; round++)
        {
            var at = new DateTime(2024, 2, 29, 23, 59, 58).AddMicroseconds(round);
            insert.Parameters.Clear();
            insert.Parameters.AddWithValue("@name", $"name {round}");
            insert.Parameters.AddWithValue("@part", 0.1 * round);
            insert.Parameters.AddWithValue("@at", at);
            await using var reader = await mode.Reader(insert);
            Assert.True(await mode.Read(reader));
            Assert.Equal((round, $"NAME {round}", 0.1 * round, at), (reader.GetInt32(0), reader.GetString(1), reader.GetDouble(2), reader.GetDateTime(3)));
            Assert.False(await mode.Read(reader));
            Assert.False(await mode.NextResult(reader));
        }

        await using var delete = new MySqlCommand("DELETE FROM given WHERE id <= @most RETURNING id", connection);
        if (form == "prepared")
            await mode.Prepare(delete);
        delete.Parameters.AddWithValue("@most", 0);
        foreach (var (most, expected) in ((int, int[])[])[(0, []), (2, [1, 2]), (3, [3]), (9, [4, 5]), (9, [])])
        {
            delete.Parameters[0].Value = most;
            await using var reader = await mode.Reader(delete);
            var deleted = new List<int>();
            while (await mode.Read(reader))
                deleted.Add(reader.GetInt32(0));
            Assert.Equal(expected, deleted.Order());
        }

        await using var count = new MySqlCommand("SELECT COUNT(*) FROM given", connection);
        Assert.Equal(0L, await mode.Scalar(count));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Its_first_value_is_the_scalar(ServerKind kind, bool asynchronous, string form)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var connection = await OpenAsync(kind, mode, form);
        await using var replace = new MySqlCommand("REPLACE INTO given (id, name) VALUES (@id, 'x'), (@id + 1, 'y') RETURNING id * 10", connection);
        replace.Parameters.AddWithValue("@id", 0);
        if (form == "prepared")
            await mode.Prepare(replace);
        for (var id = 1; id <= 5; id++)
        {
            replace.Parameters[0].Value = id;
            Assert.Equal(id * 10L, Convert.ToInt64(await mode.Scalar(replace)));
        }

        await using var count = new MySqlCommand("SELECT COUNT(*) FROM given", connection);
        Assert.Equal(6L, await mode.Scalar(count));
    }

    [Theory]
    [InlineData(ServerKind.MariaDb, false)]
    [InlineData(ServerKind.MariaDb, true)]
    [InlineData(ServerKind.MariaDb11, false)]
    [InlineData(ServerKind.MariaDb11, true)]
    public async Task In_a_batch_each_gives_its_own_rows(ServerKind kind, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var connection = await OpenAsync(kind, mode, "text");
        await using var transaction = await connection.BeginTransactionAsync();
        for (var round = 0; round < 3; round++)
        {
            await using var batch = new MySqlBatch(connection, transaction);
            for (var i = 0; i < 4; i++)
            {
                var command = new MySqlBatchCommand("INSERT INTO given (name) VALUES (@name) RETURNING name");
                command.Parameters.AddWithValue("@name", $"{round}/{i}");
                batch.BatchCommands.Add(command);
            }

            await using var reader = await mode.Reader(batch);
            for (var i = 0; i < 4; i++)
            {
                Assert.True(await mode.Read(reader));
                Assert.Equal($"{round}/{i}", reader.GetString(0));
                Assert.False(await mode.Read(reader));
                Assert.Equal(i < 3, await mode.NextResult(reader));
            }
        }
    }

    private static async Task<MySqlConnection> OpenAsync(ServerKind kind, Mode mode, string form)
    {
        var connection = new MySqlConnection(
            ConnectionStrings.MySql(await LiveServers.GetAsync(kind), form == "by itself" ? "Pooling=false;" : "Pooling=false;Auto Prepare=false;"));
        await mode.Open(connection);
        await using var create =
            new MySqlCommand("CREATE TEMPORARY TABLE given (id int PRIMARY KEY AUTO_INCREMENT, name varchar(20), part double, at datetime(6))", connection);
        await mode.NonQuery(create);
        return connection;
    }
}
