using Slipstream.Core.Time;

namespace Slipstream.Core.Pooling;

/// <summary>One caller that waits for a session. Exactly one of giving, failing and giving up wins.</summary>
public abstract class Waiter<T>(object holder) : PlaceWaiter where T : class
{
    private int _decided;
    private volatile bool _isHandedOver;

    /// <summary>Who waits.</summary>
    public object Holder => holder;

    /// <summary>Where it stands in the queue; null when it was never there.</summary>
    internal LinkedListNode<Waiter<T>>? Place { get; set; }

    /// <summary>When the sweeper of the deadlines shall end the wait; never for one that looks at the clock itself.</summary>
    internal virtual long Due => Clock.Never;

    /// <summary>The session, when one was given; null when the waiter may try to open one itself.</summary>
    public T? Session { get; private set; }

    /// <summary>Why there is no session; null when there is one.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Hands over a session, or with null the right to open one. False when the waiter has gone.</summary>
    public bool TryGive(T? session)
    {
        if (!TryDecide())
            return false;
        Session = session;
        _isHandedOver = true;
        Wake();
        return true;
    }

    internal override bool TryGivePlace()
    {
        if (!TryDecide())
            return false;
        HasPlace = true;
        _isHandedOver = true;
        Wake();
        return true;
    }

    /// <summary>Ends the wait in vain; false when it has ended.</summary>
    public bool TryFail(Exception failure)
    {
        if (!TryDecide())
            return false;
        Failure = failure;
        _isHandedOver = true;
        Wake();
        return true;
    }

    /// <summary>The waiter stops waiting. False when something was given or failed in the same moment: it must be taken.</summary>
    public bool TryGiveUp()
    {
        if (TryDecide())
            return true;
        // The giver has decided but may not have put the session there yet: who left now would lose it for ever.
        var spin = new SpinWait();
        while (!_isHandedOver)
            spin.SpinOnce();
        return false;
    }

    /// <summary>The time has run out.</summary>
    internal virtual void Expire()
    {
        // Who looks at the clock himself knows.
    }

    /// <summary>The wait has ended: lets the waiter go on.</summary>
    protected abstract void Wake();

    /// <summary>True for one only: who gives, fails or gives up.</summary>
    private protected bool TryDecide() => Interlocked.Exchange(ref _decided, 1) == 0;
}

/// <summary>Waits on its own event: no pool thread is needed to wake it.</summary>
public sealed class BlockingWaiter<T>(object holder) : Waiter<T>(holder), IDisposable where T : class
{
    private readonly ManualResetEventSlim _event = new();

    /// <summary>False when the time ran out.</summary>
    public bool Wait(int milliseconds) => _event.Wait(milliseconds);

    /// <inheritdoc/>
    public void Dispose() => _event.Dispose();

    /// <inheritdoc/>
    protected override void Wake() => _event.Set();
}
