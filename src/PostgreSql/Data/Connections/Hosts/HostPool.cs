using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.PostgreSql;

/// <summary>One of several servers: its pool, and its role as far as it is known.</summary>
/// <param name="source">The data source of this server alone.</param>
/// <param name="recheck">How long the role is believed, in milliseconds.</param>
internal sealed class HostPool(PgDataSource source, long recheck)
{
    // One word, so that no thread sees a role with the time of another: the expiry in the clock's milliseconds, and the role in the lowest byte.
    private const int ExpiryShift = 8;

    private long _known;

    /// <summary>Gets the data source of this server alone.</summary>
    public PgDataSource Source => source;

    /// <summary>Gets the server's address.</summary>
    public Endpoint Endpoint => source.Settings.Endpoints[0];

    /// <summary>Gets how long the role is believed, in milliseconds.</summary>
    public long Recheck => recheck;

    /// <summary>Gets the server's sessions.</summary>
    public ISessionSource<Session> Sessions => source.Sessions;

    /// <summary>Returns the role; Unknown after its time.</summary>
    public ServerRole RoleAt(long now)
    {
        var known = Volatile.Read(ref _known);
        return now < (known >> ExpiryShift) ? (ServerRole)(byte)known : ServerRole.Unknown;
    }

    /// <summary>Records the role.</summary>
    public void Learn(ServerRole role, long now) => Volatile.Write(ref _known, ((now + recheck) << ExpiryShift) | (byte)role);

    /// <summary>Forgets the role.</summary>
    public void Forget() => Volatile.Write(ref _known, 0);

    /// <summary>Returns whether a caller would get a session without waiting for another caller. The answer may be outdated at once.</summary>
    public bool HasRoom => Sessions.GetStatistics() is { } now && (now.Idle > 0 || now.Busy < now.MaxSize);

    /// <summary>The role that a session's server has reported; Unknown for servers before PostgreSQL 14, which do not report it.</summary>
    public static ServerRole ReportedBy(IReadOnlyDictionary<string, string> settings)
    {
        if (!settings.TryGetValue("in_hot_standby", out var standby) || !settings.TryGetValue("default_transaction_read_only", out var readOnly))
            return ServerRole.Unknown;
        return standby == "on" ? ServerRole.Standby : readOnly == "on" ? ServerRole.ReadOnlyPrimary : ServerRole.Primary;
    }
}
