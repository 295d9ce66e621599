using Slipstream.Core.Causality;
using Slipstream.Core.Conversations;
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
/// <param name="token">What all callers must see; null for nothing.</param>
internal sealed class ClusterView(Cluster cluster, HostWish wish, string name, bool isOwner, WriteToken? token = null) : ISessionSource<Session>
{
    private readonly bool _wantsPrimary = wish is HostWish.Primary or HostWish.ReadWrite;

    /// <summary>The cluster.</summary>
    public Cluster Cluster => cluster;

    /// <summary>Returns the same view for callers who must see certain writes, besides those that the callers of this view must see.</summary>
    public ClusterView With(WriteToken seen) =>
        new(cluster, wish, name, isOwner: false, token is null ? seen : new(token.Position.Join(seen.Position)));

    /// <summary>Whether a server suits the callers now.</summary>
    public bool HasServer => cluster.Choices[wish].Length > 0;

    /// <inheritdoc/>
    public Session Lease(object holder, long milliseconds)
    {
        if (IHasOwnCallbacks.AreUsed)
            RefuseCallbacks(holder);
        // Nothing else is needed in most cases: no time, no selection.
        var need = Need;
        if (need is null && cluster.Choose(wish) is { } member && member.Sessions.TryLease(holder) is { } session)
        {
            if (Suits(session, member))
                return session;
            member.Sessions.Return(session);
        }

        var began = Clock.Now;
        return Lease(holder, began, milliseconds, need is null ? null : Search(began, milliseconds, need));
    }

    /// <inheritdoc/>
    public ISessionSearch<Session>? SearchPrimary(Session refused, long milliseconds)
    {
        if (!_wantsPrimary || refused.Watcher is not ClusterMember { Sessions.SharesLimit: false } member)
            return null;
        var selection = Search(Clock.Now, milliseconds, Need);
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
                if (Suits(session, member) && (selection is null || Sees(selection, session, member)))
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
        if (IHasOwnCallbacks.AreUsed)
            RefuseCallbacks(holder);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<Session>(cancellationToken);
        var need = Need;
        if (need is null && cluster.Choose(wish) is { } first && first.Sessions.TryLeaseAsynchronous(holder) is { } idle)
        {
            if (Suits(idle, first))
                return new(idle);
            first.Sessions.Return(idle);
        }

        return LeaseSlowAsync(holder, milliseconds, need, cancellationToken);
    }

    private ValueTask<Session> LeaseSlowAsync(object holder, long milliseconds, CausalNeed? need, CancellationToken cancellationToken)
    {
        var began = Clock.Now;
        if (need is not null)
            return SearchAsync(holder, Search(began, milliseconds, need), cancellationToken);
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
        if (isOwner)
            cluster.Dispose();
    }

    // The monitor logs in, too, once for all connections. Without the callbacks, it would send the password to a server that one of them refuses.
    private static void RefuseCallbacks(object holder)
    {
        if (holder is IHasOwnCallbacks { HasOwnCallbacks: true })
            throw new InvalidOperationException(
                "The connection has callbacks of its own for passwords or certificates, and the roles of its servers are watched over sessions that belong to "
                + "all connections. Set the callbacks on the data source builder instead.");
    }

    // What the caller must see: the writes of the token, and those of the causal scope.
    private CausalNeed? Need
    {
        get
        {
            // The only primary has executed all writes, as far as any server has.
            if (_wantsPrimary && !cluster.HasSeveralWriters)
                return null;
            var written = CausalScope.Find(cluster)?.Need;
            return token is null ? written : new CausalNeed(token.Position, null).Join(written);
        }
    }

    private ServerSelection Search(long began, long milliseconds, CausalNeed? need = null) => new(cluster, wish, began, milliseconds, name, need);

    private static bool Sees(ServerSelection selection, Session session, ClusterMember member)
    {
        if (selection.IsFresh(session, member))
            return true;
        try
        {
            if (selection.BeginWait(session, member, default) is not { } wait)
                return false;
            BlockingPump.Run(session.Queue, session.Wire);
            return selection.EndWait(session, member, wait);
        }
        catch (Exception exception)
        {
            // The caller uses another server. Closing the session has reported the loss.
            selection.WaitFailed(session, exception);
            return false;
        }
    }

    private static async ValueTask<bool> SeesAsync(
        ServerSelection selection, Session session, ClusterMember member, CancellationToken cancellationToken)
    {
        try
        {
            if (selection.BeginWait(session, member, cancellationToken) is not { } wait)
                return false;
            await AsyncPump.RunAsync(session.Queue, session.Wire).ConfigureAwait(false);
            return selection.EndWait(session, member, wait);
        }
        catch (Exception exception)
        {
            selection.WaitFailed(session, exception);
            return false;
        }
    }

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
                if (Suits(session, member) && (selection.IsFresh(session, member)
                    || await SeesAsync(selection, session, member, cancellationToken).ConfigureAwait(false)))
                    return session;
                member.Sessions.Return(session);
                selection.Rejected(member);
                cancellationToken.ThrowIfCancellationRequested();
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

    // The login of a new session may be later than the last probe, or the server have lost its role during the login.
    private bool Suits(Session session, ClusterMember member)
    {
        if (session.Leases.Ended > 0)
            return true;
        if (member.Status is { Role: HostRole.Primary } status && session.OpenedAt > status.Since && member.Probe.IsReplicaAtLogin(session))
        {
            member.Contradicted(session);
            return wish is HostWish.Any or HostWish.Replica or HostWish.ReadOnly;
        }

        var (snapshot, members) = cluster.State;
        return Array.IndexOf(members, member) is >= 0 and var at && Selection.HasRole(snapshot, at, wish);
    }
}
