using System.Data.Common;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Race.Contestants;

namespace Slipstream.KillRace;

/// <summary>A driver whose sessions are killed.</summary>
/// <param name="Name">The driver's name.</param>
/// <param name="Factory">The driver.</param>
internal sealed record Contestant(string Name, DbProviderFactory Factory)
{
    /// <summary>Returns the contestants on a server.</summary>
    /// <param name="isPostgreSql">Whether the server is PostgreSQL.</param>
    /// <param name="names">The names that the command line asks for; null for all.</param>
    /// <param name="others">Other providers, or other builds.</param>
    /// <param name="peers">The folder of the peers.</param>
    /// <exception cref="PeerException">A provider cannot be loaded.</exception>
    public static List<Contestant> Of(bool isPostgreSql, string[]? names, IReadOnlyList<PeerOption> others, string peers)
    {
        List<Contestant> all = [new("Slipstream", isPostgreSql ? PgFactory.Instance : MySqlConnectorFactory.Instance)];
        foreach (var other in others.Where(one => one.Dialect == Race.Dialect.PostgreSql == isPostgreSql))
            all.Add(new(other.Name, ProviderAssembly.Load(other.Name, other.Path, other.FactoryType).Factory));
        // A peer that could not be restored does not take part.
        var peer = isPostgreSql ? "Npgsql" : "MySqlConnector";
        if (Path.Combine(peers, peer, peer + ".dll") is var file && File.Exists(file))
            all.Add(new(peer, ProviderAssembly.Load(peer, file, null).Factory));
        return names is null ? all : all.FindAll(one => names.Contains(one.Name, StringComparer.OrdinalIgnoreCase));
    }
}
