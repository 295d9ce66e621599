namespace Slipstream.PostgreSql;

/// <summary>What became of a transaction whose connection was lost during its <c>Commit</c>.</summary>
public enum PgCommitOutcome
{
    /// <summary>
    /// The server did not answer in time, or it cannot know: it is another one than before, or was promoted, or the transaction had changed nothing before the
    /// commit.
    /// </summary>
    Unknown,

    /// <summary>The transaction was committed. Its work must not be repeated.</summary>
    Committed,

    /// <summary>The transaction was rolled back. Its work can be repeated.</summary>
    RolledBack,

    /// <summary>The server has not ended the transaction yet, for example because it has not noticed that the connection was lost.</summary>
    InProgress,
}
