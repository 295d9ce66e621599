namespace Slipstream.PostgreSql.Conversations;

/// <summary>What follows if a prepared statement turns out to be stale, or could be.</summary>
internal enum WhenStale : byte
{
    /// <summary>The caller prepared the statement, and gets the error if the command cannot be repeated.</summary>
    Reported,

    /// <summary>The exchange prepares the statement anew and repeats the command unseen: the server has undone everything.</summary>
    Repeated,

    /// <summary>An error would lose what has run, or the caller has seen it: the statement is parsed anew before it can be stale.</summary>
    Avoided,
}
