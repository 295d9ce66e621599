using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Fakes;

internal sealed class FakePooledSession(int number, bool asynchronous) : IPooledSession
{
    private readonly WeakReference<object?> _holder = new(null);
    private bool _isLeased;

    public int Number => number;

    public bool IsClosed { get; private set; }

    public bool IsBroken { get; set; }

    public bool IsAlive { get; set; } = true;

    public bool HasWaitedAsynchronously { get; set; } = asynchronous;

    public long OpenedAt { get; set; } = Clock.Now;

    public long ChangedAt { get; set; } = Clock.Now;

    public int Generation { get; set; }

    public object? Holder
    {
        get => _holder.TryGetTarget(out var holder) ? holder : null;
        set
        {
            _isLeased = value is not null;
            _holder.SetTarget(value);
        }
    }

    public bool IsLeaked => _isLeased && !_holder.TryGetTarget(out _);

    public void Close() => IsClosed = true;
}

internal sealed class FakeFactory : ISessionFactory<FakePooledSession>
{
    private int _opened;

    public int Opened => Volatile.Read(ref _opened);

    /// <summary>What opening throws; null to succeed.</summary>
    public Exception? Failure { get; set; }

    /// <summary>When set, opening waits for it.</summary>
    public TaskCompletionSource? Gate { get; set; }

    public FakePooledSession Open(long milliseconds)
    {
        Gate?.Task.Wait();
        return Make(asynchronous: false);
    }

    public async ValueTask<FakePooledSession> OpenAsync(long milliseconds, CancellationToken cancellationToken)
    {
        if (Gate is { } gate)
            await gate.Task.WaitAsync(cancellationToken);
        return Make(asynchronous: true);
    }

    public static WireException Refused => new(WireFailure.Refused, "Nobody listens at fake:1.") { RetrySafety = RetrySafety.NotSent };

    private FakePooledSession Make(bool asynchronous) => Failure is { } failure ? throw failure : new FakePooledSession(Interlocked.Increment(ref _opened), asynchronous);
}
