using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_STMT_BULK_EXECUTE of MariaDB (10.2 and later, with MARIADB_CLIENT_STMT_BULK_OPERATIONS): executes one prepared INSERT, UPDATE or DELETE with many rows
/// of values. The server answers with ERR, or with one OK that has the total of the affected rows.
/// <code>
/// FA | statement_id (4) | bulk_flags (2) | with SendTypes: types (2 each)
/// | for each row, for each parameter: indicator (1) | with the indicator "value": value
/// </code>
/// The types are those of <see cref="StatementExecute"/>. All rows of a command have the same types. There is no row count: the rows end where the packet ends.
/// Source: MariaDB "COM_STMT_BULK_EXECUTE".
/// </summary>
internal static class StatementBulkExecute
{
    /// <summary>bulk_flags: the answer lists the generated AUTO_INCREMENT values.</summary>
    public const ushort ReturnGeneratedIds = 64;

    /// <summary>bulk_flags: the types of the parameters follow.</summary>
    public const ushort SendTypes = 128;

    /// <summary>The length of the payload before the types, in bytes.</summary>
    public const int HeaderLength = 7;

    /// <summary>Writes the command up to its first row, including the types. <see cref="Packets.End"/> ends it.</summary>
    /// <param name="writer">The writer to append to.</param>
    /// <param name="statementId">The prepared statement, or <see cref="StatementExecute.LastPrepared"/>.</param>
    /// <param name="types">The type of each parameter.</param>
    public static int Begin(ByteWriter writer, uint statementId, ReadOnlySpan<ushort> types)
    {
        var at = Begin(writer, statementId, types.Length);
        var room = writer.Written[^(2 * types.Length)..];
        for (var i = 0; i < types.Length; i++)
            BinaryPrimitives.WriteUInt16LittleEndian(room[(2 * i)..], types[i]);
        return at;
    }

    /// <summary>
    /// Writes the same with the type NULL for each parameter. The types are the last bytes written; the caller patches them when the values are known.
    /// </summary>
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

/// <summary>STMT_INDICATOR_…: the byte before each value of <see cref="StatementBulkExecute"/>.</summary>
internal enum BulkIndicator : byte
{
    /// <summary>A value follows.</summary>
    Value = 0,

    /// <summary>The value is NULL; no bytes follow.</summary>
    Null = 1,

    /// <summary>The value is the column's default; no bytes follow.</summary>
    Default = 2,

    /// <summary>UPDATE keeps the column's value; no bytes follow.</summary>
    Ignore = 3,
}
