using Slipstream.Core.Conversations;
using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Data;

/// <summary>
/// The few sessions of a data source that many commands share at once. Each is a session of the pool; a command gets a light session of its own on top of
/// it, with which everything goes on as always. Never waits: when no shared session can take a command, an exclusive one does.
/// </summary>
public sealed class SharedSessions : ISweptPool
{
    /// <summary>A server works on a session's commands one by one: with two, two of its processors. More sessions take the gain away again.</summary>
    private const int Most = 2;

    // A pool smaller than this has no session to spare for each shared one.
    private const int PoolSizePerShared = 4;

    // Most answers fit; larger ones grow it.
    private const int Capacity = 16 * 1024;

    private const int Deepest = 512;
    private const long LateMicroseconds = 20_000;
    private const long IdleMilliseconds = 30_000;
    private const long PauseMilliseconds = 1_000;

    // What nobody waits for any more is stopped.
    private const long StuckMicroseconds = 1_000_000;

    // A command between two of its steps has begun the next one long before; a reader that stays open has its answer.
    private const long GraceMilliseconds = 10_000;

    // What was prepared for a caller who had gone stays on the server until its session ends.
    private const int MostDropped = 256;

    private readonly ProviderDataSource _source;
    private readonly long _lifetime;
    private readonly SharedSession?[] _shards;
    private readonly Lock _gate = new();
    private readonly List<SharedSession> _retired = [];
    private int _opening;
    private int _callers;
    private long _leased;
    private long _retirements;
    private long _pausedUntil;
    private int _clearings;
    private volatile bool _isDisposed;

    /// <param name="source">Whose commands share.</param>
    /// <param name="limits">Those of its pool.</param>
    public SharedSessions(ProviderDataSource source, PoolLimits limits)
    {
        _source = source;
        _lifetime = limits.Lifetime;
        _shards = new SharedSession?[Math.Min(Most, limits.MaxSize / PoolSizePerShared)];
        PoolSweeper.Add(this);
    }

    /// <summary>
    /// From so many callers at once on they share: fewer are served as well, and by more of the server's processors, on sessions of their own. 8 by default.
    /// </summary>
    public int FewestCallers { get; set; } = 8;

    /// <summary>How many sessions are shared now.</summary>
    public int Count => _shards.Count(static shard => shard is not null);

    /// <summary>Commands that have run on shared sessions.</summary>
    public long Leased => Volatile.Read(ref _leased);

    /// <summary>Sessions that are shared no more: changed by a statement, too late, lost, cleared or idle.</summary>
    public long Retired => Volatile.Read(ref _retirements);

    /// <summary>A caller begins who would share, and ends.</summary>
    public void Enter() => Interlocked.Increment(ref _callers);

    /// <inheritdoc cref="Enter"/>
    public void Leave() => Interlocked.Decrement(ref _callers);

    /// <summary>A session for one command; null when it should run on one of its own.</summary>
    public Session? TryLease()
    {
        if (Volatile.Read(ref _callers) < FewestCallers || _isDisposed)
            return null;
        SharedSession? best = null;
        for (var place = 0; place < _shards.Length; place++)
        {
            if (Volatile.Read(ref _shards[place]) is not { } shard)
            {
                OpenLater(place);
                continue;
            }

            // Whoever takes a large answer bit by bit may be the one who asks now, and would wait for himself.
            if (shard.Wire.IsStreaming || shard.Wire.Lateness > LateMicroseconds || shard.Wire.Depth >= Deepest)
                continue;
            // What is sent while answers are passed on leaves with what their callers send.
            if (ReferenceEquals(shard.Wire, SharedWire.Current))
            {
                best = shard;
                break;
            }

            if (best is null || shard.Wire.Depth < best.Wire.Depth)
                best = shard;
        }

        if (best is null || !best.TryEnter(out var session))
            return null;
        Interlocked.Increment(ref _leased);
        return session ?? Add(best);
    }

    /// <summary>Closes what is shared: at once when nothing runs, else when the last answer has come.</summary>
    public void Clear()
    {
        lock (_gate)
        {
            // What is being opened was asked for before, too.
            _clearings++;
            foreach (var shard in _shards)
                if (shard is not null)
                    Retire(shard);
        }

        EndRetired(Clock.Now);
    }

    /// <summary>Closes everything, as <see cref="Clear"/> does, and shares nothing from now on.</summary>
    public void Close()
    {
        lock (_gate)
            _isDisposed = true;
        Clear();
    }

    /// <inheritdoc/>
    public void Sweep(long now)
    {
        lock (_gate)
        {
            foreach (var shard in _shards)
                if (shard is not null && (shard.IsIdle(now, IdleMilliseconds) || shard.IsForsaken(StuckMicroseconds) || (_lifetime > 0 && now - shard.Session.OpenedAt >= _lifetime)))
                    Retire(shard);
        }

        EndRetired(now);
    }

    // ---------------------------------------------------------------- one shared session

    private Session Add(SharedSession shard)
    {
        var session = _source.CreateShared(shard.Session, new Wire(shard.Wire.Open(), Capacity));
        session.GivesBack = shard.GivesBack;
        session.Holder = shard;
        Deadlines.Watch(session);
        return session;
    }

