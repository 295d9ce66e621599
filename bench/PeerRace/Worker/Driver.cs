using System.Data.Common;
using System.Globalization;
using Slipstream.Lab;
using Slipstream.Race;
using Slipstream.Race.Contestants;
using Slipstream.Race.Raw;

namespace Slipstream.PeerRace.Worker;

/// <summary>What the contestant's callers use to reach the server.</summary>
internal sealed class Driver
{
    private const string Raw = "raw";

    private readonly DbDataSource? _source;
    private readonly Track _track;
    private readonly bool _isAsync;

    private Driver(DbDataSource? source, string version, Track track, bool isAsync) =>
        (_source, Version, _track, _isAsync) = (source, version, track, isAsync);

    public string Version { get; }

    public static Driver FromEnvironment()
    {
        var kind = Variable("RACE_SERVER") == "postgresql" ? ServerKind.PostgreSql : ServerKind.MySql;
        var track = new Track(
            kind, "", Variable("RACE_HOST"), int.Parse(Variable("RACE_PORT"), CultureInfo.InvariantCulture), Variable("RACE_USER"), Variable("RACE_PASSWORD"),
            Variable("RACE_DATABASE"), Settings.Seed);
        var assembly = Variable("RACE_ASSEMBLY");
        if (assembly == Raw)
            return new(null, $".NET {Environment.Version}", track, isAsync: false);
        var (factory, version) = ProviderAssembly.Load(Path.GetFileName(assembly), assembly, null);
        return new(factory.CreateDataSource(Variable("RACE_CONNECTION")), version, track, Variable("RACE_MODE") == "async");
    }

    /// <summary>Opens the callers' connections, and runs each operation once.</summary>
    public async Task<Crew> OpenAsync(string scenario, int callers)
    {
        if (_isAsync)
            return await AsyncCrew.OpenAsync(_source!, scenario, callers);
        return BlockingCrew.Open(callers, () => (_source, scenario) switch
        {
            (null, "single") => new RawSingle(RawClient.Connect(_track)),
            (null, "fortunes") => new RawFortunes(RawClient.Connect(_track)),
            ({ } source, "single") => new AdoSingle(source.OpenConnection()),
            ({ } source, "fortunes") => new AdoFortunes(source.OpenConnection()),
            _ => throw new ArgumentException($"there is no scenario '{scenario}'"),
        });
    }

    private static string Variable(string name) => Environment.GetEnvironmentVariable(name) ?? throw new ArgumentException($"the variable {name} is missing");
}
