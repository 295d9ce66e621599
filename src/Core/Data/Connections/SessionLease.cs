using System.Data.Common;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <summary>The beginning of a lease, and the replacement of its session.</summary>
internal static class SessionLease
{
    /// <summary>Begins the lease of a session.</summary>
    public static void Begin(ProviderConnection connection, Session session)
    {
        session.LeasedAt = connection.Source.Telemetry.StartUse();
        session.KeepAlive?.Leased();
        session.LeaseBegins();
    }

    /// <summary>Replaces the session of a connection, which has refused its first command, by one of another server.</summary>
    /// <exception cref="DbException">Another thread has closed the connection meanwhile.</exception>
    public static void Replace(ProviderConnection connection, Session former, Session next)
    {
        var sessions = connection.Source.Sessions;
        if (Interlocked.CompareExchange(ref connection.SessionField, next, former) != former)
        {
            next.Released();
            sessions.Return(next);
            throw connection.ClosedByAnotherThread(null);
        }

        connection.Source.Telemetry.EndUse(former.LeasedAt);
        former.Released();
        sessions.Return(former);
        Begin(connection, next);
    }
}
