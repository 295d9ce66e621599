namespace Slipstream.Core.Wires;

/// <summary>Who completes asynchronous waits for the server.</summary>
public enum AsyncEngine
{
    /// <summary>The driver's choice.</summary>
    Auto,

    /// <summary>The driver's own completion engine, where there is one (Linux on x64 and arm64); elsewhere the runtime's sockets.</summary>
    Own,

    /// <summary>The runtime's sockets.</summary>
    Runtime,
}

/// <summary>On which thread the caller goes on after an asynchronous wait that the own engine has completed.</summary>
public enum AsyncContinuations
{
    /// <summary>
    /// On the engine's thread that received the answer: no second thread has to wake up. It may block; the engine then starts another thread.
    /// </summary>
    Engine,

    /// <summary>On the thread pool, as with the runtime's sockets.</summary>
    ThreadPool,
}
