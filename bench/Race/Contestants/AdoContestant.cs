using System.Data.Common;
using System.Reflection;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Contestants;

/// <summary>An ADO.NET provider, driven through its factory and the abstract types alone.</summary>
internal sealed class AdoContestant(string name, string version, Dialect dialect, DbProviderFactory factory, ITypedScalar? typedScalar, string assemblyPath)
    : Contestant(name, version, dialect)
{
    private readonly MethodInfo? _clearAllPools = factory.CreateConnection()?.GetType().GetMethod("ClearAllPools", BindingFlags.Public | BindingFlags.Static, []);

    public override Operation Create(Scenario scenario, Track track, Mode mode)
    {
        var pool = (mode is Mode.Async ? 1 : 0) + (scenario.Prepared ? 2 : 0);
        var connectionString = ConnectionStrings.For(Name, track, scenario.Pooling, pool);
        return scenario.OwnProcess
            ? new FirstRow(new FirstRowRequest(assemblyPath, factory.GetType().FullName!, connectionString, mode))
            : scenario.Create(new Seat(factory, connectionString, Dialect, typedScalar));
    }

    public override void ClearPools() => _clearAllPools?.Invoke(null, null);
}
