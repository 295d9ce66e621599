using System.Buffers.Binary;
using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_STMT_EXECUTE. Answered by OK, ERR, or a binary result set.
/// <code>
/// 17 | statement_id (4) | flags (1) | iteration_count (4, always 1)
/// | with parameters: null_bitmap ((count + 7) / 8) | new_params_bind_flag (1) | with that flag: types (2 each) | values…
/// </code>
/// A type is the ColumnType in the low byte and 80 in the high byte for an unsigned number. Values of NULL parameters are left out.
/// Source: page_protocol_com_stmt_execute.
/// </summary>
public static class StatementExecute
{
    /// <summary>MariaDB: the statement that was prepared last on this connection.</summary>
    public const uint LastPrepared = 0xFFFFFFFF;

    /// <summary>High byte of the type of an unsigned number.</summary>
    public const ushort UnsignedFlag = 0x8000;

    /// <summary>The command up to its parameters; end it with <see cref="Packets.End"/>.</summary>
    public static int Begin(ByteWriter writer, uint statementId)
    {
        var at = writer.Begin();
        var room = writer.Grow(10);
        room[0] = CommandCode.StatementExecute;
        BinaryPrimitives.WriteUInt32LittleEndian(room[1..], statementId);
        BinaryPrimitives.WriteUInt32LittleEndian(room[6..], 1);
        room[5] = 0;
        return at;
    }

    /// <summary>A whole command without parameters.</summary>
    public static void Write(ByteWriter writer, uint statementId) => writer.End(Begin(writer, statementId));

    /// <summary>The empty bitmap and the flag that says whether types follow.</summary>
    /// <returns>Where the bitmap begins, for <see cref="SetNull"/>.</returns>
    public static int BeginParameters(ByteWriter writer, int count, bool typesFollow)
    {
        var bitmap = writer.Length;
        writer.Zeros((count + 7) / 8);
        writer.Byte(typesFollow ? (byte)1 : (byte)0);
        return bitmap;
    }

    public static void SetNull(ByteWriter writer, int bitmap, int parameter) => writer.Written[bitmap + parameter / 8] |= (byte)(1 << (parameter & 7));
}
