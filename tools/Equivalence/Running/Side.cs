namespace Slipstream.Equivalence.Running;

/// <summary>Whether the calls of a program are blocking or asynchronous.</summary>
internal enum Ways
{
    AsWritten,
    Blocking,
    Asynchronous,
}

/// <summary>One of the two configurations that are compared.</summary>
/// <param name="Name">The name in reports.</param>
/// <param name="Driver">The provider.</param>
/// <param name="Options">The options of the connection string besides the server's address.</param>
/// <param name="Ways">Whether calls are blocking or asynchronous.</param>
internal sealed record Side(string Name, Driver Driver, string Options, Ways Ways = Ways.AsWritten)
{
    /// <summary>Gets whether the connections use TLS.</summary>
    public bool IsTls { get; init; }

    /// <summary>Gets whether the connections lead to a cluster, whose servers refuse steps.</summary>
    public bool IsCluster { get; init; }
}
