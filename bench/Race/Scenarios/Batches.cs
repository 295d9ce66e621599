using System.Data.Common;

namespace Slipstream.Race.Scenarios;

/// <summary>The common code of the batch scenarios: <see cref="DbBatch"/> if the provider supports it.</summary>
internal static class Batches
{
    public static DbBatch New(DbConnection connection) => connection.CanCreateBatch
        ? connection.CreateBatch()
        : throw new NotSupportedException("this provider has no DbBatch");

    /// <summary>Appends a command with an integer for each name.</summary>
    public static DbBatchCommand Add(DbBatch batch, DbProviderFactory factory, string text, ReadOnlySpan<string> names)
    {
        var command = batch.CreateBatchCommand();
        command.CommandText = text;
        foreach (var name in names)
        {
            var parameter = command.CanCreateParameter ? command.CreateParameter() : factory.CreateParameter()!;
            parameter.ParameterName = name;
            parameter.Value = 0;
            command.Parameters.Add(parameter);
        }

        batch.BatchCommands.Add(command);
        return command;
    }
}

/// <summary>
/// A new batch of inserts, all with the same text, inside a transaction: 100 inserts of one row, for the insert race by the batch rule a thousand of one row,
/// for the pipelined rule 64 of three rows. One operation is one batch.
/// </summary>
internal sealed class BatchOfInserts(Assignment seat, int commands, int rowsEach = 1, bool barriers = false) : Connected(seat)
{
    private readonly string _text = rowsEach == 1 ? Statements.InsertOne : Statements.Insert;
    private readonly string[] _names = [.. Enumerable.Range(1, 3 * rowsEach).Select(i => "@p" + i)];
    private InsertTransaction? _transaction;
    private int _next;

    public override async Task BeforeAsync(Mode mode, int count)
    {
        _transaction ??= new InsertTransaction(Connection);
        await _transaction.BeginAsync(mode);
    }

    public override Task AfterAsync(Mode mode) => _transaction!.EndAsync(mode);

    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            using var batch = Build();
            Check.Equal(commands * rowsEach, batch.ExecuteNonQuery());
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await using var batch = Build();
            Check.Equal(commands * rowsEach, await batch.ExecuteNonQueryAsync());
        }
    }

    private DbBatch Build()
    {
        var batch = Batches.New(Connection);
        batch.Transaction = _transaction!.Current;
        if (barriers)
            ProviderMethods.Set(batch, "EnableErrorBarriers", true);
        for (var i = 0; i < commands; i++)
        {
            var command = Batches.Add(batch, Assignment.Factory, _text, _names);
            for (var place = 0; place < _names.Length; place++)
                command.Parameters[place].Value = _next++;
        }

        return batch;
    }
}

/// <summary>A new batch of 100 rows by primary key. One operation is one batch.</summary>
internal sealed class Batch100Reads(Assignment seat) : Connected(seat)
{
    private const int Commands = 100;
    private static readonly string[] Names = ["@id"];

    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var rows = 0;
            using var batch = Build();
            using (var reader = batch.ExecuteReader())
            {
                do
                {
                    while (reader.Read())
                        rows += reader.GetString(0).Length > 0 ? 1 : 0;
                }
                while (reader.NextResult());
            }

            Check.Equal(Commands, rows);
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var rows = 0;
            await using var batch = Build();
            await using (var reader = await batch.ExecuteReaderAsync())
            {
                do
                {
                    while (await reader.ReadAsync())
                        rows += reader.GetString(0).Length > 0 ? 1 : 0;
                }
                while (await reader.NextResultAsync());
            }

            Check.Equal(Commands, rows);
        }
    }

    private DbBatch Build()
    {
        var batch = Batches.New(Connection);
        for (var i = 0; i < Commands; i++)
            Batches.Add(batch, Assignment.Factory, Statements.FortuneById, Names).Parameters[0].Value = i % Statements.FortuneCount + 1;
        return batch;
    }
}
