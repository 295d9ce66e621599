using Microsoft.Extensions.Diagnostics.HealthChecks;
using Slipstream.Core.Data;
using Slipstream.Core.Topology;

namespace Slipstream.Extensions;

/// <summary>
/// A health check: opens a connection, asks its server, and reports the servers of the data source. It uses only public members of the drivers.
/// </summary>
internal static class ServerCheck
{
    /// <summary>Runs the check.</summary>
    /// <param name="context">The context of the check.</param>
    /// <param name="source">The data source of the connection; null if there is only the connection.</param>
    /// <param name="missingHostStatus">The status if a server cannot be used, but one that suits answers.</param>
    /// <param name="open">Opens the connection.</param>
    /// <param name="ask">Asks its server. False: the server did not answer.</param>
    /// <param name="cancellationToken">Cancels the check.</param>
    public static async Task<HealthCheckResult> RunAsync<TConnection>(
        HealthCheckContext context, ProviderDataSource? source, HealthStatus missingHostStatus, Func<CancellationToken, ValueTask<TConnection>> open,
        Func<TConnection, CancellationToken, Task<bool>> ask, CancellationToken cancellationToken)
        where TConnection : ProviderConnection
    {
        var data = new Dictionary<string, object>();
        // Open would wait for a server, in vain if none returns.
        if (source is { HasSuitableHost: false, Topology: var known } && known.Hosts.All(static host => host.State != HostState.Unknown))
        {
            Add(data, known);
            return new(context.Registration.FailureStatus, $"No server suits the data source: {known}.", data: data);
        }

        try
        {
            await using var connection = await open(cancellationToken).ConfigureAwait(false);
            if (!await ask(connection, cancellationToken).ConfigureAwait(false))
                return Failed(context, source, data, "The server did not answer a ping: the pooled connection was lost.", null);
            data["server.version"] = connection.ServerVersion;
            return source is null ? HealthCheckResult.Healthy(data: data) : Describe(source, missingHostStatus, data);
        }
        catch (Exception exception) when (exception is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            return Failed(context, source, data, exception.Message, exception);
        }
    }

    /// <summary>Returns the result of a check that could not begin.</summary>
    public static HealthCheckResult Failed(HealthCheckContext context, Exception exception) =>
        new(context.Registration.FailureStatus, exception.Message, exception);

    private static HealthCheckResult Failed(
        HealthCheckContext context, ProviderDataSource? source, Dictionary<string, object> data, string description, Exception? exception)
    {
        if (source is not null)
            Add(data, source.Topology);
        return new(context.Registration.FailureStatus, description, exception, data);
    }

    private static HealthCheckResult Describe(ProviderDataSource source, HealthStatus missingHostStatus, Dictionary<string, object> data)
    {
        var (statistics, topology) = (source.Statistics, source.Topology);
        data["pool.idle"] = statistics.Idle;
        data["pool.busy"] = statistics.Busy;
        data["pool.waiting"] = statistics.Waiting;
        Add(data, topology);
        // A server that has neither answered nor failed yet is not missing.
        HostDescription[] missing = [.. topology.Hosts.Where(static host => host is { IsUsable: false, State: not HostState.Unknown })];
        if (missing.Length == 0)
            return HealthCheckResult.Healthy(data: data);
        var states = string.Join("; ", missing.AsEnumerable());
        return new(missingHostStatus, $"{missing.Length} of {topology.Hosts.Count} servers cannot be used: {states}.", data: data);
    }

    private static void Add(Dictionary<string, object> data, TopologyDescription topology)
    {
        if (!topology.IsWatched)
            return;
        data["topology.primary"] = topology.Primary?.Address ?? "none";
        foreach (var host in topology.Hosts)
        {
            var text = host.ToString()[(host.Address.Length + 1)..];
            data[$"topology.{host.Address}"] = host.LastError is { } error ? $"{text}: {error}" : text;
        }
    }
}
