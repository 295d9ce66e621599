using System.Data;
using System.Data.Common;
using Slipstream.Race.Scenarios;

namespace Slipstream.PeerRace.Worker;

/// <summary>Reads a random row of the table <c>world</c>.</summary>
internal sealed class AdoSingle : Caller
{
    private readonly DbConnection _connection;
    private readonly DbCommand _command;
    private readonly DbParameter _id;
    private World _world;

    public AdoSingle(DbConnection connection)
    {
        _connection = connection;
        _command = connection.CreateCommand();
        _command.CommandText = Statements.WorldById;
        _id = _command.CreateParameter();
        (_id.ParameterName, _id.DbType, _id.Value) = ("@id", DbType.Int32, 1);
        _command.Parameters.Add(_id);
        _command.Prepare();
    }

    public override string Check => Answers.Check(_world);

    public override void Run()
    {
        var id = Answers.RandomId();
        _id.Value = id;
        using var reader = _command.ExecuteReader();
        reader.Read();
        _world = Answers.Checked(new(reader.GetInt32(0), reader.GetInt32(1)), id);
    }

    public override void Dispose()
    {
        _command.Dispose();
        _connection.Dispose();
    }
}
