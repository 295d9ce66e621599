using System.Collections.Concurrent;
using Slipstream.Core.Pooling;
using Slipstream.MySql.Options;

namespace Slipstream.MySql;

/// <summary>What the pools of this process may have together, for those whose connection strings say so.</summary>
internal static class TotalLimits
{
    private static readonly ConcurrentDictionary<string, SessionLimit> Limits = new(StringComparer.Ordinal);

    /// <summary>The limit that all with these servers and this number share; null when there is none.</summary>
    public static SessionLimit? Of(MySqlSettings settings) => settings.MaximumTotalConnections == 0 ? null
        : Limits.GetOrAdd($"{settings.MaximumTotalConnections} {string.Join(',', settings.Endpoints)}", static (_, maximum) => new SessionLimit(maximum), settings.MaximumTotalConnections);
}
