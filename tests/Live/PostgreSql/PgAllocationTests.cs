using System.Text;
using System.Text.Json;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Bytes that the types of PostgreSQL, COPY and notifications allocate: the value that the caller gets, and nothing else.</summary>
[Collection(nameof(AllocationTests))]
public class PgAllocationTests
{
    private const int ArrayLength = 1000;

    // The header, the type and the length.
    private const int ArrayOverhead = 24;

    [Fact]
    public async Task An_array_that_is_read()
    {
        await using var connection = await OpenAsync();
        await using var command = new PgCommand($"SELECT array_agg(i), array_agg(i::bigint) FROM generate_series(1, {ArrayLength}) AS i", connection);
        // The first execution finds out that the columns have a binary form.
        command.Prepare();
        command.ExecuteNonQuery();
        using var reader = command.ExecuteReader();
        Assert.True(reader.Read());
        Assert.Equal(Enumerable.Range(1, ArrayLength), reader.GetFieldValue<int[]>(0));
        await AllocationTests.AtMost(ArrayOverhead + ArrayLength * sizeof(int), 100, () => reader.GetFieldValue<int[]>(0));
        await AllocationTests.AtMost(ArrayOverhead + ArrayLength * sizeof(int), 100, () => reader.GetFieldValue<ReadOnlyMemory<int>>(0));
        await AllocationTests.AtMost(ArrayOverhead + ArrayLength * sizeof(long), 100, () => reader.GetFieldValue<long[]>(1));
        // The list itself is another 32 bytes.
        await AllocationTests.AtMost(32 + ArrayOverhead + ArrayLength * sizeof(int), 100, () => reader.GetFieldValue<List<int>>(0));
    }

