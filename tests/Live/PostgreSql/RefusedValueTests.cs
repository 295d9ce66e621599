using System.Data.Common;
using System.Net;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Every kind of value that the driver refuses while it writes it, at every execution of a text that is prepared automatically.</summary>
public class RefusedValueTests
{
    protected virtual ServerKind Kind => ServerKind.PostgreSql;

    // A value that is refused, and one of the same type that is accepted.
    public static TheoryData<string, PgDbType, object, object> Refusals => new()
    {
        { "text", PgDbType.Text, "a\0b", "ab" },
        { "timestamptz", PgDbType.TimestampTz, new DateTime(2020, 1, 1), new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc) },
        { "int2", PgDbType.Smallint, 70_000, 7 },
        { "int4", PgDbType.Integer, 5_000_000_000, 7 },
        { "int4", PgDbType.Integer, new[] { 1 }, 7 },
        { "uuid", PgDbType.Uuid, new object(), Guid.Empty },
        { "numeric", PgDbType.Numeric, new object(), 1.5m },
        { "inet", PgDbType.Unknown, new Uri("http://refused.example"), "10.0.0.1" },
        { "text", PgDbType.Text, "half " + (char)0xD801, "whole" },
        { "jsonb", PgDbType.Jsonb, new[] { "a" }, "[]" },
        { "bytea", PgDbType.Bytea, IPAddress.Loopback, new byte[] { 1 } },
    };

    [Theory]
    [MemberData(nameof(Refusals))]
    public async Task A_refusal_at_any_execution_breaks_nothing_after_it(string cast, PgDbType type, object refused, object taken)
    {
        var server = await LiveServers.GetAsync(Kind);
        foreach (var way in new[] { "unasked", "prepared", "transaction", "batch", "prepared batch", "leases" })
        {
            for (var refusedAt = 0; refusedAt < 5; refusedAt++)
            {
                await using var source = PgDataSource.Create(ConnectionStrings.PostgreSql(server, "Maximum Pool Size=1"));
                await using var connection = source.OpenConnection();
                await using var transaction = way == "transaction" ? connection.BeginTransaction() : null;
                for (var i = 0; i < 8; i++)
                {
                    if (i == refusedAt)
                        Assert.IsNotType<DbException>(Assert.ThrowsAny<Exception>(() => Execute(connection, way, cast, type, refused)), exactMatch: false);
                    else
                        Assert.Equal(i, Execute(connection, way, cast, type, taken, i));
                    if (way == "leases")
                    {
                        connection.Close();
                        connection.Open();
                    }
                }
            }
        }
    }

    // The first part of the value has been sent by then: the server must not wait for the rest.
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task A_refusal_in_a_later_part_of_a_long_batch_undoes_the_batch_and_spares_the_next_user(bool continues, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(Kind);
        await using var source = PgDataSource.Create(ConnectionStrings.PostgreSql(server, "Maximum Pool Size=1"));
        var table = $"refused_{Environment.ProcessId}_{(continues ? 1 : 0)}{(asynchronous ? 1 : 0)}";
        await using (var connection = source.OpenConnection())
            await new PgCommand($"CREATE TABLE {table} (v text)", connection).ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
        try
        {
            await using (var connection = source.OpenConnection())
            {
                await using var batch = new PgBatch(connection) { EnableErrorBarriers = continues };
                for (var i = 0; i < 20; i++)
                {
                    var command = new PgBatchCommand($"INSERT INTO {table} VALUES (@p)");
                    Add(command.Parameters, PgDbType.Text, i == 15 ? new object() : new string('x', 100_000), i);
                    batch.BatchCommands.Add(command);
                }

                var refusal = await Assert.ThrowsAnyAsync<Exception>(
                    async () => _ = asynchronous ? await batch.ExecuteNonQueryAsync(TestContext.Current.CancellationToken) : batch.ExecuteNonQuery());
                Assert.Contains("cannot be sent", refusal.ToString(), StringComparison.Ordinal);
            }

            await using (var connection = source.OpenConnection())
            {
                await using var count = new PgCommand($"SELECT count(*) FROM {table}", connection);
                var rows = (long)count.ExecuteScalar()!;
                if (continues)
                    Assert.InRange(rows, 0, 15);
                else
                    Assert.Equal(0, rows);
            }
        }
        finally
        {
            await using var connection = source.OpenConnection();
            await new PgCommand($"DROP TABLE {table}", connection).ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
        }
    }

    private static object? Execute(PgConnection connection, string way, string cast, PgDbType type, object value, int number = 0)
    {
        var (first, second) = ($"SELECT @i FROM (SELECT @p::{cast}) t", "SELECT 1");
        if (way.EndsWith("batch", StringComparison.Ordinal))
        {
            using var batch = new PgBatch(connection);
            foreach (var text in new[] { first, second, first })
            {
                var command = new PgBatchCommand(text);
                if (text == first)
                    Add(command.Parameters, type, value, number);
                batch.BatchCommands.Add(command);
            }

            if (way == "prepared batch")
                batch.Prepare();
            return batch.ExecuteScalar();
        }

        using var single = new PgCommand(first, connection);
        Add(single.Parameters, type, value, number);
        if (way == "prepared")
            single.Prepare();
        return single.ExecuteScalar();
    }

    private static void Add(PgParameterCollection parameters, PgDbType type, object value, int number)
    {
        parameters.Add(new PgParameter("i", number));
        parameters.Add(new PgParameter("p", type) { Value = value });
    }
}
