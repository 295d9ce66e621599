using Slipstream.Lab;

namespace Slipstream.Soak;

/// <summary>The settings of a run.</summary>
internal sealed record SoakOptions(ServerKind Kind, TimeSpan Duration, int Seed)
{
    public int AsyncWorkers { get; init; } = 64;

    public int BlockingWorkers { get; init; } = 16;

    /// <summary>Gets whether faults occur (default: true). Without them, no session may be lost.</summary>
    public bool WithFaults { get; init; } = true;

    /// <summary>Gets the names of the operations to run; empty: all.</summary>
    public IReadOnlyList<string> Work { get; init; } = [];

    /// <summary>Gets the names of the faults to cause; empty: all.</summary>
    public IReadOnlyList<string> Faults { get; init; } = [];

    /// <summary>Connection Timeout and Command Timeout of all workers, in seconds. Shorter than the longest faults, so that they expire.</summary>
    public const int TimeoutSeconds = 5;

    /// <summary>Cancellation Timeout of all workers, in seconds.</summary>
    public const int CancellationSeconds = 2;

    /// <summary>The time after the last fault from which operations may no longer fail for lack of a connection.</summary>
    public static readonly TimeSpan Recovery = TimeSpan.FromSeconds(2);
}
