namespace Slipstream.Core.Pooling;

/// <summary>The search for a session of another server, after a server has refused a command that it may not execute.</summary>
internal interface ISessionSearch<T> where T : class, IPooledSession
{
    /// <summary>Leases a session to <paramref name="holder"/>, within the time of the search.</summary>
    T Lease(object holder);

    /// <inheritdoc cref="Lease"/>
    ValueTask<T> LeaseAsync(object holder, CancellationToken cancellationToken);
}
