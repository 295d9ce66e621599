using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;

namespace Slipstream.MySql.Protocol.Responses;

/// <summary>
/// ERR_Packet: the server said no.
/// <code>
/// header (FF) | error_code (2) | '#' | sql_state (5) | error_message…
/// </code>
/// Before the capabilities are agreed ("Too many connections", "Host … is blocked") '#' and state are missing.
/// Source: "ERR_Packet" (page_protocol_basic_err_packet).
/// </summary>
internal readonly record struct Err(ushort Number, string SqlState, string Message)
{
    /// <summary>The packet's first byte.</summary>
    public const byte Header = 0xFF;

    /// <summary>Servers write at most 512 bytes (MYSQL_ERRMSG_SIZE); what somebody else writes is cut.</summary>
    public const int LongestMessage = 8192;

    /// <summary>Reads the body after the header byte.</summary>
    public static Err Read(ref ByteReader reader)
    {
        var number = reader.UInt16();
        var state = "";
        if (reader.Peek() == '#')
        {
            reader.Skip(1);
            state = reader.Text(5);
        }

        return new(number, ServerText.SqlState(state), ServerText.Printable(reader.Text(Math.Min(reader.Remaining, LongestMessage)), LongestMessage));
    }
}
