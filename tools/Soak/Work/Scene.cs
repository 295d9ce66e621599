using Slipstream.Soak.Checks;
using Slipstream.Soak.Faults;

namespace Slipstream.Soak.Work;

/// <summary>The state that all workers of a run share.</summary>
internal sealed class Scene(SoakOptions options, Store store, Journal journal, Load load)
{
    private volatile bool _isOver;

    public SoakOptions Options => options;
    public Store Store => store;
    public Journal Journal => journal;
    public Load Load => load;
    public WorkLog WorkLog { get; } = new();
    public Tally Tally { get; } = new();
    public Gate Gate { get; } = new();
    public FaultLine Line { get; } = new(load, options.Recovery);

    /// <summary>
    /// Gets the longest pause of a worker between two operations, in milliseconds (default: 80). It keeps the pools busy and leaves processor time for the
    /// rest.
    /// </summary>
    public int LongestPause { get; init; } = 80;

    public bool IsCompleted => _isOver;

    public void End() => _isOver = true;
}
