namespace Slipstream.Core.Pooling;

/// <summary>Creates the exception for a connection request to a disposed data source.</summary>
internal static class DisposedSource
{
    /// <param name="name">Name of the pool; null without one.</param>
    public static ObjectDisposedException Refuse(string? name) => new(name, "The data source has been disposed: it cannot open connections.");
}
