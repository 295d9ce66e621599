using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Clusters;

/// <summary>Opens sessions of one of several servers, and has them watched.</summary>
/// <param name="factory">Opens the sessions.</param>
/// <param name="member">The server.</param>
internal sealed class WatchedFactory(ISessionFactory<Session> factory, ClusterMember member) : ISessionFactory<Session>, IDisposable
{
    /// <inheritdoc/>
    public void Dispose() => (factory as IDisposable)?.Dispose();

    /// <inheritdoc/>
    public Session Open(long milliseconds) => Open(milliseconds, null);

    /// <inheritdoc/>
    public ValueTask<Session> OpenAsync(long milliseconds, CancellationToken cancellationToken) => OpenAsync(milliseconds, null, cancellationToken);

    // The generation is read before the opening: a session that was opened while its server was retired may belong to the time before.
    /// <inheritdoc/>
    public Session Open(long milliseconds, object? holder)
    {
        var generation = member.Generation;
        return Watched(factory.Open(milliseconds, holder), generation);
    }

    /// <inheritdoc/>
    public async ValueTask<Session> OpenAsync(long milliseconds, object? holder, CancellationToken cancellationToken)
    {
        var generation = member.Generation;
        return Watched(await factory.OpenAsync(milliseconds, holder, cancellationToken).ConfigureAwait(false), generation);
    }

    private Session Watched(Session session, long generation)
    {
        (session.Watcher, session.HostGeneration) = (member, generation);
        if (session.Writes is { } writes)
            writes.Server = member;
        return session;
    }
}
