using System.Reflection;
using System.Runtime.InteropServices;

namespace Slipstream.Race.Contestants;

/// <summary>The contestants: Slipstream, the available peers and the raw floor; and a line for each that is not available.</summary>
internal sealed class ContestantList
{
    private static readonly (string Name, Dialect Dialect)[] DefaultPeers =
    [
        (PeerLoader.MySqlConnector, Dialect.MySql),
        (PeerLoader.ConnectorNet, Dialect.MySql),
        (PeerLoader.Npgsql, Dialect.PostgreSql),
    ];

    private static readonly (string Assembly, Dialect Dialect)[] OwnProviders =
        [("Slipstream.MySql", Dialect.MySql), ("Slipstream.PostgreSql", Dialect.PostgreSql)];

    public List<Contestant> Contestants { get; } = [];

    public List<string> Missing { get; } = [];

    /// <param name="peersFolder">The folder in which <c>./race</c> stores the peers that it could restore, each in a folder with its name.</param>
    /// <param name="peers">The <c>--peer</c> options.</param>
    /// <param name="variants">The <c>--variant</c> options.</param>
    /// <param name="jet">The C program; null if it does not take part.</param>
    public static ContestantList Gather(string peersFolder, IReadOnlyList<PeerOption> peers, IReadOnlyList<Variant> variants, JetOption? jet)
    {
        var field = new ContestantList();
        foreach (var (assembly, dialect) in OwnProviders)
        {
            field.Add(() => Slipstream(assembly, dialect, null, 0));
            for (var i = 0; i < variants.Count; i++)
                field.Add(() => Slipstream(assembly, dialect, variants[i], i + 1));
        }

        foreach (var (name, dialect) in DefaultPeers)
        {
            if (peers.Any(peer => peer.Name == name))
                continue;
            var path = Path.Combine(peersFolder, name, name + ".dll");
            if (File.Exists(path))
                field.Add(() => PeerLoader.Load(name, path, factoryType: null, dialect));
            else
                field.Missing.Add(
                    $"{name} does not take part: its package could not be restored here ({Path.Combine(peersFolder, name)}.missing). Give its assembly: "
                        + $"--peer {name}=/path/{name}.dll");
        }

        foreach (var peer in peers)
            field.Add(() => PeerLoader.Load(peer.Name, peer.Path, peer.FactoryType, peer.Dialect));
        if (jet is not null)
            field.Add(() => JetContestant.Load(jet));
        field.Contestants.Add(new RawContestant(Dialect.MySql));
        field.Contestants.Add(new RawContestant(Dialect.PostgreSql));
        return field;
    }

    private static AdoContestant Slipstream(string assemblyName, Dialect dialect, Variant? variant, int pools)
    {
        var assembly = Assembly.Load(assemblyName);
        var factory = ProviderAssembly.FactoryOf(assembly, assemblyName, factoryType: null);
        return new AdoContestant(
            variant?.ContestantName ?? Contestant.SlipstreamName, ProviderAssembly.VersionOf(assembly), dialect, factory, TypedScalars.For(factory),
            assembly.Location)
        {
            Options = variant?.Options ?? "",
            Pools = pools,
        };
    }

    private void Add(Func<Contestant> load)
    {
        try
        {
            Contestants.Add(load());
        }
        catch (PeerException exception)
        {
            Missing.Add(exception.Message);
        }
    }

    public static string Machine =>
        $"{Environment.ProcessorCount} processors, {RuntimeInformation.OSDescription}, .NET {Environment.Version}, workstation garbage collector";
}

/// <summary>The option <c>--peer NAME=ASSEMBLY.dll[,FACTORY.TYPE[,DIALECT]]</c>.</summary>
internal sealed record PeerOption(string Name, string Path, string? FactoryType, Dialect Dialect)
{
    /// <exception cref="PeerException">The text has another form.</exception>
    public static PeerOption Parse(string text)
    {
        var equals = text.IndexOf('=', StringComparison.Ordinal);
        var parts = text[(equals + 1)..].Split(',', StringSplitOptions.TrimEntries);
        if (equals <= 0 || parts.Length > 3 || parts[0].Length == 0)
            throw new PeerException($"--peer {text}: expected NAME=ASSEMBLY.dll[,FACTORY.TYPE[,DIALECT]]");
        var name = text[..equals].Trim();
        var dialect = parts.ElementAtOrDefault(2) switch
        {
            null or "" => name.Contains("pgsql", StringComparison.OrdinalIgnoreCase) ? Dialect.PostgreSql : Dialect.MySql,
            "mysql" => Dialect.MySql,
            "postgresql" => Dialect.PostgreSql,
            var other => throw new PeerException($"--peer {name}: unknown dialect '{other}': mysql or postgresql"),
        };
        return new PeerOption(name, parts[0], parts.ElementAtOrDefault(1) is { Length: > 0 } factory ? factory : null, dialect);
    }
}
