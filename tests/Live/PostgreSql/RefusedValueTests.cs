using System.Data.Common;
using System.Net;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Every kind of value that is refused while it is written, at every execution of a text that prepares itself.</summary>
public class RefusedValueTests
{
    // What is refused, and what of the same type is not.
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
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
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
