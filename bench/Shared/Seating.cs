namespace Slipstream.Bench;

/// <summary>How the processors are divided.</summary>
internal enum Seating
{
    /// <summary>The client has the first processor for itself; the server, and the load generator of a web race, have the others.</summary>
    Divided,

    /// <summary>All share all processors.</summary>
    Together,
}
