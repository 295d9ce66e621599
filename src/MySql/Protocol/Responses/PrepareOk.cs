using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Responses;

/// <summary>
/// COM_STMT_PREPARE_OK: the statement is prepared. The definitions of the parameters follow, then those of the columns.
/// <code>
/// status (00) | statement_id (4) | num_columns (2) | num_params (2) | filler (1) | warnings (2)
/// </code>
/// Source: "COM_STMT_PREPARE Response" (page_protocol_com_stmt_prepare).
/// </summary>
internal readonly record struct PrepareOk(uint StatementId, ushort Columns, ushort Parameters, ushort Warnings)
{
    /// <summary>Reads the body after the status byte.</summary>
    public static PrepareOk Read(ref ByteReader reader)
    {
        var id = reader.UInt32();
        var columns = reader.UInt16();
        var parameters = reader.UInt16();
        reader.Skip(1);
        return new(id, columns, parameters, reader.UInt16());
    }
}
