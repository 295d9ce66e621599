using System.Data.Common;

namespace Slipstream.Contract;

// A value that cannot be written concerns only its caller: nothing of the command is sent, and later commands are not affected.
public abstract partial class ProviderContract
{
    public static TheoryData<string> RefusingVerbs => ["scalar", "count", "reader", "batch", "prepared", "transaction"];

    private static object[] Refused => [new object(), new Uri("http://refused.example"), new Func<int>(() => 1), new StrangeParameter()];

    [Theory]
    [MemberData(nameof(RefusingVerbs))]
    public async Task A_refused_value_leaves_nothing_behind_for_the_sessions_next_user(string verb)
    {
        await using var source = Server.Factory.CreateDataSource(Server.ConnectionString + ";Maximum Pool Size=1");
        await using var table = await CreateTable("id INT");
        foreach (var refusals in new[] { 1, 2, 3 })
        {
            foreach (var value in Refused)
            {
                // Several leases in a row contain only the error. Each may still need a reset.
                for (var i = 0; i < refusals; i++)
                {
                    await using var refusing = await Mode.Open(source);
                    await Refuse(refusing, verb, value, times: i + 1);
                }

                await using var connection = await Mode.Open(source);
                Assert.Equal(1, await Execute(connection, $"INSERT INTO {table} VALUES (1)"));
                await StillUsable(connection);
            }
        }

        await using var last = await Mode.Open(source);
        Assert.Equal(3 * Refused.Length, await Number(last, $"SELECT COUNT(*) FROM {table}"));
    }

    [Fact]
    public async Task A_refused_value_in_the_execution_that_prepares_leaves_the_statement_usable()
    {
        foreach (var refusedAt in new[] { 1, 2, 3, 4, 5 })
        {
            await using var source = Server.Factory.CreateDataSource(Server.ConnectionString + ";Maximum Pool Size=1");
            await using var connection = await Mode.Open(source);
            for (var i = 1; i < 10; i++)
            {
                await using var command = Command(connection, "SELECT 10, @value", ("@value", i == refusedAt ? new object() : "text"));
                if (i == refusedAt)
                    await Assert.ThrowsAnyAsync<Exception>(() => Mode.Scalar(command));
                else
                    Assert.Equal(10, Convert.ToInt32(await Mode.Scalar(command)));
            }
        }
    }

    // The first command of a lease is checked before the session is prepared for it.
    [Fact]
    public async Task A_refused_name_in_the_first_command_of_a_lease_leaves_the_connection_usable()
    {
        await using var source = Server.Factory.CreateDataSource(Server.ConnectionString + ";Maximum Pool Size=1");
        for (var lease = 0; lease < 3; lease++)
        {
            await using var connection = await Mode.Open(source);
            await using (var command = Command(connection, "a name; that is none"))
            {
                command.CommandType = System.Data.CommandType.TableDirect;
                await Assert.ThrowsAnyAsync<Exception>(() => Mode.Scalar(command));
            }

            await StillUsable(connection);
        }
    }

    private async Task Refuse(DbConnection connection, string verb, object value, int times)
    {
        await using var transaction = verb == "transaction" ? await connection.BeginTransactionAsync() : null;
        for (var i = 0; i < times; i++)
        {
            await using var command = Command(connection, "SELECT @value", ("@value", value));
            command.Transaction = transaction;
            if (verb == "prepared")
                await command.PrepareAsync();
            await using var batch = verb == "batch" ? connection.CreateBatch() : null;
            if (batch is not null)
            {
                foreach (var text in new[] { "SELECT 1", "SELECT @value", "SELECT 2" })
                {
                    var part = batch.CreateBatchCommand();
                    part.CommandText = text;
                    if (text.Contains('@'))
                    {
                        var parameter = part.CreateParameter();
                        (parameter.ParameterName, parameter.Value) = ("@value", value);
                        part.Parameters.Add(parameter);
                    }

                    batch.BatchCommands.Add(part);
                }
            }

            var refusal = await Assert.ThrowsAnyAsync<Exception>(async () =>
            {
                if (batch is not null)
                    await Mode.NonQuery(batch);
                else if (verb == "count")
                    await Mode.NonQuery(command);
                else if (verb == "reader")
                    await (await Mode.Reader(command)).DisposeAsync();
                else
                    await Mode.Scalar(command);
            });
            Assert.IsNotType<DbException>(refusal, exactMatch: false);
        }
    }
}
