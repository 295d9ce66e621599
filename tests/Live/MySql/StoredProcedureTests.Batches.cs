using System.Data;
using Slipstream.Lab;
using Slipstream.MySql;

namespace Slipstream.Live.MySql;

/// <content>Procedures among the commands of a batch.</content>
public partial class StoredProcedureTests
{
    public static TheoryData<ServerKind, bool, string> BatchForms
    {
        get
        {
            var data = new TheoryData<ServerKind, bool, string>();
            foreach (var kind in new[] { ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11 })
            {
                foreach (var form in new[] { "", "IgnorePrepare=true;", "Pipelining=false;", "Batch Errors=Continue;" })
                {
                    data.Add(kind, false, form);
                    data.Add(kind, true, form);
                }
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(BatchForms))]
    public async Task Each_command_of_a_batch_has_its_own_values_back(ServerKind kind, bool asynchronous, string more)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous, more);
        await one.Create("PROCEDURE", "(IN a int, OUT b varchar(20), INOUT c decimal(10,2)) BEGIN SET b = CONCAT('v', a), c = c + a; SELECT a AS x; END");
        await using var batch = new MySqlBatch(one.Connection);
        for (var i = 1; i <= 3; i++)
        {
            batch.BatchCommands.Add(new MySqlBatchCommand($"SELECT {i * 10}"));
            var call = new MySqlBatchCommand(one.Name) { CommandType = CommandType.StoredProcedure };
            call.Parameters.Add(new MySqlParameter("@c", 0.5m) { Direction = ParameterDirection.InputOutput });
            call.Parameters.AddWithValue("@a", i);
            call.Parameters.Add(new MySqlParameter { ParameterName = "b", Direction = ParameterDirection.Output });
            batch.BatchCommands.Add(call);
        }

        batch.BatchCommands.Add(new MySqlBatchCommand("SELECT 99"));
        for (var round = 1; round <= 3; round++)
        {
            var seen = new List<long>();
            await using (var reader = asynchronous ? await batch.ExecuteReaderAsync() : batch.ExecuteReader())
            {
                do
                {
                    while (await one.Mode.Read(reader))
                        seen.Add(reader.GetInt64(0));
                }
                while (await one.Mode.NextResult(reader));
            }

            Assert.Equal([10L, 1, 20, 2, 30, 3, 99], seen);
            for (var i = 1; i <= 3; i++)
            {
                var parameters = batch.BatchCommands[(i * 2) - 1].Parameters;
                Assert.Equal($"v{i}", parameters["b"].Value);
                Assert.Equal(0.5m + (i * round), parameters["c"].Value);
            }
        }

