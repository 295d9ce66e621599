using System.Buffers.Binary;
using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_STMT_EXECUTE: executes a prepared statement. The server answers with OK, ERR or a binary result set.
/// <code>
/// 17 | statement_id (4) | flags (1) | iteration_count (4, always 1)
/// | with parameters: null_bitmap ((count + 7) / 8) | new_params_bind_flag (1) | with that flag: types (2 each) | values…
/// </code>
/// With CLIENT_QUERY_ATTRIBUTES and at least one parameter or attribute, flag 8 is set and the count (length-encoded) precedes the bitmap. A name
/// (length-encoded) then follows each type: an empty one for a parameter, a non-empty one for an attribute.
/// A type has the ColumnType in its low byte; its high byte is 80 (hexadecimal) for an unsigned number. NULL parameters have no value bytes.
/// Source: page_protocol_com_stmt_execute.
/// </summary>
internal static class StatementExecute
{
    /// <summary>The statement ID that stands for the statement prepared last on this connection. MariaDB only.</summary>
    public const uint LastPrepared = 0xFFFFFFFF;

    /// <summary>The flag for an unsigned number, in the high byte of a type.</summary>
    public const ushort UnsignedFlag = 0x8000;

    // The flag PARAMETER_COUNT_AVAILABLE.
    private const byte ParameterCountAvailable = 8;
    private const int IterationCountLength = 4;

    /// <summary>Writes the command up to its parameters. <see cref="Packets.End"/> ends it.</summary>
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

    /// <summary>Writes a whole command without parameters.</summary>
    public static void Write(ByteWriter writer, uint statementId) => writer.End(Begin(writer, statementId));

    /// <summary>Writes the empty bitmap and new_params_bind_flag, directly after the bytes that <see cref="Begin"/> wrote.</summary>
    /// <returns>The position of the bitmap, for <see cref="SetNull"/>.</returns>
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

    /// <summary>Returns the length of a parameter's type in bytes. The length includes the empty name if the connection has CLIENT_QUERY_ATTRIBUTES.</summary>
    public static int TypeLength(ByteWriter writer) => writer.Dialect == Query.WithAttributes ? 3 : 2;

    /// <summary>Writes a parameter's type.</summary>
    public static void WriteType(ByteWriter writer, ushort type)
    {
        writer.UInt16(type);
        if (writer.Dialect == Query.WithAttributes)
            writer.Byte(0);
    }

    /// <summary>Marks a parameter, counted from 0, as NULL in the bitmap at the given position.</summary>
    public static void SetNull(ByteWriter writer, int bitmap, int parameter) => writer.Written[bitmap + parameter / 8] |= (byte)(1 << (parameter & 7));
}