    private void Return(SharedSession shard, Session session)
    {
        var isInStep = session.IsAlive && shard.Wire.Failure is null && ((SharedTransport)session.Wire.Transport).IsSettled;
        if (isInStep && session.IsClean)
            shard.Leave(session);
        else
        {
            // Whoever was given up while its answer was awaited may hold up all behind it.
            if (isInStep || shard.Wire.Lateness > LateMicroseconds || shard.Wire.Dropped > MostDropped)
                Retire(shard);
            session.Close();
            shard.Leave(null);
        }

        if (shard.IsRetired)
            EndWhenOver(shard, Clock.Now);
    }

    private void Retire(SharedSession shard)
    {
        lock (_gate)
        {
            if (shard.IsRetired)
                return;
            shard.Retire();
            if (_shards[shard.Place] == shard)
                _shards[shard.Place] = null;
            _retired.Add(shard);
            _retirements++;
        }
    }

    private void EndRetired(long now)
    {
        SharedSession[] retired;
        lock (_gate)
        {
            if (_isDisposed && _retired.Count == 0)
                PoolSweeper.Remove(this);
            retired = [.. _retired];
        }

        foreach (var shard in retired)
            EndWhenOver(shard, now);
    }

    private void EndWhenOver(SharedSession shard, long now)
    {
        if (shard.Wire.Depth == 0)
            End(shard, evenWhenLeased: now - shard.RetiredAt > GraceMilliseconds);
        else if (shard.IsForsaken(StuckMicroseconds) && shard.TryClose(evenWhenLeased: false))
            new Thread(() => Stop(shard)) { IsBackground = true, Name = "Slipstream interruption of a shared session" }.Start();
    }

    // All callers have gone, and the server works for nobody: what stands behind the first command would run after it. Asking it blocks:
    // a thread of its own, for what is rare.
    private void Stop(SharedSession shard)
    {
        try
        {
            if (shard.Session.CancellationTimeout != 0)
                shard.Session.EndOnServer();
        }
        catch (Exception)
        {
            // It is closed all the same.
        }

        Finish(shard);
    }

    private void End(SharedSession shard, bool evenWhenLeased)
    {
        if (shard.TryClose(evenWhenLeased))
            Finish(shard);
    }

    private void Finish(SharedSession shard)
    {
        Retire(shard);
        lock (_gate)
            _retired.Remove(shard);
        shard.CloseIdle();
        // An earlier generation: the pool closes it.
        shard.Session.Generation = -1;
        shard.Wire.End(() => _source.Sessions.Return(shard.Session));
    }

    // ---------------------------------------------------------------- opening

    private void OpenLater(int place)
    {
        if (Clock.Now < Volatile.Read(ref _pausedUntil) || Interlocked.Exchange(ref _opening, 1) != 0)
            return;
        // Nothing of the caller's context goes along: not its transaction, nor its span.
        ThreadPool.UnsafeQueueUserWorkItem(static work => _ = work.Sharing.OpenAsync(work.Place), (Sharing: this, Place: place), preferLocal: false);
    }

    private async Task OpenAsync(int place)
    {
        var isOpen = false;
        var clearings = Volatile.Read(ref _clearings);
        try
        {
            var session = await _source.Sessions.LeaseAsync(this, _source.ConnectTimeout, default).ConfigureAwait(false);
            try
            {
                isOpen = await TryShareAsync(session, place, clearings).ConfigureAwait(false);
            }
            catch (Exception exception)
            {
                session.Break(exception.Message);
                throw;
            }
            finally
            {
                if (!isOpen)
                {
                    session.Released();
                    _source.Sessions.Return(session);
                }
            }
        }
        catch (Exception)
        {
            // Commands run on sessions of their own, and find out what is wrong.
        }
        finally
        {
            if (!isOpen)
                Volatile.Write(ref _pausedUntil, Clock.In(PauseMilliseconds));
            Volatile.Write(ref _opening, 0);
        }
    }

    // A round trip brings along what the session owes (reset, settings), and says whether it can be shared.
    private async Task<bool> TryShareAsync(Session session, int place, int clearings)
    {
        var ping = session.CreatePing();
        session.Operation.Begin(_source.ConnectTimeout);
        session.GluePrefixes();
        ping.Encode(session.Wire);
        session.Queue.Begin(ping);
        await AsyncPump.RunAsync(session.Queue, session.Wire).ConfigureAwait(false);
        if (ping.Error is not null || session.IsBroken || !session.SuitsBothWays || _source.CreateBounds(session) is not { } bounds)
            return false;
        SharedSession? shard = null;
        var wire = new SharedWire(session.Wire, bounds) { Broken = () => End(shard!, evenWhenLeased: true) };
        shard = new SharedSession(session, wire, place, Return);
        // From here on it is the shard's: what listening finds may end it before anybody gets on.
        wire.Start();
        lock (_gate)
        {
            if (_isDisposed || _clearings != clearings)
                Retire(shard);
            else if (!shard.IsRetired)
                _shards[place] = shard;
        }

        if (shard.IsRetired)
            EndWhenOver(shard, Clock.Now);
        return true;
    }
}
