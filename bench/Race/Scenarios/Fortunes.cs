namespace Slipstream.Race.Scenarios;

internal readonly record struct Fortune(int Id, string Message);

/// <summary>Opens a connection, reads twelve rows into a list and closes it: the database part of the TechEmpower test.</summary>
internal sealed class Fortunes(Assignment seat, bool prepare) : Operation
{
    public override void Open() => One(seat, prepare);

    public override Task OpenAsync() => RunAsync(1);

    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
            One(seat, prepare);
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var fortunes = new List<Fortune>(Statements.FortuneCount);
            await using var connection = seat.NewConnection();
            await connection.OpenAsync();
            await using var command = connection.CreateCommand();
            command.CommandText = Statements.Fortunes;
            if (prepare)
                await command.PrepareAsync();
            await using var reader = await command.ExecuteReaderAsync();
            while (await reader.ReadAsync())
                fortunes.Add(new Fortune(reader.GetInt32(0), reader.GetString(1)));
            Check.Equal(Statements.FortuneCount, fortunes.Count);
        }
    }

    public static void One(Assignment seat, bool prepare)
    {
        var fortunes = new List<Fortune>(Statements.FortuneCount);
        using var connection = seat.NewConnection();
        connection.Open();
        using var command = connection.CreateCommand();
        command.CommandText = Statements.Fortunes;
        if (prepare)
            command.Prepare();
        using var reader = command.ExecuteReader();
        while (reader.Read())
            fortunes.Add(new Fortune(reader.GetInt32(0), reader.GetString(1)));
        Check.Equal(Statements.FortuneCount, fortunes.Count);
    }
}
