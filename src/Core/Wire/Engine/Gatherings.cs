using Slipstream.Core.Time;

namespace Slipstream.Core.Wires;

/// <summary>
/// The receives that let small answers gather, because waking a thread for each of many small answers costs more than the answers. The kernel waits for a
/// number of bytes (SO_RCVLOWAT); this object ends the wait if they do not arrive in time. All have the same time, so the first one to begin is the first one
/// to end.
/// </summary>
/// <param name="begun">Called after each beginning: makes sure that some thread calls <see cref="Expire"/>.</param>
internal sealed class Gatherings(Action begun)
{
    /// <summary>How long the answers may gather, in milliseconds.</summary>
    public const int Milliseconds = 1;

    private readonly Lock _gate = new();
    private readonly LinkedList<Gathering> _running = [];
    private volatile int _count;

    /// <summary>Whether no receive lets answers gather.</summary>
    public bool IsEmpty => _count == 0;

    /// <summary>Begins to gather; called before the wait.</summary>
    /// <param name="gathering">The receive.</param>
    /// <param name="bytes">Number of bytes that complete it.</param>
    public void Begin(Gathering gathering, int bytes)
    {
        if (!gathering.Want(bytes))
            return;
        gathering.IsRunning = true;
        gathering.Deadline = Clock.Precise + Milliseconds * TimeSpan.TicksPerMillisecond;
        lock (_gate)
        {
            if (gathering.Place.List is null)
                _running.AddLast(gathering.Place);
            _count = _running.Count;
        }

        begun();
    }

    /// <summary>Ends a gathering whose receive completes. Returns false if its time had run out.</summary>
    public bool End(Gathering gathering)
    {
        gathering.IsRunning = false;
        bool wasInTime;
        lock (_gate)
        {
            if (wasInTime = gathering.Place.List is not null)
                _running.Remove(gathering.Place);
            _count = _running.Count;
        }

        // Whoever uses the connection next must notice a single byte, such as the pool, which looks for a farewell.
        gathering.Want(1);
        return wasInTime;
    }

    /// <summary>Ends the gatherings whose time has run out: from now on, a single byte completes them, also one that has arrived.</summary>
    public void Expire()
    {
        if (IsEmpty)
            return;
        var now = Clock.Precise;
        while (TakeExpired(now) is { } gathering)
            gathering.GiveUp();
    }

    private Gathering? TakeExpired(long now)
    {
        lock (_gate)
        {
            if (_running.First is not { } first || first.Value.Deadline > now)
                return null;
            _running.RemoveFirst();
            _count = _running.Count;
            return first.Value;
        }
    }
}
