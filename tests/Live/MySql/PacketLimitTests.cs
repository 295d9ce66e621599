using System.Data;
using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>Servers whose max_allowed_packet is smaller than the data that is sent.</summary>
public class PacketLimitTests
{
    // 100,000 rows of about 27 bytes.
    private const string LargeResult = "SELECT a.v + 10 * b.v + 100 * c.v + 1000 * d.v + 10000 * e.v AS n, 'twenty letters in it' FROM " + Ten + " a, " + Ten
        + " b, " + Ten + " c, " + Ten + " d, " + Ten + " e";
    private const string Ten = "(SELECT 0 AS v UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL "
        + "SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)";

    private const int Size = 17 << 20;

    public static TheoryData<ServerKind> Kinds => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    private static readonly string[] Transports = ["SSL Mode=None", "SSL Mode=Required", "SSL Mode=None;Use Compression=true"];

    /// <summary>
    /// After a statement that uses no table, MariaDB keeps the warnings of the previous statement. So the driver does not send its query for the limit, which
    /// causes a warning, with such a statement.
    /// </summary>
    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Nobody_sees_the_warning_of_the_question_for_the_limit(ServerKind kind)
    {
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Pooling=false;SSL Mode=None"));
        await connection.OpenAsync();
        foreach (var behind in (string[])["SELECT 1", "SELECT EXTRACT(YEAR FROM '2026-11-23')", "SELECT 1 FROM DUAL", "SELECT 1 FROM (SELECT 1 AS a) t"])
        {
            await using (var large = new MySqlCommand(LargeResult, connection))
                Assert.NotNull(await large.ExecuteScalarAsync());
            Run(connection, behind);
            await using var count = new MySqlCommand("SHOW COUNT(*) WARNINGS", connection);
            Assert.Equal(0UL, Convert.ToUInt64(await count.ExecuteScalarAsync(), null));
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Large_results_in_a_row_lose_no_connection_whatever_the_limit_is(ServerKind kind)
    {
        await using var server = await LiveServers.StartPrivateAsync(kind);
        await using var administration = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false"));
        administration.Open();
        foreach (var limit in new[] { 16 * 1024, 64 * 1024, 128 * 1024, 129 * 1024, 1 << 20 })
        {
            Run(administration, $"SET GLOBAL max_allowed_packet = {limit}");
            foreach (var mode in new[] { Mode.Sync, Mode.Async })
            {
                await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false;Auto Prepare=false"));
                await mode.Open(connection);
                for (var i = 0; i < 4; i++)
                {
                    await using var command = new MySqlCommand(LargeResult, connection);
                    await using var reader = await mode.Reader(command);
                    var rows = 0;
                    while (await mode.Read(reader))
                        rows++;
                    Assert.Equal(100_000, rows);
                }

                Assert.Equal(ConnectionState.Open, connection.State);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_command_larger_than_the_limit_is_not_transient_and_names_the_limit(ServerKind kind)
    {
        await using var server = await LiveServers.StartPrivateAsync(kind, "--max-allowed-packet=16M");
        var value = new byte[2 * Size];
        Array.Fill(value, (byte)'x');
        foreach (var transport in Transports)
        {
            foreach (var verb in new[] { "text", "prepared", "batch", "bulk copy" })
            {
                foreach (var mode in new[] { Mode.Sync, Mode.Async })
                {
                    await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false;" + transport));
                    await mode.Open(connection);
                    Run(connection, "CREATE TEMPORARY TABLE limited (v longblob)");
                    var failure = await Assert.ThrowsAsync<MySqlException>(() => Send(connection, verb, mode, value));
                    Assert.False(failure.IsTransient, $"{transport}, {verb}: {failure.Message}");
                    Assert.Contains("max_allowed_packet", failure.Message, StringComparison.Ordinal);
                    // The server's own message, if it arrived; otherwise the client's message with the size.
                    if (failure.ErrorCode != MySqlErrorCode.PacketTooLarge)
                    {
                        Assert.Matches(@"\d{2}.\d{3}.\d{3} bytes", failure.Message);
                        Assert.Equal(ConnectionState.Closed, connection.State);
                    }
                }
            }
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_row_larger_than_the_limit_is_copied_by_load_data(ServerKind kind)
    {
        await using var server = await LiveServers.StartPrivateAsync(kind, "--max-allowed-packet=16M", "--local-infile=1");
        var value = new byte[Size];
        new Random(17).NextBytes(value);
        foreach (var transport in Transports)
        {
            foreach (var mode in new[] { Mode.Sync, Mode.Async })
            {
                await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false;Allow Load Local Infile=true;" + transport));
                await mode.Open(connection);
                Run(connection, "CREATE TABLE limited (id int, v longblob)");
                var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "limited" };
                int[] ids = [1, 2, 3];
                void Write(MySqlBulkRow row, int id)
                {
                    row.Write(id);
                    row.Write(id == 2 ? value : [1]);
                }

                var result = mode.IsAsync ? await bulk.WriteToServerAsync(ids, Write) : bulk.WriteToServer(ids, Write);
                Assert.Equal((MySqlBulkCopyMethod.LoadData, 3), (result.Method, result.RowsInserted));
                await using var check = new MySqlCommand("SELECT SHA2(v, 256) FROM limited WHERE id = 2", connection);
                Assert.Equal(Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(value)), await mode.Scalar(check));
                Run(connection, "DROP TABLE limited");
            }
        }
    }

    private static async Task Send(MySqlConnection connection, string verb, Mode mode, byte[] value)
    {
        const string Insert = "INSERT INTO limited VALUES (@value)";
        if (verb == "bulk copy")
        {
            var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "limited" };
            if (mode.IsAsync)
                await bulk.WriteToServerAsync([value], static (row, item) => row.Write(item));
            else
                bulk.WriteToServer([value], static (row, item) => row.Write(item));
        }
        else if (verb == "batch")
        {
            await using var batch = connection.CreateBatch();
            batch.BatchCommands.Add(new MySqlBatchCommand("INSERT INTO limited VALUES ('small')"));
            var large = new MySqlBatchCommand(Insert);
            large.Parameters.AddWithValue("@value", value);
            batch.BatchCommands.Add(large);
            await mode.NonQuery(batch);
        }
        else
        {
            await using var command = new MySqlCommand(Insert, connection);
            command.Parameters.AddWithValue("@value", value);
            if (verb == "prepared")
                await mode.Prepare(command);
            await mode.NonQuery(command);
        }
    }

    private static void Run(MySqlConnection connection, string sql)
    {
        using var command = new MySqlCommand(sql, connection);
        command.ExecuteNonQuery();
    }
}
