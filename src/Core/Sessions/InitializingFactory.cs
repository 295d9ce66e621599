using Slipstream.Core.Pooling;

namespace Slipstream.Core.Sessions;

/// <summary>Prepares each new session, before it is leased for the first time.</summary>
internal interface ISessionInitializer
{
    /// <summary>Prepares the session by blocking.</summary>
    void Initialize(Session session);

    /// <summary>Prepares the session asynchronously.</summary>
    Task InitializeAsync(Session session);
}

/// <summary>Opens sessions and prepares each of them. A session whose preparation fails is closed.</summary>
/// <param name="factory">Opens the sessions.</param>
/// <param name="initializer">Prepares them.</param>
internal sealed class InitializingFactory(ISessionFactory<Session> factory, ISessionInitializer initializer) : ISessionFactory<Session>, IDisposable
{
    /// <inheritdoc/>
    public void Dispose() => (factory as IDisposable)?.Dispose();

    /// <inheritdoc/>
    public Session Open(long milliseconds) => Open(milliseconds, null);

    /// <inheritdoc/>
    public ValueTask<Session> OpenAsync(long milliseconds, CancellationToken cancellationToken) => OpenAsync(milliseconds, null, cancellationToken);

    /// <inheritdoc/>
    public Session Open(long milliseconds, object? holder)
    {
        var session = factory.Open(milliseconds, holder);
        try
        {
            initializer.Initialize(session);
            return Initialized(session);
        }
        catch
        {
            session.Close();
            throw;
        }
    }

    /// <inheritdoc/>
    public async ValueTask<Session> OpenAsync(long milliseconds, object? holder, CancellationToken cancellationToken)
    {
        var session = await factory.OpenAsync(milliseconds, holder, cancellationToken).ConfigureAwait(false);
        try
        {
            await initializer.InitializeAsync(session).ConfigureAwait(false);
            return Initialized(session);
        }
        catch
        {
            session.Close();
            throw;
        }
    }

    // The application's code may have ignored an error that closed the connection.
    private static Session Initialized(Session session) => session.IsBroken ? throw session.CreateLost() : session;
}

/// <summary>Leases a single session that is not in a pool yet, so that it can be used like any other.</summary>
/// <param name="session">The session.</param>
internal sealed class SingleSession(Session session) : ISessionSource<Session>
{
    /// <inheritdoc/>
    public Session Lease(object holder, long milliseconds)
    {
        session.Holder = holder;
        return session;
    }

    /// <inheritdoc/>
    public ValueTask<Session> LeaseAsync(object holder, long milliseconds, CancellationToken cancellationToken) => new(Lease(holder, milliseconds));

    /// <summary>Ends the lease. What it has set is meant to stay, so no reset follows.</summary>
    public void Return(Session session)
    {
        session.Holder = null;
        session.NeedsReset = false;
    }

    /// <inheritdoc/>
    public void Clear()
    {
        // There are no idle sessions.
    }

    /// <inheritdoc/>
    public PoolStatistics GetStatistics() => new PoolCounters().Report(new(MaxSize: 1), 0, 1, 0);

    /// <inheritdoc/>
    public void Dispose()
    {
        // The session belongs to its opener.
    }
}
