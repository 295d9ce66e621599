namespace Slipstream.Core.Pooling;

/// <summary>Hears what happens in a pool, for logs.</summary>
public interface IPoolObserver
{
    void Opened(string pool);

    void Closed(string pool, CloseReason reason);

    /// <summary>A connection was garbage collected without being closed; its session is closed.</summary>
    void Leaked(string pool);

    void WarmUpFailed(string pool, Exception exception);
}
