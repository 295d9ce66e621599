using Slipstream.Race.Raw;
using Slipstream.Race.Scenarios;

namespace Slipstream.PeerRace.Worker;

/// <summary>The minimal driver reads all fortunes, adds one, and sorts them.</summary>
internal sealed class RawFortunes(RawClient client) : Caller
{
    private readonly RawStatement _statement = client.Statement(Statements.Fortunes, prepare: true);
    private List<Fortune> _fortunes = [];

    public override string Check => Answers.Check(_fortunes);

    public override void Run()
    {
        var fortunes = new List<Fortune>(Statements.FortuneCount + 1);
        client.Fortunes(_statement, fortunes);
        _fortunes = Answers.Complete(fortunes);
    }

    public override void Dispose() => client.Dispose();
}
