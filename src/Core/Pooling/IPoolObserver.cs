namespace Slipstream.Core.Pooling;

/// <summary>Receives the events of a pool, for logs.</summary>
internal interface IPoolObserver
{
    /// <summary>A session was opened.</summary>
    void Opened(string pool);

    /// <summary>A session was closed.</summary>
    void Closed(string pool, CloseReason reason);

    /// <summary>A connection was garbage collected without being closed; its session is closed.</summary>
    void Leaked(string pool);

    /// <summary>A session to keep the minimum could not be opened.</summary>
    void WarmUpFailed(string pool, Exception exception);
}
