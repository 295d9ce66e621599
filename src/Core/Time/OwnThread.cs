using Slipstream.Core.Errors;

namespace Slipstream.Core.Time;

/// <summary>
/// Starts threads that belong to the driver. A process at its limit of threads or descriptors cannot start one. The caller learns that from the result;
/// otherwise an exception of the runtime would be thrown on a thread without a handler.
/// </summary>
internal static class OwnThread
{
    /// <summary>Starts a thread. Returns false if the system has no room for it.</summary>
    /// <param name="work">The thread's work. An exception that leaves it ends the process.</param>
    /// <param name="name">Name of the thread. The operating system may show only its first 15 characters.</param>
    public static bool TryStart(ThreadStart work, string name) => TryStart(work, name, 0);

    /// <summary>Starts a thread with a stack of <paramref name="stackSize"/> bytes; 0 for the default size.</summary>
    public static bool TryStart(ThreadStart work, string name, int stackSize)
    {
        try
        {
            // Without the execution context of the first caller: the thread also serves others.
            new Thread(work, stackSize) { IsBackground = true, Name = name }.UnsafeStart();
            return true;
        }
        catch (Exception exception) when (exception is OutOfMemoryException or ThreadStartException)
        {
            return false;
        }
    }

    /// <summary>The exception for a caller that needs a thread to continue.</summary>
    public static WireException NotStarted() => new(
        WireFailure.Unreachable,
        "A thread that the connection needs could not be started: the process or its container has reached a limit of threads, descriptors or memory. Raise "
        + "that limit, or use fewer of them.")
    { RetrySafety = RetrySafety.NotSent };
}
