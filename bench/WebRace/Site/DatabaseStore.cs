using System.Data;
using System.Data.Common;

namespace Slipstream.WebRace.Site;

/// <summary>Reads from a database, with nothing but the abstract classes of ADO.NET: the same code for each contestant.</summary>
internal sealed class DatabaseStore(DbDataSource source) : Store
{
    private const string SelectOne = "SELECT id, randomnumber FROM world WHERE id = @id";
    private const string UpdateOne = "UPDATE world SET randomnumber = @number WHERE id = @id";

    public override async Task<World> OneAsync()
    {
        await using var connection = await source.OpenConnectionAsync();
        await using var command = Select(connection, out var id);
        id.Value = RandomId();
        return await ReadAsync(command);
    }

    public override async Task<World[]> SeveralAsync()
    {
        var rows = new World[Several];
        await using var connection = await source.OpenConnectionAsync();
        await using var command = Select(connection, out var id);
        for (var at = 0; at < rows.Length; at++)
        {
            id.Value = RandomId();
            rows[at] = await ReadAsync(command);
        }

        return rows;
    }

    public override async Task<World[]> UpdateAsync()
    {
        var ids = RandomIds();
        var rows = new World[ids.Length];
        await using var connection = await source.OpenConnectionAsync();
        await using (var select = connection.CreateBatch())
        {
            foreach (var id in ids)
                Add(select, SelectOne, ("@id", id));
            await using var reader = await select.ExecuteReaderAsync();
            for (var at = 0; at < rows.Length; at++)
            {
                await reader.ReadAsync();
                rows[at] = new(reader.GetInt32(0), RandomId());
                await reader.NextResultAsync();
            }
        }

        // One commit for all rows, not one for each.
        await using var transaction = await connection.BeginTransactionAsync();
        await using var update = connection.CreateBatch();
        update.Transaction = transaction;
        foreach (var row in rows)
            Add(update, UpdateOne, ("@number", row.RandomNumber), ("@id", row.Id));
        await update.ExecuteNonQueryAsync();
        await transaction.CommitAsync();
        return rows;
    }

    public override async Task<List<Fortune>> FortunesAsync()
    {
        var fortunes = new List<Fortune>();
        await using var connection = await source.OpenConnectionAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT id, message FROM fortune";
        await using var reader = await command.ExecuteReaderAsync();
        while (await reader.ReadAsync())
            fortunes.Add(new(reader.GetInt32(0), reader.GetString(1)));
        return fortunes;
    }

    public override async Task<World[]> AllAsync()
    {
        var rows = new List<World>(Worlds);
        await using var connection = await source.OpenConnectionAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT id, randomnumber FROM world ORDER BY id";
        await using var reader = await command.ExecuteReaderAsync();
        while (await reader.ReadAsync())
            rows.Add(new(reader.GetInt32(0), reader.GetInt32(1)));
        return [.. rows];
    }

    private static DbCommand Select(DbConnection connection, out DbParameter id)
    {
        var command = connection.CreateCommand();
        command.CommandText = SelectOne;
        id = command.CreateParameter();
        id.ParameterName = "@id";
        id.DbType = DbType.Int32;
        command.Parameters.Add(id);
        return command;
    }

    private static async Task<World> ReadAsync(DbCommand command)
    {
        await using var reader = await command.ExecuteReaderAsync(CommandBehavior.SingleRow);
        await reader.ReadAsync();
        return new(reader.GetInt32(0), reader.GetInt32(1));
    }

    private static void Add(DbBatch batch, string text, params ReadOnlySpan<(string Name, int Value)> parameters)
    {
        var command = batch.CreateBatchCommand();
        command.CommandText = text;
        foreach (var (name, value) in parameters)
        {
            var parameter = command.CreateParameter();
            parameter.ParameterName = name;
            parameter.DbType = DbType.Int32;
            parameter.Value = value;
            command.Parameters.Add(parameter);
        }

        batch.BatchCommands.Add(command);
    }
}
