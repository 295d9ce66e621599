using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Fakes;

internal sealed class FakePooledSession(int number, bool asynchronous) : IPooledSession
{
    private readonly LeakDetector _holder = new();

    public int Number => number;

    public bool IsClosed { get; private set; }

    /// <summary>Called when the pool reads the session's generation. The pool has already read its own generation, so the session may stay.</summary>
    public Action? BeforeParking { get; set; }

    public bool IsBroken { get; set; }

    public string? BrokenBecause { get; private set; }

    public void Break(string because) => (IsBroken, BrokenBecause) = (true, because);

    public bool IsAlive { get; set; } = true;

    public bool IsAliveAt(long precise) => IsAlive;

    public bool HasWaitedAsynchronously { get; set; } = asynchronous;

    public long OpenedAt { get; set; } = Clock.Now;

    public long ChangedAt { get; set; } = Clock.Now;

    public int Generation
    {
        get
        {
            var before = BeforeParking;
            BeforeParking = null;
            before?.Invoke();
            return field;
        }
        set;
    }

    public object? Holder
    {
        get => _holder.Holder;
        set => _holder.Holder = value;
    }

    public bool IsLeaked => _holder.IsLeaked;

    public void Close() => IsClosed = true;
}

internal sealed class FakeFactory : ISessionFactory<FakePooledSession>
{
    private int _opened;

    public int Opened => Volatile.Read(ref _opened);

    /// <summary>The exception of opening; null to succeed.</summary>
    public Exception? Failure { get; set; }

    /// <summary>If set, opening waits for it.</summary>
    public TaskCompletionSource? Gate { get; set; }

    /// <summary>The duration of opening. If it exceeds the caller's timeout, opening fails as with a slow server.</summary>
    public int Milliseconds { get; set; }

    /// <summary>The number of attempts under way, and their highest number at any time.</summary>
    public int Attempts;
    public int MostAttempts;
    public int AllAttempts;

    public FakePooledSession Open(long milliseconds)
    {
        Enter();
        try
        {
            Gate?.Task.Wait();
            if (Milliseconds > 0)
                Thread.Sleep(TimeFor(milliseconds));
            return Made(milliseconds, asynchronous: false);
        }
        finally
        {
            Interlocked.Decrement(ref Attempts);
        }
    }

    public async ValueTask<FakePooledSession> OpenAsync(long milliseconds, CancellationToken cancellationToken)
    {
        Enter();
        try
        {
            if (Gate is { } gate)
                await gate.Task.WaitAsync(cancellationToken);
            if (Milliseconds > 0)
                await Task.Delay(TimeFor(milliseconds), cancellationToken);
            return Made(milliseconds, asynchronous: true);
        }
        finally
        {
            Interlocked.Decrement(ref Attempts);
        }
    }

    private void Enter()
    {
        Interlocked.Increment(ref AllAttempts);
        var now = Interlocked.Increment(ref Attempts);
        for (var most = Volatile.Read(ref MostAttempts); now > most; most = Volatile.Read(ref MostAttempts))
            Interlocked.CompareExchange(ref MostAttempts, now, most);
    }

    private int TimeFor(long milliseconds) => milliseconds > 0 ? (int)Math.Min(Milliseconds, milliseconds) : Milliseconds;

    private FakePooledSession Made(long milliseconds, bool asynchronous) => milliseconds > 0 && milliseconds < Milliseconds
        ? throw new WireException(WireFailure.TimedOut, "fake:1 was too slow.") { RetrySafety = RetrySafety.NotSent }
        : Make(asynchronous);

    public static WireException Refused => new(WireFailure.Refused, "Nothing is listening at fake:1.") { RetrySafety = RetrySafety.NotSent };

    private FakePooledSession Make(bool asynchronous) =>
        Failure is { } failure ? throw failure : new FakePooledSession(Interlocked.Increment(ref _opened), asynchronous);
}
