using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Responses;

/// <summary>
/// The server has done everything up to a Sync (or a simple Query) and says where its transaction stands.
/// <code>
/// 'Z' | 5 (int32) | status ('I', 'T' or 'E')
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", ReadyForQuery.
/// </summary>
internal static class ReadyForQuery
{
    /// <summary>Reads the body. The reader fails if it is cut short or the status is none of the three.</summary>
    public static TransactionStatus Read(ref ByteReader reader)
    {
        var status = (TransactionStatus)reader.Byte();
        if (status is not (TransactionStatus.Idle or TransactionStatus.InTransaction or TransactionStatus.Failed))
            reader.Fail();
        return status;
    }
}

/// <summary>Where the session's transaction stands.</summary>
internal enum TransactionStatus : byte
{
    /// <summary>Not in a transaction block.</summary>
    Idle = (byte)'I',

    InTransaction = (byte)'T',

    /// <summary>In a transaction block that refuses everything until it is rolled back.</summary>
    Failed = (byte)'E',
}
