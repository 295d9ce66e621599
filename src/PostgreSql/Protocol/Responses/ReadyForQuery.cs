using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Responses;

/// <summary>
/// The server has processed everything up to a Sync (or a simple Query), and reports the status of its transaction.
/// <code>
/// 'Z' | 5 (int32) | status ('I', 'T' or 'E')
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", ReadyForQuery.
/// </summary>
internal static class ReadyForQuery
{
    /// <summary>Reads the body. The reader fails if it is truncated or the status is not one of the three.</summary>
    public static TransactionStatus Read(ref ByteReader reader)
    {
        var status = (TransactionStatus)reader.Byte();
        if (status is not (TransactionStatus.Idle or TransactionStatus.InTransaction or TransactionStatus.Failed))
            reader.Fail();
        return status;
    }
}

/// <summary>The status of the session's transaction.</summary>
internal enum TransactionStatus : byte
{
    /// <summary>The session is not in a transaction block.</summary>
    Idle = (byte)'I',

    InTransaction = (byte)'T',

    /// <summary>The session is in a failed transaction block: the server rejects all commands until the rollback.</summary>
    Failed = (byte)'E',
}
