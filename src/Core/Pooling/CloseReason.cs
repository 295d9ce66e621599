namespace Slipstream.Core.Pooling;

/// <summary>Why a session was closed.</summary>
public enum CloseReason
{
    /// <summary>The session was broken.</summary>
    Broken,
    /// <summary>No caller used the session for the idle lifetime.</summary>
    IdleTooLong,
    /// <summary>The session reached its lifetime.</summary>
    TooOld,
    /// <summary>The pool was cleared.</summary>
    Cleared,
    /// <summary>The connection was garbage collected without being closed.</summary>
    Leaked,
    /// <summary>The pool was disposed.</summary>
    Disposed,
    /// <summary>The server had ended the session.</summary>
    Dead,
    /// <summary>The server's limit for idle sessions was near.</summary>
    ServerIdleLimit,

    /// <summary>A pool with the same session limit needed the place.</summary>
    Evicted,
}
