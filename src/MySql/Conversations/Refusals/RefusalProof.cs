namespace Slipstream.MySql.Conversations;

/// <summary>What the server's error proves about an execution.</summary>
internal enum RefusalProof : byte
{
    /// <summary>Nothing: a part of the command may have been executed.</summary>
    None,

    /// <summary>The server no longer has the prepared statement, or its tables have changed. Nothing was executed.</summary>
    StatementLost,

    /// <summary>The server could not convert a value that it might store as a literal. Nothing was executed.</summary>
    ValueUnconverted,
}
