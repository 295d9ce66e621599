namespace Slipstream.Core.Wires;

/// <summary>Specifies how asynchronous waits for the server complete.</summary>
public enum AsyncEngine
{
    /// <summary>The driver chooses; currently the same as <see cref="Own"/>.</summary>
    Auto,

    /// <summary>The driver's own completion engine where it is available (Linux on x64 and arm64); elsewhere the runtime's sockets.</summary>
    Own,

    /// <summary>The runtime's sockets.</summary>
    Runtime,
}

/// <summary>Specifies on which thread the caller continues after an asynchronous wait that the driver's own engine has completed.</summary>
public enum AsyncContinuations
{
    /// <summary>
    /// On the engine's thread that received the answer, so that no second thread has to wake up. The caller's code may block; the engine then starts another
    /// thread.
    /// </summary>
    Engine,

    /// <summary>On the thread pool, as with the runtime's sockets.</summary>
    ThreadPool,
}
