using Slipstream.Lab;
using Slipstream.Soak.Work;

namespace Slipstream.Soak.Faults;

/// <summary>Chooses the next fault by the seed, as from a deck of cards: each fault occurs once before any occurs again.</summary>
internal sealed class FaultScheduler(Scene scene, IFaultStage stage)
{
    private readonly List<Injection> _deck = [];
    private readonly Random _random = new(scene.Options.Seed);

    /// <summary>Gets how often the whole deck was played.</summary>
    public int Rounds { get; private set; } = -1;

    /// <summary>Causes the next fault, sometimes one of the network and one of the server at the same time.</summary>
    public async Task Next()
    {
        var fault = Draw();
        List<Injection> faults = [fault];
        if (_random.Next(5) == 0 && _deck.FindIndex(other => other.IsOfNetwork != fault.IsOfNetwork) is var second and >= 0)
        {
            faults.Add(_deck[second]);
            _deck.RemoveAt(second);
        }

        var name = string.Join(" + ", faults.Select(static f => f.Name));
        scene.Journal.Note(name + " begins");
        scene.Line.Begin();
        try
        {
            await Task.WhenAll(faults.Select(f => f.Inject()));
        }
        finally
        {
            scene.Line.End();
            scene.Journal.Note(name + " is over");
        }

        foreach (var f in faults)
            scene.Tally.Fault(f.Name);
        // Sometimes the next fault begins while the workers still recover from this one.
        await Task.Delay(_random.Next(3) == 0 ? 0 : _random.Next(1000));
    }

    /// <summary>Gets whether the deck was played to its end.</summary>
    public bool HasPlayedAll => Rounds >= 1 || (Rounds == 0 && _deck.Count == 0);

    private Injection Draw()
    {
        if (_deck.Count == 0)
        {
            Rounds++;
            _deck.AddRange(stage.Injections().Where(fault => scene.Options.Faults.Count == 0 || scene.Options.Faults.Contains(fault.Name)));
            if (_deck.Count == 0)
                throw new LabUnavailableException("None of the chosen faults can happen here.", "see ./soak --help");
            _random.Shuffle(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_deck));
        }

        var fault = _deck[^1];
        _deck.RemoveAt(_deck.Count - 1);
        return fault;
    }
}
