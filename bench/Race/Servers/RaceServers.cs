using Slipstream.Lab;

namespace Slipstream.Race.Servers;

/// <summary>The lab's servers for the race, with the data set in each.</summary>
internal sealed class RaceServers : IAsyncDisposable
{
    private readonly List<LabServer> _servers = [];
    private readonly List<LatencyProxy> _proxies = [];

    public List<Track> Tracks { get; } = [];

    /// <summary>One line for each server that is not available.</summary>
    public List<string> Missing { get; } = [];

    /// <param name="latency">The latency per direction; with zero, contestants connect directly.</param>
    public static async Task<RaceServers> StartAsync(IReadOnlyList<ServerKind> kinds, TimeSpan latency, Action<string> say, CancellationToken stop)
    {
        var servers = new RaceServers();
        try
        {
            foreach (var kind in kinds)
                await servers.AddAsync(kind, latency, say, stop);
            return servers;
        }
        catch
        {
            await servers.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var proxy in _proxies)
            proxy.Dispose();
        foreach (var server in _servers)
            await server.DisposeAsync();
    }

    private async Task AddAsync(ServerKind kind, TimeSpan latency, Action<string> say, CancellationToken stop)
    {
        LabServer.Progress = say;
        say($"{Track.NameOf(kind)}: starting");
        LabServer server;
        try
        {
            server = await LabServer.StartAsync(kind, stop);
        }
        catch (LabUnavailableException exception)
        {
            Missing.Add($"{Track.NameOf(kind)} does not take part: {exception.Message}");
            return;
        }

        _servers.Add(server);
        var track = new Track(kind, server.Version, server.Host, server.Port, server.User, server.Password, DataSet.Database, Settings.Seed)
        {
            ServerProcess = server.ProcessId
        };
        say($"{Track.NameOf(kind)} {server.Version}: data");
        DataSet.Ensure(track, server.Database);
        if (latency > TimeSpan.Zero)
        {
            var proxy = LatencyProxy.Start(track.Host, track.Port, latency);
            _proxies.Add(proxy);
            track = track with { Host = "127.0.0.1", Port = proxy.Port };
        }

        Tracks.Add(track);
    }
}
