using System.Data.Common;
using Slipstream.Soak.Checks;

namespace Slipstream.Soak.Work;

/// <summary>Changes that write their number, so that their reported outcome can be checked.</summary>
internal static class Changes
{
    public static ValueTask Transfer(Worker worker) => Transfer(worker, default);

    /// <summary>Moves a sum from one account to another, writes the transfer's number, and commits or does not.</summary>
    public static async ValueTask Transfer(Worker worker, CancellationToken ct)
    {
        var random = worker.Random;
        var (from, to, amount) = (random.Next(Store.Accounts), random.Next(Store.Accounts), random.Next(1, 100));
        // Sometimes in the order that causes deadlocks.
        if (random.Next(10) > 0 && from > to)
            (from, to, amount) = (to, from, -amount);
        var end = random.Next(20);
        await Transact(worker, "transfer", 1, end, async (connection, transaction, id) =>
        {
            await Write(worker, connection, transaction, id, 0, null, ct);
            await Move(from, -amount);
            await Move(to, amount);

            async ValueTask Move(int account, int by)
            {
                await using var command = connection.Ask(Store.Change, ("@amount", by), ("@account", account));
                command.Transaction = transaction;
                if (await worker.Execute(command, ct) is var rows and not 1)
                    worker.Wrong($"account {account} was changed in {rows} rows");
            }
        }, ct);
    }

    /// <summary>Inserts a row in its own transaction.</summary>
    public static ValueTask Insert(Worker worker) => Insert(worker, default);

    public static ValueTask Insert(Worker worker, CancellationToken ct) =>
        Record(worker, "insert", 1, id => worker.WithConnection(connection => Write(worker, connection, null, id, 0, null, ct), ct));

    /// <summary>
    /// Inserts a row with a command of the data source, which opens its connection itself. If that fails, the exception must report that nothing was sent.
    /// </summary>
    public static ValueTask InsertAlone(Worker worker) => Record(worker, "insert of the data source", 1, async id =>
    {
        await using var command = worker.Source.CreateCommand(Store.Insert);
        command.Add(("@id", id), ("@part", 0), ("@data", null));
        command.Parameters[2].DbType = System.Data.DbType.Binary;
        worker.Step("ExecuteNonQuery of the data source", worker.OpenSeconds + Calls.Command);
        await worker.Verbs.NonQuery(command, default);
        worker.Leave();
    });

    /// <summary>Executes several inserts and queries as one batch in one transaction.</summary>
    public static async ValueTask Batch(Worker worker)
    {
        var parts = worker.Random.Next(2, 7);
        await Transact(worker, "batch", parts, worker.Random.Next(20), async (connection, transaction, id) =>
        {
            await using var batch = connection.CreateBatch();
            batch.Transaction = transaction;
            var questions = new List<Queries.Question>();
            for (var part = 0; part < parts; part++)
            {
                var insert = batch.CreateBatchCommand();
                insert.CommandText = Store.Insert;
                Add(insert, ("@id", id), ("@part", part), ("@data", DBNull.Value));
                batch.BatchCommands.Add(insert);
                if (worker.Random.Next(2) == 0)
                    continue;
                var question = new Queries.Question(worker);
                questions.Add(question);
                var echo = batch.CreateBatchCommand();
                echo.CommandText = worker.Store.Echo;
                Add(echo, ("@m", question.Marker), ("@t", question.Text));
                batch.BatchCommands.Add(echo);
            }

            worker.Step("ExecuteReader of a batch", Calls.Command);
            var reader = await worker.Verbs.Reader(batch, default);
            await worker.Finish(reader, async reader =>
            {
                foreach (var question in questions)
                {
                    await question.Check(reader, default);
                    await worker.Verbs.NextResult(reader, default);
                }

                while (await worker.Verbs.NextResult(reader, default))
                    worker.Wrong("a batch has more results than questions");
            });
        }, default);

        static void Add(DbBatchCommand command, params ReadOnlySpan<(string Name, object Value)> parameters)
        {
            foreach (var (name, value) in parameters)
            {
                var parameter = command.CreateParameter();
                (parameter.ParameterName, parameter.Value) = (name, value);
                command.Parameters.Add(parameter);
            }
        }
    }

