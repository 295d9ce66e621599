using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_STMT_SEND_LONG_DATA: a piece of a parameter's value, ahead of the execution. There is no answer.
/// <code>
/// 18 | statement_id (4) | param_id (2) | data…
/// </code>
/// Source: page_protocol_com_stmt_send_long_data.
/// </summary>
internal static class StatementSendLongData
{
    /// <summary>Bytes of the payload in front of the data.</summary>
    public const int HeaderLength = 7;

    /// <summary>The whole command: a piece of the value of a parameter, counted from 0.</summary>
    public static void Write(ByteWriter writer, uint statementId, ushort parameter, ReadOnlySpan<byte> data)
    {
        var at = writer.Begin();
        writer.Byte(CommandCode.StatementSendLongData);
        writer.UInt32(statementId);
        writer.UInt16(parameter);
        writer.Bytes(data);
        writer.End(at);
    }

    /// <summary>The same; the data are sent from where they lie.</summary>
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
