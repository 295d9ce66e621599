using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Data;

/// <summary>One session that many commands share, and the light sessions on top of it that wait for their next command.</summary>
internal sealed class SharedSession
{
    private readonly Lock _gate = new();
    private readonly Stack<Session> _idle = new();
    private long _usedAt = Clock.Now;
    private long _retiredAt = Clock.Never;
    private int _leased;
    private bool _isClosed;

    public SharedSession(Session session, SharedWire wire, int place, Action<SharedSession, Session> giveBack)
    {
        Session = session;
        Wire = wire;
        Place = place;
        GivesBack = returned => giveBack(this, returned);
    }

    public Session Session { get; }

    public SharedWire Wire { get; }

    public int Place { get; }

    public Action<Session> GivesBack { get; }

    /// <summary>Since when nobody new gets on.</summary>
    public long RetiredAt => Volatile.Read(ref _retiredAt);

    public bool IsRetired => RetiredAt != Clock.Never;

    public void Retire() => Volatile.Write(ref _retiredAt, Clock.Now);

    public bool IsIdle(long now, long milliseconds) => Wire.Depth == 0 && now - Volatile.Read(ref _usedAt) > milliseconds;

    /// <summary>True when answers have been awaited for that long by callers who have all gone.</summary>
    public bool IsForsaken(long microseconds) => Volatile.Read(ref _leased) == 0 && Wire.Lateness > microseconds;

    /// <summary>A command gets on.</summary>
    /// <param name="session">Null when a new one must be made.</param>
    /// <returns>False when it is too late.</returns>
    public bool TryEnter(out Session? session)
    {
        Volatile.Write(ref _usedAt, Clock.Now);
        lock (_gate)
        {
            session = null;
            if (_isClosed)
                return false;
            _idle.TryPop(out session);
            _leased++;
            return true;
        }
    }

    /// <summary>It gets off.</summary>
    /// <param name="session">For the next command; null when it cannot be used again.</param>
    public void Leave(Session? session)
    {
        lock (_gate)
        {
            _leased--;
            if (session is null)
                return;
            if (!_isClosed)
            {
                _idle.Push(session);
                return;
            }
        }

        session.Close();
    }

    /// <summary>From now on nobody gets on.</summary>
    /// <returns>True for the first who closes it, who must end it; false when it is not to be closed, or has been.</returns>
    public bool TryClose(bool evenWhenLeased)
    {
        lock (_gate)
        {
            if (_isClosed || (_leased > 0 && !evenWhenLeased))
                return false;
            return _isClosed = true;
        }
    }

    /// <summary>Behind <see cref="TryClose"/>: closes what waits here.</summary>
    public void CloseIdle()
    {
        lock (_gate)
        {
            while (_idle.TryPop(out var session))
                session.Close();
        }
    }
}
