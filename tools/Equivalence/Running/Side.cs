namespace Slipstream.Equivalence.Running;

/// <summary>How the ways of waiting of a program are changed.</summary>
internal enum Ways
{
    AsWritten,
    Blocking,
    Asynchronous,
}

/// <summary>One of the two configurations that are compared.</summary>
/// <param name="Name">For people.</param>
/// <param name="Driver">The provider.</param>
/// <param name="Options">What its connection string says besides where the server is.</param>
/// <param name="Ways">How it waits.</param>
internal sealed record Side(string Name, Driver Driver, string Options, Ways Ways = Ways.AsWritten)
{
    /// <summary>Over TCP and inside TLS.</summary>
    public bool IsTls { get; init; }
}
