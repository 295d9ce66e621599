using Microsoft.Extensions.Logging;
using Slipstream.Core.Clusters;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Pooling;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>What a data source has besides its connection string.</summary>
internal sealed record DataSourceParts
{
    public static readonly DataSourceParts None = new();

    /// <summary>Gets the destination of log messages; null for none.</summary>
    public ILoggerFactory? Loggers { get; init; }

    /// <summary>Gets the pool's name; null for a name derived from the settings.</summary>
    public string? Name { get; init; }

    /// <summary>Gets the limit that the pool shares with others; null for none.</summary>
    public SessionLimit? Limit { get; init; }

    /// <summary>Gets the server whose pool this is, if it is one of several; null otherwise.</summary>
    public ClusterMember? Member { get; init; }

    /// <summary>Gets the source that names the servers; null if only the connection string does.</summary>
    public ITopologySource? Source { get; init; }

    /// <summary>Gets the functions that create connections in place of sockets; null for sockets.</summary>
    public StreamFactory? Streams { get; init; }

    /// <summary>Gets the application's callbacks for creating sessions.</summary>
    public SecurityCallbacks Callbacks { get; init; } = SecurityCallbacks.None;

    /// <summary>Gets the contents of spans.</summary>
    public Tracing Tracing { get; init; } = new();

    /// <summary>Gets what log messages contain about commands.</summary>
    public CommandLogging Logging { get; init; } = new();

    /// <summary>Gets the callback that prepares each new session; null for none.</summary>
    public Action<PgConnection>? Initializer { get; init; }

    /// <summary>Gets the same for asynchronous callers; null only if <see cref="Initializer"/> is.</summary>
    public Func<PgConnection, Task>? InitializerAsync { get; init; }
}
