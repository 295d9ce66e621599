using Slipstream.Race.Raw;
using Slipstream.Race.Scenarios;

namespace Slipstream.PeerRace.Worker;

/// <summary>The minimal driver reads a random row of the table <c>world</c>.</summary>
internal sealed class RawSingle(RawClient client) : Caller
{
    private readonly RawStatement _statement = client.Statement(Statements.WorldById, prepare: true);
    private World _world;

    public override string Check => Answers.Check(_world);

    public override void Run()
    {
        var id = Answers.RandomId();
        _world = Answers.Checked(client.WorldById(_statement, id), id);
    }

    public override void Dispose() => client.Dispose();
}
