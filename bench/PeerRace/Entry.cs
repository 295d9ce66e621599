namespace Slipstream.PeerRace;

/// <summary>A contestant that can be started on a server.</summary>
/// <param name="Name">The name: a driver, or an ecosystem.</param>
/// <param name="Mode">sync: callers are threads; async: they are not.</param>
/// <param name="Words">The program and its arguments.</param>
/// <param name="Variables">The environment variables of the contestant, in addition to those of the server.</param>
/// <param name="Missing">Why it does not take part; null if it does.</param>
internal sealed record Entry(string Name, string Mode, IReadOnlyList<string> Words, IReadOnlyDictionary<string, string> Variables, string? Missing = null)
{
    public const string Ours = "Slipstream";

    /// <summary>The protocol written by hand: the least that a driver can do.</summary>
    public const string Minimal = "minimal driver";

    /// <summary>Gets the least number of callers that the contestant needs: one for each of its processes.</summary>
    public int LeastCallers { get; init; } = 1;
}
