namespace Slipstream.Core.Pooling;

/// <summary>Why a session was closed.</summary>
public enum CloseReason
{
    /// <summary>The session was broken.</summary>
    Broken,
    /// <summary>Nobody needed it for the idle lifetime.</summary>
    IdleTooLong,
    /// <summary>It reached its lifetime.</summary>
    TooOld,
    /// <summary>The pool was cleared.</summary>
    Cleared,
    /// <summary>Its connection was never closed and is gone.</summary>
    Leaked,
    /// <summary>The pool is disposed of.</summary>
    Disposed,
    /// <summary>The server had ended it.</summary>
    Dead,
    /// <summary>The server would soon end it for idleness.</summary>
    ServerIdleLimit,

    /// <summary>Another pool needed its place below a limit that they share.</summary>
    Evicted,
}
