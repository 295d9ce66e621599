using System.Data.Common;
using System.Reflection;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Contestants;

/// <summary>An ADO.NET provider, driven through its factory and the abstract types alone.</summary>
internal sealed class AdoContestant(string name, string version, Dialect dialect, DbProviderFactory factory, ITypedScalar? typedScalar, string assemblyPath)
    : Contestant(name, version, dialect)
{
    private readonly MethodInfo? _clearAllPools = factory.CreateConnection()?.GetType().GetMethod("ClearAllPools", BindingFlags.Public | BindingFlags.Static, []);

    /// <summary>Options on top of the settings in force, in connection-string form.</summary>
    public string Options { get; init; } = "";

    /// <summary>Tells contestants of one provider apart that may have the same options: each has pools of its own.</summary>
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