    [Fact]
    public async Task A_lease_from_a_view_of_several_servers()
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        var text = ConnectionStrings.PostgreSql(server).Replace(
            $"Host={server.Host};Port={server.Port};", $"Host={server.Host}:{server.Port},localhost:{server.Port};");
        await using var source = new PgDataSourceBuilder(text).BuildMultiHost();
        foreach (var view in new[] { source.Primary, source.Any })
        {
            await using var connection = view.CreateConnection();
            await AllocationTests.AtMost(0, 200, () =>
            {
                connection.Open();
                connection.Close();
            });
        }
    }

    [Fact]
    public async Task An_array_as_a_parameter()
    {
        await using var connection = await OpenAsync();
        await using var command = new PgCommand("SELECT cardinality(@values)", connection);
        command.Parameters.Add(new PgParameter<int[]>("values", [.. Enumerable.Range(1, ArrayLength)]));
        Assert.Equal(ArrayLength, command.ExecuteScalar<int>());
        await AllocationTests.AtMost(0, 200, () => command.ExecuteScalar<int>());
        command.Prepare();
        await AllocationTests.AtMost(0, 200, () => command.ExecuteScalar<int>());
    }

    [Fact]
    public async Task A_range_that_is_read()
    {
        await using var connection = await OpenAsync();
        await using var command = new PgCommand("SELECT int4range(1, @upper), numrange(1, 5)", connection);
        command.Parameters.Add(new PgParameter<int>("upper", 5));
        command.Prepare();
        command.ExecuteNonQuery();
        using var reader = command.ExecuteReader();
        Assert.True(reader.Read());
        Assert.Equal(new PgRange<int>(1, true, 5, false), reader.GetFieldValue<PgRange<int>>(0));
        await AllocationTests.AtMost(0, 200, () =>
        {
            reader.GetFieldValue<PgRange<int>>(0);
            reader.GetFieldValue<PgRange<decimal>>(1);
        });
    }

    [Fact]
    public async Task A_json_document()
    {
        await using var connection = await OpenAsync();
        await using var command = new PgCommand("SELECT @document", connection);
        command.Parameters.Add(new PgParameter<string>("document", """{"name": "Slipstream", "sizes": [1, 2, 3]}""") { PgDbType = PgDbType.Jsonb });
        await using var written = new PgCommand("SELECT length(@document::text)", connection);
        written.Parameters.Add(new PgParameter<string>("document", """{"name": "Slipstream", "sizes": [1, 2, 3]}""") { PgDbType = PgDbType.Jsonb });
        await AllocationTests.AtMost(0, 200, () => written.ExecuteScalar<int>());
        command.Prepare();
        using var reader = command.ExecuteReader();
        Assert.True(reader.Read());
        var text = reader.GetString(0);
        await AllocationTests.AtMost((22 + text.Length * 2 + 7) / 8 * 8, 200, () => reader.GetString(0));

        // The document keeps its own copy of the bytes.
        var utf8 = Encoding.UTF8.GetBytes(text);
        await AllocationTests.AtMost(await Least(200, () => JsonDocument.Parse(utf8.ToArray()).Dispose()), 200,
            () => reader.GetFieldValue<JsonDocument>(0).Dispose());
    }

    [Fact]
    public async Task A_row_of_a_binary_export()
    {
        await using var connection = await OpenAsync();
        await using var exporter = connection.BeginBinaryExport(
            "COPY (SELECT i, i::bigint, i::float8, timestamp '2024-02-29', NULLIF(i % 2, 0), i % 2 = 0, i::numeric, NULL::int FROM "
                + "generate_series(1, 200000) AS i) TO STDOUT (FORMAT binary)");
        await AllocationTests.AtMost(0, 500, () =>
        {
            Assert.True(exporter.StartRow() == 8);
            var number = exporter.Read<int>();
            Assert.True(exporter.Read<long>() == number);
            exporter.Read<double>();
            exporter.Read<DateTime>(PgDbType.Timestamp);
            if (exporter.IsNull)
                exporter.Skip();
            else
                exporter.Read<int>();
            exporter.Read<bool>();
            exporter.Read<decimal>();
            Assert.True(exporter.Read<int?>() is null);
        });
        var best = double.MaxValue;
        const int Rows = 500;
        for (var round = 0; round < 40 && best >= 1; round++)
        {
            var before = GC.GetTotalAllocatedBytes(precise: true);
            for (var i = 0; i < Rows; i++)
            {
                await exporter.StartRowAsync();
                var number = await exporter.ReadAsync<int>();
                if (await exporter.ReadAsync<long>() != number)
                    Assert.Fail("The columns differ.");
            }

            best = Math.Min(best, (GC.GetTotalAllocatedBytes(precise: true) - before) / (double)Rows);
        }

        Assert.True(best < 1, $"{best:0.#} bytes per row, more than 0");
    }

    [Fact]
    public async Task A_text_of_a_binary_import()
    {
        await using var connection = await OpenAsync();
        await using (var create = new PgCommand("CREATE TEMP TABLE texts (a text, b varchar, c int[])", connection))
            create.ExecuteNonQuery();
        await using var importer = connection.BeginBinaryImport("COPY texts FROM STDIN (FORMAT binary)");
        int[] numbers = [1, 2, 3];
        await AllocationTests.AtMost(0, 5000, () =>
        {
            importer.StartRow();
            importer.Write("a short text");
            importer.Write("another", PgDbType.Varchar);
            importer.Write(numbers);
        });
        Assert.True(importer.Complete() >= 5000);
    }

    [Fact]
    public async Task A_wait_for_a_notification()
    {
        await using var listener = await OpenAsync();
        await using (var listen = new PgCommand("LISTEN allocations", listener))
            listen.ExecuteNonQuery();
        await using var sender = await OpenAsync();
        await using var notify = new PgCommand("NOTIFY allocations", sender);
        // The exchange of the wait.
        await AllocationTests.AtMost(104, 200, () =>
        {
            notify.ExecuteNonQuery();
            listener.Wait();
        });
    }

    private static async Task<long> Least(int times, Action operation)
    {
        var best = long.MaxValue;
        for (var round = 0; round < 10; round++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < times; i++)
                operation();
            best = Math.Min(best, (GC.GetAllocatedBytesForCurrentThread() - before) / times);
            await Task.Delay(20);
        }

        return best;
    }

    private static async Task<PgConnection> OpenAsync([System.Runtime.CompilerServices.CallerMemberName] string test = "")
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        var connection = new PgConnection(ConnectionStrings.Of(server, $"Application Name={test}"));
        connection.Open();
        return connection;
    }
}
