namespace Slipstream.Core.Clusters;

/// <summary>When the sessions of a server's earlier generations are ended. Each retirement has its own time. Only the monitor's thread uses it.</summary>
internal sealed class Drains
{
    // A server that is retired again and again must neither fill the memory nor keep its oldest sessions.
    private const int MostWaiting = 16;

    private readonly List<(long Generation, long At)> _waiting = [];

    /// <summary>Records a retirement.</summary>
    /// <param name="generation">The generation that begins with it: sessions of earlier ones are ended.</param>
    /// <param name="at">When.</param>
    public void Add(long generation, long at)
    {
        if (_waiting.Count == MostWaiting)
            _waiting[^1] = (generation, _waiting[^1].At);
        else if (_waiting.Count == 0 || _waiting[^1].Generation < generation)
            _waiting.Add((generation, at));
    }

    /// <summary>Returns the generation before which sessions must be ended now; null for none.</summary>
    public long? Take(long now)
    {
        long? due = null;
        while (_waiting.Count > 0 && _waiting[0].At <= now)
        {
            due = _waiting[0].Generation;
            _waiting.RemoveAt(0);
        }

        return due;
    }
}
