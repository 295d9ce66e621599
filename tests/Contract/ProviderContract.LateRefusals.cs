using System.Data;
using System.Data.Common;

namespace Slipstream.Contract;

// A batch travels in parts, and a value that cannot be written may follow a part that has already run.
public abstract partial class ProviderContract
{
    private const int InFront = 14;

    public static TheoryData<string, bool, string> LateRefusals
    {
        get
        {
            var data = new TheoryData<string, bool, string>();
            foreach (var parts in new[] { "long", "one by one" })
                foreach (var inTransaction in new[] { false, true })
                    foreach (var verb in new[] { "count", "scalar", "reader", "closed reader" })
                        data.Add(parts, inTransaction, verb);
            return data;
        }
    }

    [Theory]
    [MemberData(nameof(LateRefusals))]
    public async Task A_value_that_cannot_be_written_behind_a_part_that_has_run_ends_the_batch_at_its_place(string parts, bool inTransaction, string verb)
    {
        await using var source = Server.CreateSource(Server.With(parts == "long" ? "Maximum Pool Size=1" : "Maximum Pool Size=1;Batching=false"));
        await using var table = await CreateTable("id INT, v " + Server.ColumnType(typeof(string)));
        var inserted = inTransaction || !Server.UndoesBatches ? InFront : 0;
        await using (var connection = await Mode.Open(source))
        {
            await using var transaction = inTransaction ? await Mode.Begin(connection) : null;
            await using var batch = Batch(
                connection,
                Enumerable.Range(0, InFront)
                    .Select(i => ($"INSERT INTO {table} VALUES (@id, @v)", Values(("@id", i), ("@v", new string('x', parts == "long" ? 50_000 : 10))))));
            Add(batch, $"SELECT COUNT(*) FROM {table}", []);
            Add(batch, $"INSERT INTO {table} VALUES (@id, @v)", Values(("@id", new Uri("http://refused.example")), ("@v", "refused")));
            Add(batch, $"INSERT INTO {table} VALUES (100, 'behind')", []);
            batch.Transaction = transaction;

            // The exception for the same value in a command of its own.
            await using var alone = Command(connection, $"INSERT INTO {table} VALUES (@id, 'alone')", ("@id", new Uri("http://refused.example")));
            alone.Transaction = transaction;
            var expected = await Assert.ThrowsAnyAsync<Exception>(() => Mode.NonQuery(alone));
            for (var round = 0; round < 2; round++)
            {
                var refusal = await RefuseLate(batch, verb, InFront * (inserted > 0 ? round + 1 : 1));
                Assert.Equal((expected.GetType(), expected.Message), (refusal.GetType(), refusal.Message));
                Assert.All(batch.BatchCommands.Take(InFront), static command => Assert.Equal(1, command.RecordsAffected));
                Assert.All(batch.BatchCommands.Skip(InFront), static command => Assert.Equal(-1, command.RecordsAffected));
                if (transaction is null)
                    await StillUsable(connection);
            }

            if (transaction is not null)
                await Mode.Commit(transaction);
            await StillUsable(connection);
        }

        await using var next = await Mode.Open(source);
        Assert.Equal(2 * inserted, await Number(next, $"SELECT COUNT(*) FROM {table}"));
    }

    [Fact]
    public async Task A_late_refusal_leaves_a_transaction_of_the_texts_as_it_is()
    {
        await using var table = await CreateTable("id INT");
        await using var connection = await Open(Server.With("Batching=false"));
        await using (var batch = Batch(connection, "BEGIN", $"INSERT INTO {table} VALUES (1)", $"INSERT INTO {table} VALUES (2)"))
        {
            Add(batch, $"INSERT INTO {table} VALUES (@id)", Values(("@id", new Uri("http://refused.example"))));
            await Assert.ThrowsAnyAsync<Exception>(() => Mode.NonQuery(batch));
        }

        Assert.Equal(2, await Number(connection, $"SELECT COUNT(*) FROM {table}"));
        await using (var other = await Open())
            Assert.Equal(0, await Number(other, $"SELECT COUNT(*) FROM {table}"));
        await Execute(connection, "COMMIT");
        await using (var other = await Open())
            Assert.Equal(2, await Number(other, $"SELECT COUNT(*) FROM {table}"));
    }

    // Queries use other code paths than changes.
    [Theory]
    [InlineData("long", "Auto Prepare=true")]
    [InlineData("long", "Auto Prepare=false")]
    [InlineData("one by one", "Auto Prepare=true")]
    public async Task Reads_in_front_of_a_value_that_cannot_be_written_are_all_answered(string parts, string option)
    {
        await using var source = Server.CreateSource(Server.With(parts == "long" ? option : option + ";Batching=false"));
        await using var connection = await Mode.Open(source);
        for (var round = 0; round < 5; round++)
        {
            await using var batch = Batch(
                connection,
                Enumerable.Range(0, 20)
                    .Select(i => ("SELECT @id, @v", Values(("@id", i == 17 ? new Uri("http://refused.example") : i), ("@v", new string('x', 60_000))))));
            await using (var reader = await Mode.Reader(batch))
            {
                for (var i = 0; i < 17; i++)
                {
                    Assert.True(await Mode.Read(reader));
                    Assert.Equal(i, Convert.ToInt32(reader.GetValue(0)));
                    Assert.False(await Mode.Read(reader));
                    if (i < 16)
                        Assert.True(await Mode.NextResult(reader));
                }

                Assert.IsNotType<DbException>(await Assert.ThrowsAnyAsync<Exception>(() => Mode.NextResult(reader)), exactMatch: false);
            }

            await StillUsable(connection);
        }
    }

    private async Task<Exception> RefuseLate(DbBatch batch, string verb, int counted)
    {
        switch (verb)
        {
            case "count":
                return await Assert.ThrowsAnyAsync<Exception>(() => Mode.NonQuery(batch));
            case "scalar":
                return await Assert.ThrowsAnyAsync<Exception>(() => Mode.Scalar(batch));
            default:
                var reader = await Mode.Reader(batch);
                Assert.True(await Mode.Read(reader));
                Assert.Equal(counted, Convert.ToInt32(reader.GetValue(0)));
                if (verb == "closed reader")
                    return await Assert.ThrowsAnyAsync<Exception>(() => Mode.Close(reader));
                Assert.False(await Mode.Read(reader));
                var refusal = await Assert.ThrowsAnyAsync<Exception>(() => Mode.NextResult(reader));
                Assert.Equal(ConnectionState.Open, batch.Connection!.State);
                await Mode.Close(reader);
                return refusal;
        }
    }
}
