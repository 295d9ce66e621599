using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_STMT_BULK_EXECUTE of MariaDB (10.2 and later, with MARIADB_CLIENT_STMT_BULK_OPERATIONS): one prepared INSERT, UPDATE or DELETE with many
/// rows of values. Answered by one OK with the sum of the affected rows, or ERR.
/// <code>
/// FA | statement_id (4) | bulk_flags (2) | with SendTypes: types (2 each)
/// | for each row, for each parameter: indicator (1) | with the indicator "value": value
/// </code>
/// A type is that of <see cref="StatementExecute"/>. There is no count: the rows end where the packet ends. All rows of a command have the same types.
/// Source: MariaDB "COM_STMT_BULK_EXECUTE".
/// </summary>
internal static class StatementBulkExecute
{
    /// <summary>bulk_flags: the answer lists the AUTO_INCREMENT values made.</summary>
    public const ushort ReturnGeneratedIds = 64;

    /// <summary>bulk_flags: the types of the parameters follow.</summary>
    public const ushort SendTypes = 128;

    /// <summary>Bytes of the payload in front of the types.</summary>
    public const int HeaderLength = 7;

    /// <summary>The command up to its first row, types included; end it with <see cref="Packets.End"/>.</summary>
    /// <param name="writer">Where it is appended.</param>
    /// <param name="statementId">The prepared statement, or <see cref="StatementExecute.LastPrepared"/>.</param>
    /// <param name="types">One for each parameter.</param>
    public static int Begin(ByteWriter writer, uint statementId, ReadOnlySpan<ushort> types)
    {
        var at = Begin(writer, statementId, types.Length);
        var room = writer.Written[^(2 * types.Length)..];
        for (var i = 0; i < types.Length; i++)
            BinaryPrimitives.WriteUInt16LittleEndian(room[(2 * i)..], types[i]);
        return at;
    }

    /// <summary>The same with the type NULL for each parameter: the last bytes written, to be patched when the values are known.</summary>
    public static int Begin(ByteWriter writer, uint statementId, int parameters)
    {
        var at = writer.Begin();
        var room = writer.Grow(HeaderLength + 2 * parameters);
        room[0] = CommandCode.StatementBulkExecute;
        BinaryPrimitives.WriteUInt32LittleEndian(room[1..], statementId);
        BinaryPrimitives.WriteUInt16LittleEndian(room[5..], SendTypes);
        for (var i = 0; i < parameters; i++)
            BinaryPrimitives.WriteUInt16LittleEndian(room[(HeaderLength + 2 * i)..], (ushort)ColumnType.Null);
        return at;
    }
}

/// <summary>STMT_INDICATOR_…: what stands in front of each value of <see cref="StatementBulkExecute"/>.</summary>
internal enum BulkIndicator : byte
{
    /// <summary>A value follows.</summary>
    Value = 0,

    /// <summary>NULL; nothing follows.</summary>
    Null = 1,

    /// <summary>The column's default; nothing follows.</summary>
    Default = 2,

    /// <summary>UPDATE leaves the column as it is; nothing follows.</summary>
    Ignore = 3,
}
