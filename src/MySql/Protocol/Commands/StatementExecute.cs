using System.Buffers.Binary;
using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_STMT_EXECUTE. Answered by OK, ERR, or a binary result set.
/// <code>
/// 17 | statement_id (4) | flags (1) | iteration_count (4, always 1)
/// | with parameters: null_bitmap ((count + 7) / 8) | new_params_bind_flag (1) | with that flag: types (2 each) | values…
/// </code>
/// With CLIENT_QUERY_ATTRIBUTES and at least one parameter or attribute, the flag 8 is set, the count (length-encoded) stands before the bitmap, and a
/// name (length-encoded) behind each type: empty for a parameter, not so for an attribute.
/// A type is the ColumnType in the low byte and 80 in the high byte for an unsigned number. Values of NULL parameters are left out.
/// Source: page_protocol_com_stmt_execute.
/// </summary>
internal static class StatementExecute
{
    /// <summary>MariaDB: the statement that was prepared last on this connection.</summary>
    public const uint LastPrepared = 0xFFFFFFFF;

    /// <summary>High byte of the type of an unsigned number.</summary>
    public const ushort UnsignedFlag = 0x8000;

    // PARAMETER_COUNT_AVAILABLE.
    private const byte ParameterCountAvailable = 8;
    private const int IterationCountLength = 4;

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

    /// <summary>The empty bitmap and the flag that says whether types follow, right behind what <see cref="Begin"/> wrote.</summary>
    /// <returns>Where the bitmap begins, for <see cref="SetNull"/>.</returns>
    public static int BeginParameters(ByteWriter writer, int count, bool typesFollow)
    {
        if (writer.Dialect == Query.WithAttributes)
        {
            writer.Written[^(IterationCountLength + 1)] = ParameterCountAvailable;
            writer.LengthEncoded((ulong)count);
        }

        var bitmap = writer.Length;
        writer.Zeros((count + 7) / 8);
        writer.Byte(typesFollow ? (byte)1 : (byte)0);
        return bitmap;
    }

    /// <summary>Bytes of a parameter's type, with its empty name where there are names.</summary>
    public static int TypeLength(ByteWriter writer) => writer.Dialect == Query.WithAttributes ? 3 : 2;

    /// <summary>A parameter's type.</summary>
    public static void WriteType(ByteWriter writer, ushort type)
    {
        writer.UInt16(type);
        if (writer.Dialect == Query.WithAttributes)
            writer.Byte(0);
    }

    /// <summary>Says that a parameter, counted from 0, is NULL, in the bitmap that begins at a place of what is written.</summary>
    public static void SetNull(ByteWriter writer, int bitmap, int parameter) => writer.Written[bitmap + parameter / 8] |= (byte)(1 << (parameter & 7));
}
