using Slipstream.Lab;

namespace Slipstream.Soak;

/// <summary>What one run does.</summary>
internal sealed record SoakOptions(ServerKind Kind, TimeSpan Duration, int Seed)
{
    public int AsyncWorkers { get; init; } = 64;

    public int BlockingWorkers { get; init; } = 16;

    /// <summary>Without faults the same work is done, and no session may be lost.</summary>
    public bool WithFaults { get; init; } = true;

    /// <summary>The names of the only operations; empty is all.</summary>
    public IReadOnlyList<string> Work { get; init; } = [];

    /// <summary>The names of the only faults; empty is all.</summary>
    public IReadOnlyList<string> Faults { get; init; } = [];

    /// <summary>Seconds: Connection Timeout and Command Timeout of all workers. Shorter than the longest faults, so that they run out.</summary>
    public const int TimeoutSeconds = 5;

    /// <summary>Seconds: Cancellation Timeout.</summary>
    public const int CancellationSeconds = 2;

    /// <summary>How soon after the last fault nothing may fail for want of a connection any more.</summary>
    public static readonly TimeSpan Recovery = TimeSpan.FromSeconds(2);
}
