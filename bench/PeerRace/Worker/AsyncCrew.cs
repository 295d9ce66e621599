using System.Data;
using System.Data.Common;
using Slipstream.Race.Scenarios;

namespace Slipstream.PeerRace.Worker;

/// <summary>Asynchronous callers over a pool: each operation takes a connection from it, and prepares its command.</summary>
internal sealed class AsyncCrew : Crew
{
    private readonly DbDataSource _source;
    private readonly bool _readsFortunes;
    private readonly int _callers;
    private World _world;
    private List<Fortune> _fortunes = [];

    private AsyncCrew(DbDataSource source, string scenario, int callers)
    {
        (_source, _callers) = (source, callers);
        _readsFortunes = scenario switch
        {
            "single" => false,
            "fortunes" => true,
            _ => throw new ArgumentException($"there is no scenario '{scenario}'"),
        };
    }

    protected override string Check => _readsFortunes ? Answers.Check(_fortunes) : Answers.Check(_world);

    public static async Task<AsyncCrew> OpenAsync(DbDataSource source, string scenario, int callers)
    {
        var crew = new AsyncCrew(source, scenario, callers);
        // The pool then has a connection for each caller.
        var connections = await Task.WhenAll(Enumerable.Range(0, callers).Select(_ => source.OpenConnectionAsync().AsTask()));
        foreach (var connection in connections)
            await connection.DisposeAsync();
        return crew;
    }

    public override ValueTask DisposeAsync() => default;

    protected override async Task<long> BeginAsync()
    {
        var counts = await Task.WhenAll(Enumerable.Range(0, _callers).Select(caller => Task.Run(() => WorkAsync(caller == 0))));
        return counts.Sum();
    }

    private Task<long> WorkAsync(bool isFirst) => _readsFortunes ? ReadFortunesAsync(isFirst) : ReadSingleAsync(isFirst);

    private async Task<long> ReadSingleAsync(bool isFirst)
    {
        var count = 0L;
        for (; !IsOver; count++)
        {
            var id = Answers.RandomId();
            await using var connection = await _source.OpenConnectionAsync();
            await using var command = connection.CreateCommand();
            command.CommandText = Statements.WorldById;
            var parameter = command.CreateParameter();
            (parameter.ParameterName, parameter.DbType, parameter.Value) = ("@id", DbType.Int32, id);
            command.Parameters.Add(parameter);
            await command.PrepareAsync();
            await using var reader = await command.ExecuteReaderAsync();
            await reader.ReadAsync();
            var world = Answers.Checked(new(reader.GetInt32(0), reader.GetInt32(1)), id);
            if (isFirst)
                _world = world;
        }

        return count;
    }

    private async Task<long> ReadFortunesAsync(bool isFirst)
    {
        var count = 0L;
        for (; !IsOver; count++)
        {
            var fortunes = new List<Fortune>(Statements.FortuneCount + 1);
            await using var connection = await _source.OpenConnectionAsync();
            await using var command = connection.CreateCommand();
            command.CommandText = Statements.Fortunes;
            await command.PrepareAsync();
            await using var reader = await command.ExecuteReaderAsync();
            while (await reader.ReadAsync())
                fortunes.Add(new(reader.GetInt32(0), reader.GetString(1)));
            Answers.Complete(fortunes);
            if (isFirst)
                _fortunes = fortunes;
        }

        return count;
    }
}
