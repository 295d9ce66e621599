namespace Slipstream.Tool.Doctor;

/// <summary>The result of a check.</summary>
internal enum Level
{
    /// <summary>Nothing to do.</summary>
    Ok,

    /// <summary>The server does not tell, for example because a privilege is missing.</summary>
    Unknown,

    /// <summary>It works, and a change would make it faster or safer.</summary>
    Advice,

    /// <summary>It fails, loses data or exposes secrets, now or under load.</summary>
    Problem,
}

/// <summary>What a check found.</summary>
/// <param name="Id">The name of the check, which stays the same between versions.</param>
/// <param name="Level">The result.</param>
/// <param name="Finding">What the server says, or what was measured.</param>
/// <param name="Docs">The page that explains it, such as <c>tls.md#modes</c>.</param>
internal sealed record Check(string Id, Level Level, string Finding, string Docs)
{
    /// <summary>Gets what to do; null if there is nothing to do.</summary>
    public string? Advice { get; init; }

    /// <summary>Gets the figures of the check, for programs.</summary>
    public IReadOnlyDictionary<string, double>? Figures { get; init; }

    public static Check Ok(string id, string finding, string docs) => new(id, Level.Ok, finding, docs);

    public static Check Unknown(string id, string finding, string docs) => new(id, Level.Unknown, finding, docs);

    public static Check Advise(string id, string finding, string advice, string docs) => new(id, Level.Advice, finding, docs) { Advice = advice };

    public static Check Problem(string id, string finding, string advice, string docs) => new(id, Level.Problem, finding, docs) { Advice = advice };
}
