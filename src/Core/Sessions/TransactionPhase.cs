namespace Slipstream.Core.Sessions;

/// <summary>What may have become of the work of the transaction that the connection has begun, as far as the client can know without an answer.</summary>
internal enum TransactionPhase : byte
{
    /// <summary>The connection has not begun a transaction. (A statement of the user, or an ambient transaction, may have.)</summary>
    None,

    /// <summary>Nothing that was sent can have committed any of its work.</summary>
    Open,

    /// <summary>Its COMMIT is being sent, and nothing before can have committed any of its work.</summary>
    Ending,

    /// <summary>A statement was sent that may commit, such as a CALL, or CREATE TABLE on MySQL.</summary>
    Doubtful,
}
