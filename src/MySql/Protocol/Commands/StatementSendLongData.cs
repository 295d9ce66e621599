using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_STMT_SEND_LONG_DATA: sends a piece of a parameter's value before the execution. The server does not answer.
/// <code>
/// 18 | statement_id (4) | param_id (2) | data…
/// </code>
/// Source: page_protocol_com_stmt_send_long_data.
/// </summary>
internal static class StatementSendLongData
{
    /// <summary>The length of the payload before the data, in bytes.</summary>
    public const int HeaderLength = 7;

    /// <summary>Writes the whole command with a piece of a parameter's value. Parameters are counted from 0.</summary>
    public static void Write(ByteWriter writer, uint statementId, ushort parameter, ReadOnlySpan<byte> data)
    {
        var at = writer.Begin();
        writer.Byte(CommandCode.StatementSendLongData);
        writer.UInt32(statementId);
        writer.UInt16(parameter);
        writer.Bytes(data);
        writer.End(at);
    }

    /// <summary>Writes the same command without copying the data: they are sent from the caller's memory.</summary>
    public static void Write(ByteWriter writer, uint statementId, ushort parameter, ReadOnlyMemory<byte> data)
    {
        var at = writer.Begin();
        writer.Byte(CommandCode.StatementSendLongData);
        writer.UInt32(statementId);
        writer.UInt16(parameter);
        writer.Gather(data);
        writer.End(at);
    }
}
