namespace Slipstream.Core.Errors;

/// <summary>
/// An error of the server, as a value. The data layer turns it into an exception, so that conversations do not depend on exceptions of ADO.NET.
/// </summary>
/// <param name="Number">The vendor's error number; 0 if the database has none.</param>
/// <param name="SqlState">SQLSTATE of five characters; empty if the server sent none.</param>
/// <param name="Message">The server's message: untrusted text for people.</param>
internal sealed record ServerError(int Number, string SqlState, string Message)
{
    /// <summary>Further fields of the error, by the protocol's one-letter codes; null if the protocol has no such fields.</summary>
    public IReadOnlyDictionary<char, string>? Fields { get; init; }

    /// <summary>Name of the prefix that failed; null if the command itself failed.</summary>
    public string? FailedPrefix { get; init; }

    /// <summary>
    /// What the error proves about the operation. <see cref="RetrySafety.Unknown"/> if it may have been done in spite of the error: a prefix failed, or the
    /// server ended the session instead of answering (as a proxy does when it has lost the server).
    /// </summary>
    public RetrySafety Safety { get; init; } = RetrySafety.NotApplicable;

    /// <summary>
    /// Whether a server that is not the primary has refused the operation, which was a single statement outside of any transaction that only changes or reads
    /// data. Then the primary can execute it as if it had been sent there.
    /// </summary>
    public bool MayRunOnPrimary { get; init; }
}
