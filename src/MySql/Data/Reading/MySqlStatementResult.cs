using Slipstream.Core.Conversations;

namespace Slipstream.MySql;

/// <summary>What one statement of a command or batch did, as <see cref="MySqlDataReader.StatementResults"/> lists it.</summary>
public readonly record struct MySqlStatementResult
{
    internal MySqlStatementResult(in StatementOutcome outcome)
    {
        HasResultSet = outcome.HasResultSet;
        RecordsAffected = outcome.HasResultSet ? -1 : outcome.Rows;
        LastInsertedId = (long)outcome.Id;
    }

    /// <summary>Gets whether the statement returned a result set, possibly without rows.</summary>
    public bool HasResultSet { get; }

    /// <summary>Gets the number of rows that the statement changed; −1 if it returned a result set.</summary>
    public long RecordsAffected { get; }

    /// <summary>Gets the first value that the statement generated for an AUTO_INCREMENT column; 0 if it generated none.</summary>
    public long LastInsertedId { get; }
}
