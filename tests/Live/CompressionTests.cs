using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>The contract with the compressed protocol.</summary>
public class MySqlCompressedContract() : ProviderContract(Mode.Sync)
{
    protected override Task<ContractServer> StartAsync() => LiveContracts.MySqlAsync(ServerKind.MySql, "Use Compression=true;");
}

public class MariaDbCompressedTlsContract() : ProviderContract(Mode.Async)
{
    protected override Task<ContractServer> StartAsync() => LiveContracts.MySqlAsync(ServerKind.MariaDb, "Use Compression=true;SSL Mode=Required;");
}

/// <summary>Errors of compression that the contract does not cover.</summary>
public class CompressionTests
{
    public static TheoryData<ServerKind, bool, string> Ways
    {
        get
        {
            var ways = new TheoryData<ServerKind, bool, string>();
            foreach (var kind in new[] { ServerKind.MySql, ServerKind.MariaDb })
            {
                ways.Add(kind, false, "Pipelining Mode=On");
                ways.Add(kind, true, "SSL Mode=Required");
            }

            return ways;
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task The_server_says_that_it_compresses(ServerKind kind, bool asynchronous, string more)
    {
        await using var connection = await OpenAsync(kind, asynchronous, more);
        await using var command = new MySqlCommand("SHOW SESSION STATUS LIKE 'Compression'", connection);
        await using var reader = await command.ExecuteReaderAsync();
        Assert.True(await reader.ReadAsync());
        Assert.Equal("ON", reader.GetString(1));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Commands_and_rows_of_several_packets_travel(ServerKind kind, bool asynchronous, string more)
    {
        await using var connection = await OpenAsync(kind, asynchronous, more);
        // Half of the value does not compress: the server reads all of its frames, and numbers its answer after them.
        var value = new byte[(1 << 24) + 5];
        new Random(5).NextBytes(value.AsSpan(0, 1 << 23));
        await using var command = new MySqlCommand("SELECT @value, 7", connection);
        command.Parameters.AddWithValue("@value", value);
        foreach (var prepared in new[] { false, true })
        {
            if (prepared)
                await command.PrepareAsync();
            await using var reader = asynchronous ? await command.ExecuteReaderAsync() : command.ExecuteReader();
            Assert.True(asynchronous ? await reader.ReadAsync() : reader.Read());
            Assert.True(value.AsSpan().SequenceEqual(reader.GetFieldValue<byte[]>(0)));
            Assert.Equal(7L, reader.GetInt64(1));
        }

        Assert.Equal(8L, Convert.ToInt64(new MySqlCommand("SELECT 8", connection).ExecuteScalar()));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Many_rows_and_results_travel(ServerKind kind, bool asynchronous, string more)
    {
        await using var connection = await OpenAsync(kind, asynchronous, more);
        const string Thousand = "(SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL "
            + "SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)";
        var sql = $"SELECT a.n, REPEAT('abc', 500) FROM {Thousand} a, {Thousand} b, {Thousand} c, {Thousand} d;";
        await using var command = new MySqlCommand(sql + "SELECT 1;" + sql, connection);
        await using var reader = asynchronous ? await command.ExecuteReaderAsync() : command.ExecuteReader();
        var rows = new List<int>();
        do
        {
            var count = 0;
            while (asynchronous ? await reader.ReadAsync() : reader.Read())
                count++;
            rows.Add(count);
        }
        while (asynchronous ? await reader.NextResultAsync() : reader.NextResult());
        Assert.Equal([10_000, 1, 10_000], rows);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_bulk_copy_of_more_packets_than_there_are_numbers_travels(ServerKind kind, bool asynchronous, string more)
    {
        await using var connection = await OpenAsync(kind, asynchronous, more + ";Allow Load Local Infile=true");
        new MySqlCommand("CREATE TEMPORARY TABLE compressed (id INT, text LONGTEXT)", connection).ExecuteNonQuery();
        var table = new System.Data.DataTable();
        table.Columns.Add("id", typeof(int));
        table.Columns.Add("text", typeof(string));
        for (var i = 0; i < 300; i++)
            table.Rows.Add(i, new string((char)('a' + i % 26), 70_000));
        var copy = new MySqlBulkCopy(connection) { DestinationTableName = "compressed" };
        _ = asynchronous ? await copy.WriteToServerAsync(table) : copy.WriteToServer(table);
        Assert.Equal(300L * 70_000, Convert.ToInt64(new MySqlCommand("SELECT SUM(LENGTH(text)) FROM compressed", connection).ExecuteScalar()));
    }

    internal static async Task<MySqlConnection> OpenAsync(ServerKind kind, bool asynchronous, string more)
    {
        var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), $"Use Compression=true;Pooling=false;{more}"));
        if (asynchronous)
            await connection.OpenAsync();
        else
            connection.Open();
        return connection;
    }
}

/// <summary>What compression costs commands that it does not compress.</summary>
[Collection(nameof(AllocationTests))]
public class CompressionAllocationTests
{
    // A packet that is too small for compression costs nothing; an answer that the server has compressed costs one of the runtime's streams (248 bytes today).
    [Theory]
    [InlineData(ServerKind.MySql, "DO 1", 0)]
    [InlineData(ServerKind.MariaDb, "DO 1", 0)]
    [InlineData(ServerKind.MySql, "SELECT 1", 300)]
    [InlineData(ServerKind.MariaDb, "SELECT 1", 300)]
    public async Task Small_commands_allocate_next_to_nothing_for_it(ServerKind kind, string sql, int bound)
    {
        var with = await AllocatedAsync(kind, sql, "Pipelining Mode=On");
        var without = await AllocatedAsync(kind, sql, "Pipelining Mode=On;Use Compression=false");
        Assert.True(with - without <= bound + 8, $"{with} bytes with it, {without} without");
    }

    private static async Task<long> AllocatedAsync(ServerKind kind, string sql, string more)
    {
        const int Times = 100;
        await using var connection = await CompressionTests.OpenAsync(kind, false, more);
        await using var command = new MySqlCommand(sql, connection);
        for (var i = 0; i < Times; i++)
            command.ExecuteNonQuery();
        // The least of several rounds, because the runtime sometimes allocates on any thread.
        var least = long.MaxValue;
        for (var round = 0; round < 10; round++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < Times; i++)
                command.ExecuteNonQuery();
            least = Math.Min(least, (GC.GetAllocatedBytesForCurrentThread() - before) / Times);
        }

        return least;
    }
}
