using System.Net;
using Slipstream.Core.Errors;
using Slipstream.Core.Time;

namespace Slipstream.Core.Wires;

/// <summary>
/// The time limit and the caller's token for one attempt to open a session, in all its phases. When either ends, the connection is disposed, which ends
/// blocking and asynchronous calls alike, so no phase has to watch a clock. The time limit is watched like those of commands, not by a timer of the runtime.
/// Such timers need a free thread of the pool, and a program that waits for a server on all of its threads has none.
/// </summary>
internal sealed class DialScope : IDeadlined, IDisposable
{
    private readonly CancellationToken _callers;
    private readonly CancellationTokenSource _source;
    private readonly int _milliseconds;
    private readonly long _due;
    private readonly DialScope? _outer;
    private int _isCompleted;
    private int _isExpiring;
    private IDisposable? _connection;
    private ITransport? _transport;

    /// <param name="milliseconds">Time for all phases together, in milliseconds; 0 or less: no limit.</param>
    /// <param name="token">The caller's token.</param>
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

    /// <summary>Name of the option that sets the limit, for messages.</summary>
    public string LimitOption { get; init; } = "the connection time-out";

    /// <summary>The holder for which the session is opened, which may supply what the opening needs; null without one.</summary>
    public object? Holder { get; init; }

    /// <summary>TLS settings of the holder that replace those of the data source; null for the latter.</summary>
    public TlsSettings? Tls { get; init; }

    /// <summary>
    /// Whether TLS is required, whatever the mode is. The session belongs to another one that uses TLS (to stop or to replace it), and a server that offered
    /// TLS once must offer it again.
    /// </summary>
    public bool DemandsTls { get; set; }

    /// <summary>
    /// Address of the session that will be stopped: the only one that is tried, even if the name now resolves to others. Null: all addresses of the host.
    /// </summary>
    public IPAddress? Address { get; set; }

    /// <summary>
    /// Creates the scope of the next of several attempts that share the remaining time: an equal share, so that an attempt without an answer leaves time for
    /// the others. Without a limit in this scope, the share is 15 seconds.
    /// </summary>
    /// <param name="attempts">Number of remaining attempts, including this one.</param>
    /// <param name="most">Maximum time in milliseconds; 0: the equal share.</param>
    public DialScope ShareAmong(int attempts, int most = 0)
    {
        const int WithoutLimit = 15_000;
        var part = _due == Clock.Never ? WithoutLimit : Math.Max(1, (_due - Clock.Now) / attempts);
        return new((int)Math.Min(part, most > 0 ? most : int.MaxValue), this);
    }

    long IDeadlined.Due => Volatile.Read(ref _isCompleted) != 0 || Volatile.Read(ref _isExpiring) != 0 ? Clock.Never : _due;

    void IDeadlined.Expire(long now) => End();

    // On a separate thread: closing a connection while another thread waits for it takes time, and callbacks of the token may run any code.
    /// <summary>Ends the scope as if its time had run out.</summary>
    public void End()
    {
        if (Interlocked.Exchange(ref _isExpiring, 1) == 0)
            DedicatedThreads.Interruptions.Begin(Cancel);
    }

    /// <summary>Cancelled when the scope has ended.</summary>
    public CancellationToken Token => _source.Token;

    /// <summary>Whether the time has run out or the caller has cancelled.</summary>
    public bool HasEnded => _source.IsCancellationRequested;

    /// <summary>
    /// Whether the scope has ended, or its time has run out and the sweeper has not noticed it yet: a peer whose own limit ends at the same moment may be
    /// faster.
    /// </summary>
    public bool IsOutOfTime => HasEnded || Clock.Now >= _due;

    /// <summary>Sets the connection to dispose when the scope ends, whatever it waits for.</summary>
    public void Attach(IDisposable connection)
    {
        _connection = connection;
        if (HasEnded)
            connection.Dispose();
    }

    /// <summary>Sets the transport to shut down when the scope ends.</summary>
    public void AttachForShutdown(ITransport transport)
    {
        _transport = transport;
        if (HasEnded)
            transport.Shutdown();
    }

    /// <summary>Waits for an event within the scope. Returns false if the scope ends first.</summary>
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
            : new(WireFailure.TimedOut, $"Connecting to {endpoint} timed out after {_milliseconds / 1000.0:0.###} s while {phase}. Raise {LimitOption}, or "
                + "check the server and the network.")
            { RetrySafety = RetrySafety.NotSent };

    /// <summary>Marks the attempt as successful, so that the scope does not end the connection later. Returns false if it already has.</summary>
    public bool TryComplete() => Interlocked.Exchange(ref _isCompleted, 1) == 0;

    /// <inheritdoc/>
    public void Dispose()
    {
        Interlocked.Exchange(ref _isCompleted, 1);
        if (_due != Clock.Never)
            Deadlines.Forget(this);
        _connection = null;
        _transport = null;
        _source.Dispose();
    }

    private void Cancel()
    {
        try
        {
            _source.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The attempt has ended at this moment.
        }
        catch (AggregateException)
        {
            // A callback of the token threw, which must not end the process.
        }
    }

    // Whichever comes first wins: the end of the time or a cancellation, or the end of the attempt. A late one must not end a connection that is already in
    // use.
    private void Interrupt()
    {
        if (Interlocked.Exchange(ref _isCompleted, 1) != 0)
            return;
        _connection?.Dispose();
        _transport?.Shutdown();
    }
}
