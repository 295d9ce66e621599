using System.Diagnostics;

namespace Slipstream.Core.Conversations;

/// <summary>
/// Refers to the command or batch of an exchange without holding it: its caller does, by the stack, the task or the reader. The session outlives the caller, so
/// it must not hold the caller's values; and the pool finds a connection that was never closed only if nothing leads from the session to the connection.
/// </summary>
/// <typeparam name="T">The interface by which the exchange uses the object.</typeparam>
internal struct HeldByCaller<T>
    where T : class
{
    private WeakReference<T>? _reference;

    /// <summary>Gets whether there is an object.</summary>
    public bool IsSet { get; private set; }

    /// <summary>Gets the object.</summary>
    public readonly T Value => IsSet && _reference!.TryGetTarget(out var target)
        ? target
        : throw new UnreachableException("An exchange continued after its caller was collected.");

    /// <summary>Gets the object; null if there is none.</summary>
    public readonly T? ValueOrNull => IsSet ? Value : null;

    /// <summary>Refers to another object, or to none.</summary>
    public void Set(T? value)
    {
        IsSet = value is not null;
        if (value is null)
            return;
        if (_reference is null)
            _reference = new(value);
        else
            _reference.SetTarget(value);
    }
}
