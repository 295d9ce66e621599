using System.Data.Common;
using System.Reflection;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Contestants;

/// <summary>An ADO.NET provider, used only through its factory and the abstract types.</summary>
internal sealed class AdoContestant(string name, string version, Dialect dialect, DbProviderFactory factory, ITypedScalar? typedScalar, string assemblyPath)
    : Contestant(name, version, dialect)
{
    private readonly MethodInfo? _clearAllPools =
        factory.CreateConnection()?.GetType().GetMethod("ClearAllPools", BindingFlags.Public | BindingFlags.Static, []);

    /// <summary>Options in addition to the current settings, in connection-string form.</summary>
    public string Options { get; init; } = "";

    /// <summary>Distinguishes contestants of one provider that may have the same options, so that each has its own pools.</summary>
    public int Pools { get; init; }

    public override Operation Create(Scenario scenario, Track track, Mode mode)
    {
        var pool = Pools * ConnectionStrings.PoolsEach + (mode is Mode.Async ? 1 : 0) + (scenario.Prepared ? 2 : 0);
        var connectionString = ConnectionStrings.For(Name, track, scenario, pool, Options);
        return scenario.OwnProcess
            ? new FirstRow(new FirstRowRequest(assemblyPath, factory.GetType().FullName!, connectionString, mode))
            : scenario.Create(new Assignment(factory, connectionString, Dialect, typedScalar));
    }

    public override void ClearPools() => _clearAllPools?.Invoke(null, null);
}
