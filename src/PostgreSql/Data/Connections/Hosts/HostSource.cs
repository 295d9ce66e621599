using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>Leases sessions of the servers that have a wanted role.</summary>
/// <param name="hosts">The servers.</param>
/// <param name="target">The wanted role.</param>
/// <param name="rotates">Whether each lease begins with the next server.</param>
/// <param name="isOwner">Whether disposing this object disposes the servers' pools.</param>
internal sealed class HostSource(HostPool[] hosts, TargetSessionAttributes target, bool rotates, bool isOwner) : ISessionSource<Session>
{
    private int _next = -1;

    /// <inheritdoc/>
    public Session Lease(object holder, long milliseconds)
    {
        var search = new HostSearch(InOrder(), target, milliseconds);
        while (search.Next())
        {
            try
            {
                var session = search.Host.Sessions.Lease(holder, search.Milliseconds);
                try
                {
                    if (search.IsWanted((PgSession)session) ?? search.Learned(RoleQuestion.Ask(search.Host.Source, session, holder, search.Milliseconds)))
                        return session;
                }
                catch
                {
                    search.Host.Sessions.Return(session);
                    throw;
                }

                search.Host.Sessions.Return(session);
            }
            catch (Exception exception) when (search.Failed(exception))
            {
                // The next server.
            }
        }

        throw search.Failure();
    }

    /// <inheritdoc/>
    public async ValueTask<Session> LeaseAsync(object holder, long milliseconds, CancellationToken cancellationToken)
    {
        var search = new HostSearch(InOrder(), target, milliseconds);
        while (search.Next())
        {
            try
            {
                var session = await search.Host.Sessions.LeaseAsync(holder, search.Milliseconds, cancellationToken).ConfigureAwait(false);
                try
                {
                    if (search.IsWanted((PgSession)session) ?? search.Learned(
                        await RoleQuestion.AskAsync(search.Host.Source, session, holder, search.Milliseconds, cancellationToken).ConfigureAwait(false)))
                        return session;
                }
                catch
                {
                    search.Host.Sessions.Return(session);
                    throw;
                }

                search.Host.Sessions.Return(session);
            }
            catch (Exception exception) when (search.Failed(exception))
            {
                // The next server.
            }
        }

        throw search.Failure();
    }

    /// <inheritdoc/>
    public void Return(Session session) => Array.Find(hosts, host => ReferenceEquals(host.Endpoint, session.Endpoint))!.Sessions.Return(session);

    /// <inheritdoc/>
    public void Clear()
    {
        foreach (var host in hosts)
            host.Sessions.Clear();
    }

    /// <inheritdoc/>
    public PoolStatistics GetStatistics()
    {
        var all = Array.ConvertAll(hosts, static host => host.Sessions.GetStatistics());
        return new()
        {
            Idle = all.Sum(static one => one.Idle),
            Busy = all.Sum(static one => one.Busy),
            Waiting = all.Sum(static one => one.Waiting),
            MaxSize = (int)Math.Min(int.MaxValue, all.Sum(static one => (long)one.MaxSize)),
            MinSize = (int)Math.Min(int.MaxValue, all.Sum(static one => (long)one.MinSize)),
            Opened = all.Sum(static one => one.Opened),
            OpenFailures = all.Sum(static one => one.OpenFailures),
            WaitTimeouts = all.Sum(static one => one.WaitTimeouts),
            Closed = all.SelectMany(static one => one.Closed).GroupBy(static pair => pair.Key).ToDictionary(
                static group => group.Key, static group => group.Sum(static pair => pair.Value)),
            Waits = [.. Enumerable.Range(0, all[0].Waits.Count).Select(bucket => all.Sum(one => one.Waits[bucket]))],
        };
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!isOwner)
            return;
        foreach (var host in hosts)
            host.Source.Dispose();
    }

    private HostPool[] InOrder()
    {
        if (!rotates || hosts.Length == 1)
            return hosts;
        var first = (Interlocked.Increment(ref _next) & int.MaxValue) % hosts.Length;
        return [.. hosts.AsSpan(first), .. hosts.AsSpan(0, first)];
    }
}
