namespace Slipstream.Core.Errors;

/// <summary>The server said no. A value: the public shell makes the exception, so that no conversation needs to know about exceptions of ADO.NET.</summary>
/// <param name="Number">The vendor's number; 0 where the database has none.</param>
/// <param name="SqlState">Five characters; empty where the server sent none.</param>
/// <param name="Message">The server's text: untrusted, for people.</param>
internal sealed record ServerError(int Number, string SqlState, string Message)
{
    /// <summary>What else the server said, by the protocol's one-letter field codes; null where the protocol has no such fields.</summary>
    public IReadOnlyDictionary<char, string>? Fields { get; init; }

    /// <summary>Set on a prefix's failure, when the command behind the prefix may have run without it.</summary>
    public string? FailedPrefix { get; init; }

    /// <summary>
    /// True when what was asked may have been done all the same: a prefix failed, or the server ended the session in place of an answer
    /// (a proxy does so when it has lost the server).
    /// </summary>
    public bool MayHaveRun
    {
        get => field || FailedPrefix is not null;
        init;
    }
}