        Assert.Equal(10L, Convert.ToInt64(asynchronous ? await batch.ExecuteScalarAsync() : batch.ExecuteScalar()));
        _ = asynchronous ? await batch.ExecuteNonQueryAsync() : batch.ExecuteNonQuery();
        Assert.Equal(0.5m + (3 * 5), batch.BatchCommands[5].Parameters["c"].Value);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Calls_without_values_to_come_back_share_a_round_trip(ServerKind kind, bool asynchronous)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous, proxied: true);
        await one.Execute("CREATE TEMPORARY TABLE called (a int, b int)");
        await one.Create("PROCEDURE", "(a int, b int) INSERT INTO called VALUES (a, b), (a, -b)");
        await using var batch = new MySqlBatch(one.Connection);
        for (var i = 0; i < 20; i++)
        {
            var call = new MySqlBatchCommand(one.Name) { CommandType = CommandType.StoredProcedure };
            call.Parameters.AddWithValue("b", i);
            call.Parameters.AddWithValue("a", 100 + i);
            batch.BatchCommands.Add(call);
        }

        // The first call's parameters are not in the declared order: the call is refused, queried and repeated; then come all others.
        foreach (var expected in new[] { 4, 1, 1 })
        {
            one.Proxy!.Counters.Reset();
            _ = asynchronous ? await batch.ExecuteNonQueryAsync() : batch.ExecuteNonQuery();
            Assert.Equal(expected, one.Proxy.Counters.RoundTrips);
        }

        Assert.All(batch.BatchCommands, static command => Assert.Equal(2, command.RecordsAffected));
        await using var sum = new MySqlCommand("SELECT CONCAT(COUNT(*), '/', SUM(a), '/', SUM(ABS(b))) FROM called", one.Connection);
        Assert.Equal($"120/{6 * (2000 + 190)}/{6 * 190}", await one.Mode.Scalar(sum));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_procedure_replaced_meanwhile_is_called_as_it_is_now_once(ServerKind kind, bool asynchronous)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous);
        await one.Execute("CREATE TEMPORARY TABLE called (a int, b int)");
        await one.Create("PROCEDURE", "(a int, b int) INSERT INTO called VALUES (a, b)");
        await using var batch = new MySqlBatch(one.Connection);
        for (var i = 0; i < 5; i++)
        {
            batch.BatchCommands.Add(new MySqlBatchCommand("INSERT INTO called VALUES (0, 0)"));
            var call = new MySqlBatchCommand(one.Name) { CommandType = CommandType.StoredProcedure };
            call.Parameters.AddWithValue("b", 2);
            call.Parameters.AddWithValue("a", 1);
            call.Parameters.AddWithValue("c", 3);
            batch.BatchCommands.Add(call);
        }

        await Run("5/10");
        await one.Create("PROCEDURE", "(c int, b int, a int) INSERT INTO called VALUES (a + c, b)", replace: true, byOther: true);
        await Run("20/10");
        await one.Create("PROCEDURE", "(INOUT c int) BEGIN INSERT INTO called VALUES (c, 0); SET c = 7; END", replace: true, byOther: true);
        await Run("15/0");
        Assert.All(batch.BatchCommands.Where(static (_, index) => index % 2 == 1), static command => Assert.Equal(7, command.Parameters["c"].Value));

        async Task Run(string expected)
        {
            await one.Execute("DELETE FROM called");
            _ = asynchronous ? await batch.ExecuteNonQueryAsync() : batch.ExecuteNonQuery();
            await using var sum = new MySqlCommand("SELECT CONCAT(SUM(a), '/', SUM(b)) FROM called", one.Connection);
            Assert.Equal(expected, await one.Mode.Scalar(sum));
            await using var count = new MySqlCommand("SELECT COUNT(*) FROM called", one.Connection);
            Assert.Equal(10L, Convert.ToInt64(await one.Mode.Scalar(count)));
        }
    }

    [Theory]
    [MemberData(nameof(BatchForms))]
    public async Task A_batch_ends_at_a_call_that_fails(ServerKind kind, bool asynchronous, string more)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous, more);
        await one.Execute("CREATE TEMPORARY TABLE called (a int)");
        await one.Create(
            "PROCEDURE", "(a int) BEGIN IF a = 2 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'not two'; END IF; INSERT INTO called VALUES (a); END");
        await using var batch = new MySqlBatch(one.Connection);
        for (var i = 1; i <= 4; i++)
        {
            var call = new MySqlBatchCommand(one.Name) { CommandType = CommandType.StoredProcedure };
            call.Parameters.AddWithValue("a", i);
            batch.BatchCommands.Add(call);
        }

        var exception = await Assert.ThrowsAsync<MySqlException>(async () => _ = asynchronous ? await batch.ExecuteNonQueryAsync() : batch.ExecuteNonQuery());
        Assert.Equal("not two", exception.Message);
        Assert.Same(batch.BatchCommands[1], exception.BatchCommand);
        await Has(more.Contains("Continue", StringComparison.Ordinal) ? "1,3,4" : "1");

        // A function returns a value; a parameter that is declared but missing ends the batch.
        await one.Execute("DELETE FROM called");
        batch.BatchCommands.Clear();
        batch.BatchCommands.Add(new MySqlBatchCommand("INSERT INTO called VALUES (5)"));
        var missing = new MySqlBatchCommand(one.Name) { CommandType = CommandType.StoredProcedure };
        missing.Parameters.Add(new MySqlParameter { ParameterName = "b", Direction = ParameterDirection.Output });
        batch.BatchCommands.Add(missing);
        batch.BatchCommands.Add(new MySqlBatchCommand("INSERT INTO called VALUES (6)"));
        await Assert.ThrowsAsync<ArgumentException>(async () => _ = asynchronous ? await batch.ExecuteNonQueryAsync() : batch.ExecuteNonQuery());
        await Has("5");

        async Task Has(string expected)
        {
            await using var all = new MySqlCommand("SELECT GROUP_CONCAT(a ORDER BY a) FROM called", one.Connection);
            Assert.Equal(expected, await one.Mode.Scalar(all));
        }
    }

    [Theory]
    [MemberData(nameof(BatchForms))]
    public async Task A_functions_value_comes_back_in_a_batch(ServerKind kind, bool asynchronous, string more)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous, more);
        await one.Create("FUNCTION", "(a int, b int) RETURNS int DETERMINISTIC RETURN a - b");
        await using var batch = new MySqlBatch(one.Connection);
        for (var i = 1; i <= 3; i++)
        {
            var call = new MySqlBatchCommand(one.Name) { CommandType = CommandType.StoredProcedure };
            call.Parameters.AddWithValue("b", i);
            call.Parameters.AddWithValue("a", 10);
            call.Parameters.Add(new MySqlParameter { ParameterName = "r", Direction = ParameterDirection.ReturnValue });
            batch.BatchCommands.Add(call);
        }

        _ = asynchronous ? await batch.ExecuteNonQueryAsync() : batch.ExecuteNonQuery();
        Assert.Equal([9L, 8, 7], batch.BatchCommands.Select(static command => Convert.ToInt64(command.Parameters["r"].Value)));
    }
}
