using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.Core.Time;
using Slipstream.Core.Topology;

namespace Slipstream.Core.Clusters;

/// <summary>
/// Leases sessions of the servers of a cluster that suit a wish. A lease chooses a server from what the monitor knows, and takes a session of that server's
/// pool. Only if that fails, or no server suits, the caller searches and waits.
/// </summary>
/// <param name="cluster">The servers.</param>
/// <param name="wish">What the callers want.</param>
/// <param name="name">The wish in the provider's words, for messages.</param>
/// <param name="isOwner">Whether disposing this object disposes the cluster.</param>
internal sealed class ClusterView(Cluster cluster, HostWish wish, string name, bool isOwner) : ISessionSource<Session>
{
    /// <inheritdoc/>
    public Session Lease(object holder, long milliseconds) => Lease(holder, Clock.Now, milliseconds, null);

    /// <inheritdoc/>
    public ISessionSearch<Session>? SearchPrimary(Session refused, long milliseconds)
    {
        if (wish is not (HostWish.Primary or HostWish.ReadWrite) || refused.Watcher is not ClusterMember { Sessions.SharesLimit: false } member)
            return null;
        var selection = Search(Clock.Now, milliseconds);
        selection.Exclude(member);
        return new PrimarySearch(this, selection);
    }

    private Session Lease(object holder, long began, long milliseconds, ServerSelection? selection)
    {
        while (true)
        {
            var member = selection is null ? cluster.Choose(wish) : selection.Next();
            if (member is null)
            {
                if (selection is null)
                    selection = Search(began, milliseconds);
                else if (!cluster.WaitForChange(selection.Seen, selection.WaitTime))
                    selection.Waited();
                continue;
            }

            var generation = member.Generation;
            try
            {
                var session = member.Sessions.Lease(holder, selection?.TimeLeft ?? milliseconds);
                if (Suits(session, member))
                    return session;
                member.Sessions.Return(session);
                (selection ??= Search(began, milliseconds)).Rejected(member);
            }
            catch (Exception exception) when ((selection ??= Search(began, milliseconds)).Failed(member, generation, exception))
            {
                // The next server.
            }
        }
    }

    /// <inheritdoc/>
    public ValueTask<Session> LeaseAsync(object holder, long milliseconds, CancellationToken cancellationToken)
    {
        var began = Clock.Now;
        if (cluster.Choose(wish) is not { } member)
            return SearchAsync(holder, Search(began, milliseconds), cancellationToken);
        var generation = member.Generation;
        var lease = member.Sessions.LeaseAsync(holder, milliseconds, cancellationToken);
        if (!lease.IsCompletedSuccessfully)
            return GoOnAsync(lease, member, generation, holder, began, milliseconds, cancellationToken);
        var session = lease.Result;
        return Suits(session, member)
            ? new(session)
            : GoOnAsync(new(session), member, generation, holder, began, milliseconds, cancellationToken);
    }

    /// <inheritdoc/>
    public void Return(Session session) => ((ClusterMember)session.Watcher!).Sessions.Return(session);

    /// <inheritdoc/>
    public void Clear()
    {
        foreach (var member in cluster.Members)
            member.Sessions.Clear();
    }

    /// <inheritdoc/>
    public PoolStatistics GetStatistics() => PoolStatistics.Sum(Array.ConvertAll(cluster.Members, static member => member.Sessions.GetStatistics()));

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!isOwner)
            return;
        cluster.Dispose();
        foreach (var member in cluster.Members)
            member.Sessions.Dispose();
    }

    private ServerSelection Search(long began, long milliseconds) => new(cluster, wish, began, milliseconds, name);

    private async ValueTask<Session> GoOnAsync(
        ValueTask<Session> lease, ClusterMember member, long generation, object holder, long began, long milliseconds, CancellationToken cancellationToken)
    {
        ServerSelection? selection = null;
        try
        {
            var session = await lease.ConfigureAwait(false);
            if (Suits(session, member))
                return session;
            member.Sessions.Return(session);
            (selection = Search(began, milliseconds)).Rejected(member);
        }
        catch (Exception exception) when ((selection ??= Search(began, milliseconds)).Failed(member, generation, exception))
        {
            // The next server.
        }

        return await SearchAsync(holder, selection, cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask<Session> SearchAsync(object holder, ServerSelection selection, CancellationToken cancellationToken)
    {
        while (true)
        {
            if (selection.Next() is not { } member)
            {
                if (!await cluster.WaitForChangeAsync(selection.Seen, selection.WaitTime, cancellationToken).ConfigureAwait(false))
                    selection.Waited();
                continue;
            }

            var generation = member.Generation;
            try
            {
                var session = await member.Sessions.LeaseAsync(holder, selection.TimeLeft, cancellationToken).ConfigureAwait(false);
                if (Suits(session, member))
                    return session;
                member.Sessions.Return(session);
                selection.Rejected(member);
            }
            catch (Exception exception) when (selection.Failed(member, generation, exception))
            {
                // The next server.
            }
        }
    }

    private sealed class PrimarySearch(ClusterView view, ServerSelection selection) : ISessionSearch<Session>
    {
        public Session Lease(object holder) => view.Lease(holder, 0, 0, selection);

        public ValueTask<Session> LeaseAsync(object holder, CancellationToken cancellationToken) => view.SearchAsync(holder, selection, cancellationToken);
    }

    // The login of a new session may be later than the last probe.
    private bool Suits(Session session, ClusterMember member)
    {
        if (session.Leases.Ended > 0 || member.Status is not { Role: HostRole.Primary } status || session.OpenedAt <= status.Since
            || !member.Probe.IsReplicaAtLogin(session))
            return true;
        member.Contradicted(session);
        return wish is HostWish.Any or HostWish.Replica or HostWish.ReadOnly;
    }
}
