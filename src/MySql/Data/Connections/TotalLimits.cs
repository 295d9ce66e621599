using System.Collections.Concurrent;
using Slipstream.Core.Pooling;
using Slipstream.MySql.Options;

namespace Slipstream.MySql;

/// <summary>The limits that pools of this process share, for connection strings with Maximum Total Connections.</summary>
internal static class TotalLimits
{
    private static readonly ConcurrentDictionary<string, SessionLimit> Limits = new(StringComparer.Ordinal);

    /// <summary>Returns the limit that all pools with these servers and this maximum share; null if there is none.</summary>
    public static SessionLimit? Of(MySqlSettings settings) => settings.MaximumTotalConnections == 0 ? null
        : Limits.GetOrAdd(
            $"{settings.MaximumTotalConnections} {string.Join(',', settings.Endpoints)}", static (_, maximum) => new SessionLimit(maximum),
            settings.MaximumTotalConnections);
}
