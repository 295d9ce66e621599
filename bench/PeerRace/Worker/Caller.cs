namespace Slipstream.PeerRace.Worker;

/// <summary>A blocking caller, with a connection and a prepared statement of its own.</summary>
internal abstract class Caller : IDisposable
{
    /// <summary>Gets what the last operation read.</summary>
    public abstract string Check { get; }

    /// <summary>Runs one operation.</summary>
    /// <exception cref="InvalidOperationException">The answer is wrong.</exception>
    public abstract void Run();

    public abstract void Dispose();
}
