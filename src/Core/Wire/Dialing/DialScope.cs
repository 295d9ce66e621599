using System.Net;
using Slipstream.Core.Errors;
using Slipstream.Core.Time;

namespace Slipstream.Core.Wires;

/// <summary>
/// The time and the caller's token that bound one attempt to open a session, in all its phases. When either ends, the connection is disposed,
/// which ends a blocking call as well as an asynchronous one: no phase has to watch a clock. The time is watched as that of commands is, and not by a timer of
/// the runtime: those need a free thread of the pool, which a program has none of when it waits for a server on all of them.
/// </summary>
internal sealed class DialScope : IDeadlined, IDisposable
{
    private readonly CancellationToken _callers;
    private readonly CancellationTokenSource _source;
    private readonly int _milliseconds;
    private readonly long _due;
    private readonly DialScope? _outer;
    private int _isOver;
    private int _isExpiring;
    private IDisposable? _connection;
    private ITransport? _transport;

    /// <param name="milliseconds">For all phases together; 0 or less is no limit.</param>
    /// <param name="token">The caller's.</param>
    public DialScope(int milliseconds, CancellationToken token)
    {
        _callers = token;
        _milliseconds = milliseconds;
        _due = Clock.In(milliseconds);
        _source = CancellationTokenSource.CreateLinkedTokenSource(token);
        _source.Token.UnsafeRegister(static scope => ((DialScope)scope!).Interrupt(), this);
        if (milliseconds <= 0)
            return;
        try
        {
            Deadlines.Watch(this);
        }
        catch
        {
            _source.Dispose();
            throw;
        }

        Deadlines.Noticed();
    }

    private DialScope(int milliseconds, DialScope outer)
        : this(milliseconds, outer.Token)
    {
        _outer = outer;
        LimitOption = outer.LimitOption;
        Holder = outer.Holder;
        Tls = outer.Tls;
        DemandsTls = outer.DemandsTls;
        Address = outer.Address;
    }

    /// <summary>What the user raises to give it more time, for messages.</summary>
    public string LimitOption { get; init; } = "the connection time-out";

    /// <summary>For whom the session is opened, who may bring what that needs; null for nobody yet.</summary>
    public object? Holder { get; init; }

    /// <summary>What the holder wants of TLS in place of what the data source wants; null for that.</summary>
    public TlsSettings? Tls { get; init; }

    /// <summary>
    /// TLS is demanded whatever the mode says: the session belongs to one that has it, to stop it or in its place, and a server that offered it once does not
    /// lose it.
    /// </summary>
    public bool DemandsTls { get; set; }

    /// <summary>
    /// Where the session is that is to be stopped: the only address that is tried, whatever the name service says now. Null for all that the host's name has.
    /// </summary>
    public IPAddress? Address { get; set; }

    /// <summary>
    /// The time of the next of so many attempts that share what is left of this scope: an equal part, so that one that nobody answers leaves
    /// the others theirs. Without a limit here, a quarter of a minute.
    /// </summary>
    /// <param name="attempts">The next one included.</param>
    /// <param name="most">Milliseconds for it at most; 0 for the equal part.</param>
    public DialScope ShareAmong(int attempts, int most = 0)
    {
        const int WithoutLimit = 15_000;
        var part = _due == Clock.Never ? WithoutLimit : Math.Max(1, (_due - Clock.Now) / attempts);
        return new((int)Math.Min(part, most > 0 ? most : int.MaxValue), this);
    }

    long IDeadlined.Due => Volatile.Read(ref _isOver) != 0 || Volatile.Read(ref _isExpiring) != 0 ? Clock.Never : _due;

    // On a thread of its own: closing a connection that somebody waits for takes a moment, and who listens to the token may be anybody's code.
    void IDeadlined.Expire(long now)
    {
        if (Interlocked.Exchange(ref _isExpiring, 1) == 0)
            DedicatedThreads.Interruptions.Begin(End);
    }

    /// <summary>Cancelled when the scope has ended.</summary>
    public CancellationToken Token => _source.Token;

    /// <summary>Whether the time is over or the caller has given up.</summary>
    public bool HasEnded => _source.IsCancellationRequested;

    /// <summary>
    /// The same, or the time is over and the thread that watches it has only not said so yet: a peer whose own time ends in the same moment may be faster.
    /// </summary>
    public bool IsOutOfTime => HasEnded || Clock.Now >= _due;

    /// <summary>The connection to dispose when the scope ends, whatever it waits for then.</summary>
    public void Attach(IDisposable connection)
    {
        _connection = connection;
        if (HasEnded)
            connection.Dispose();
    }

    /// <summary>The transport to shut down when the scope ends.</summary>
    public void AttachForShutdown(ITransport transport)
    {
        _transport = transport;
        if (HasEnded)
            transport.Shutdown();
    }

    /// <summary>Waits for an event within the scope; false when the scope has ended first.</summary>
    public bool Wait(ManualResetEventSlim done)
    {
        try
        {
            done.Wait(_source.Token);
            return true;
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }

    /// <summary>The exception for an attempt that this scope has ended.</summary>
    public WireException Ended(Endpoint endpoint, string phase) => _outer is { HasEnded: true } ? _outer.Ended(endpoint, phase)
        : _outer is null && _callers.IsCancellationRequested
            ? new(WireFailure.Canceled, $"Opening a connection to {endpoint} was cancelled while {phase}.") { RetrySafety = RetrySafety.NotSent }
            : new(WireFailure.TimedOut, $"{endpoint} did not become usable within {_milliseconds / 1000.0:0.###} s; the time ran out while {phase}. Raise {LimitOption}, or check the server and the network.")
            { RetrySafety = RetrySafety.NotSent };

    /// <summary>The attempt has succeeded: from now on nothing ends the connection. False when the scope was first, and has ended it.</summary>
    public bool TryComplete() => Interlocked.Exchange(ref _isOver, 1) == 0;

    /// <inheritdoc/>
    public void Dispose()
    {
        Interlocked.Exchange(ref _isOver, 1);
        if (_due != Clock.Never)
            Deadlines.Forget(this);
        _connection = null;
        _transport = null;
        _source.Dispose();
    }

    private void End()
    {
        try
        {
            _source.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The attempt has ended in this moment.
        }
        catch (AggregateException)
        {
            // What listens to the token threw: it must not end the process.
        }
    }

    // Whichever is first: the end of the time or of the caller's patience, or that of the attempt. One that comes late must not end a connection that is in use
    // already.
    private void Interrupt()
    {
        if (Interlocked.Exchange(ref _isOver, 1) != 0)
            return;
        _connection?.Dispose();
        _transport?.Shutdown();
    }
}
