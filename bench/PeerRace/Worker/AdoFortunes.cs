using System.Data.Common;
using Slipstream.Race.Scenarios;

namespace Slipstream.PeerRace.Worker;

/// <summary>Reads all fortunes, adds one, and sorts them.</summary>
internal sealed class AdoFortunes : Caller
{
    private readonly DbConnection _connection;
    private readonly DbCommand _command;
    private List<Fortune> _fortunes = [];

    public AdoFortunes(DbConnection connection)
    {
        _connection = connection;
        _command = connection.CreateCommand();
        _command.CommandText = Statements.Fortunes;
        _command.Prepare();
    }

    public override string Check => Answers.Check(_fortunes);

    public override void Run()
    {
        var fortunes = new List<Fortune>(Statements.FortuneCount + 1);
        using var reader = _command.ExecuteReader();
        while (reader.Read())
            fortunes.Add(new(reader.GetInt32(0), reader.GetString(1)));
        _fortunes = Answers.Complete(fortunes);
    }

    public override void Dispose()
    {
        _command.Dispose();
        _connection.Dispose();
    }
}
