namespace Slipstream.PostgreSql.Conversations;

/// <summary>What follows when a prepared statement turns out to be stale, or could.</summary>
internal enum WhenStale : byte
{
    /// <summary>The caller has prepared it, and gets the error where it cannot be asked again.</summary>
    Told,

    /// <summary>It is prepared anew, and what was asked is asked again, unseen: the server has undone all of it.</summary>
    AskedAgain,

    /// <summary>What has run would be lost, or has been seen: it is parsed anew before it can be stale.</summary>
    Avoided,
}
