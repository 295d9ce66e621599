namespace Slipstream.ScaleModel;

/// <summary>A cell: how many callers, sessions and processors.</summary>
/// <param name="Server">The server's name.</param>
/// <param name="Callers">The callers; each begins its next operation when the last one has ended.</param>
/// <param name="Pool">The maximum pool size.</param>
/// <param name="Processors">How the processors are divided.</param>
internal sealed record Setting(string Server, int Callers, int Pool, Processors Processors)
{
    /// <summary>Gets the time for a round trip through the network in microseconds.</summary>
    public double RoundTrip { get; init; }

    /// <summary>Gets whether this is the measured machine, whose processors slow each other down.</summary>
    public bool IsMeasuredMachine { get; init; } = true;
}

/// <summary>The processors of the client and the server.</summary>
/// <param name="Client">The client's.</param>
/// <param name="Server">The server's; 0 if it shares the client's.</param>
internal sealed record Processors(int Client, int Server)
{
    /// <summary>Both on one processor.</summary>
    public static Processors One { get; } = new(1, 0);

    /// <summary>One processor for each.</summary>
    public static Processors Divided { get; } = new(1, 1);

    /// <summary>Both share two processors.</summary>
    public static Processors Together { get; } = new(2, 0);

    public override string ToString() => Server == 0 ? $"{Client} shared" : $"{Client} + {Server}";
}
