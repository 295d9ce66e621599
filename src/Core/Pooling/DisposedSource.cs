namespace Slipstream.Core.Pooling;

/// <summary>The exception of everyone who asks a disposed data source for a connection.</summary>
internal static class DisposedSource
{
    /// <param name="name">The pool's name; null without a pool.</param>
    public static ObjectDisposedException Refuse(string? name) => new(name, "The data source has been disposed: it cannot open connections.");
}