    /// <summary>Copies rows in bulk: all or none must be there.</summary>
    public static ValueTask Bulk(Worker worker)
    {
        var rows = worker.Random.Next(1, 1500);
        return Record(worker, "bulk copy", rows, id => worker.WithConnection(async connection =>
        {
            // It executes several commands, each with its own time-out: the savepoint or the transaction, the rows, the commit.
            worker.Step("WriteToServer", 3 * Calls.Command);
            await worker.Store.BulkCopy(worker.Verbs, connection, id, rows, default);
            worker.Leave();
        }));
    }

    /// <summary>Writes a value of up to 1.5 MiB and reads it again.</summary>
    public static ValueTask Blob(Worker worker) => worker.WithConnection(async connection =>
    {
        var length = worker.Random.Next(20) switch
        {
            0 => worker.Random.Next(1_500_000),
            < 6 => worker.Random.Next(64_000),
            _ => worker.Random.Next(4000),
        };
        var data = new byte[length];
        worker.Random.NextBytes(data);
        // After a lost session, the driver names the size as a possible cause if the command exceeds 1 MiB. A byte takes two hexadecimal digits.
        worker.SendsLargeCommand = length > 500_000;
        long written = 0;
        await Record(worker, "blob", 1, id => Write(worker, connection, null, written = id, 0, data, default));
        await using var command = connection.Ask(worker.Store.Blob, ("@id", written));
        await worker.Read(command, async reader =>
        {
            if (!await worker.Verbs.Read(reader, default))
                worker.Wrong($"blob {written} was acknowledged but is not there");
            else if (!reader.GetFieldValue<byte[]>(0).AsSpan().SequenceEqual(data) || reader.GetString(1) != worker.Store.Checksum(data))
                worker.Wrong($"blob {written} of {data.Length} bytes was read as a different value");
        });
    });

    private static async ValueTask Write(
        Worker worker, DbConnection connection, DbTransaction? transaction, long id, int part, byte[]? data, CancellationToken ct)
    {
        await using var command = connection.Ask(Store.Insert, ("@id", id), ("@part", part), ("@data", data));
        if (data is null)
            command.Parameters[2].DbType = System.Data.DbType.Binary;
        command.Transaction = transaction;
        if (await worker.Execute(command, ct) is var rows and not 1)
            worker.Wrong($"an insert wrote {rows} rows");
    }

    /// <summary>Makes a change that is durable when it returns; its exception determines the outcome.</summary>
    public static async ValueTask Record(Worker worker, string what, int parts, Func<long, ValueTask> change)
    {
        var id = worker.WorkLog.Begin(what, parts);
        var outcome = Outcome.Unknown;
        try
        {
            await change(id);
            outcome = Outcome.Acknowledged;
        }
        catch (Exception exception)
        {
            outcome = Failure.Of(exception).Outcome;
            throw;
        }
        finally
        {
            worker.WorkLog.End(id, outcome);
        }
    }

    /// <summary>Makes a change that is invisible before its commit: only an exception of the commit leaves the outcome open.</summary>
    private static ValueTask Transact(
        Worker worker, string what, int parts, int end, Func<DbConnection, DbTransaction, long, ValueTask> change, CancellationToken ct) =>
        worker.WithConnection(async connection =>
        {
            var id = worker.WorkLog.Begin(what, parts);
            var outcome = Outcome.Refused;
            try
            {
                worker.Step("BeginTransaction", Calls.Command);
                var transaction = await worker.Verbs.Begin(connection, ct);
                try
                {
                    await change(connection, transaction, id);
                    worker.Step("Commit or Rollback", Calls.Command);
                    switch (end)
                    {
                        case 0:
                            await worker.Verbs.Rollback(transaction);
                            break;
                        case 1:
                            // Neither: the connection is closed while the transaction is open.
                            return;
                        default:
                            outcome = Outcome.Unknown;
                            try
                            {
                                await worker.Verbs.Commit(transaction, ct);
                                outcome = Outcome.Acknowledged;
                            }
                            catch (Exception exception)
                            {
                                outcome = Failure.Of(exception).Outcome;
                                throw;
                            }

                            break;
                    }
                }
                finally
                {
                    if (end != 1)
                    {
                        worker.Step("closing the transaction", Calls.Command);
                        await worker.Verbs.Close(transaction);
                        worker.Leave();
                    }
                }
            }
            finally
            {
                worker.WorkLog.End(id, outcome);
            }
        }, ct);
}
