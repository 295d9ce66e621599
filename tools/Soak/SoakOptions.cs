using Slipstream.Lab;

namespace Slipstream.Soak;

/// <summary>The settings of a run.</summary>
internal sealed record SoakOptions(ServerKind Kind, TimeSpan Duration, int Seed)
{
    /// <summary>Gets the cluster that runs instead of a single server; null for a single server.</summary>
    public ClusterKind? Cluster { get; init; }

    /// <summary>Gets the name of the server or the cluster on the command line.</summary>
    public string Name => Cluster?.Word() ?? Kind.Word();

    public int AsyncWorkers { get; init; } = 64;

    public int BlockingWorkers { get; init; } = 16;

    /// <summary>Gets whether faults occur (default: true). Without them, no session may be lost.</summary>
    public bool WithFaults { get; init; } = true;

    /// <summary>Gets whether the network of a cluster is cut, too. The run then is in a network of its own.</summary>
    public bool WithPartitions { get; init; }

    /// <summary>Gets the names of the operations to run; empty: all.</summary>
    public IReadOnlyList<string> Work { get; init; } = [];

    /// <summary>Gets the names of the faults to cause; empty: all.</summary>
    public IReadOnlyList<string> Faults { get; init; } = [];

    /// <summary>Connection Timeout and Command Timeout of all workers, in seconds. Shorter than the longest faults, so that they expire.</summary>
    public const int TimeoutSeconds = 5;

    /// <summary>Cancellation Timeout of all workers, in seconds.</summary>
    public const int CancellationSeconds = 2;

    /// <summary>
    /// Server Selection Timeout of all workers of a cluster, in seconds. A group elects a primary within 8 s of the loss of the former one, a loaded machine
    /// needs more.
    /// </summary>
    public const int SelectionSeconds = 12;

    /// <summary>Gets the time limit of a call that opens a connection, in seconds.</summary>
    public double OpenSeconds => Cluster is null ? TimeoutSeconds : SelectionSeconds + TimeoutSeconds;

    /// <summary>
    /// Gets the time after the last fault from which operations may no longer fail for lack of a connection. Of a cluster, each server must have been asked for
    /// its role again, which happens every two seconds.
    /// </summary>
    public TimeSpan Recovery => TimeSpan.FromSeconds(Cluster is null ? 2 : 5);
}
