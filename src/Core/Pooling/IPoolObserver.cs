namespace Slipstream.Core.Pooling;

/// <summary>Hears what happens in a pool, for logs.</summary>
internal interface IPoolObserver
{
    /// <summary>A session was opened.</summary>
    void Opened(string pool);

    /// <summary>A session was closed, and why.</summary>
    void Closed(string pool, CloseReason reason);

    /// <summary>A connection was garbage collected without being closed; its session is closed.</summary>
    void Leaked(string pool);

    /// <summary>A session that was to be kept ready could not be opened.</summary>
    void WarmUpFailed(string pool, Exception exception);
}
