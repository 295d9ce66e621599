using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;

namespace Slipstream.MySql.Protocol.Responses;

/// <summary>
/// ERR_Packet: the server reports an error.
/// <code>
/// header (FF) | error_code (2) | '#' | sql_state (5) | error_message…
/// </code>
/// '#' and the state are missing before the capabilities are agreed ("Too many connections", "Host … is blocked").
/// Source: "ERR_Packet" (page_protocol_basic_err_packet).
/// </summary>
internal readonly record struct Err(ushort Number, string SqlState, string Message)
{
    /// <summary>The packet's first byte.</summary>
    public const byte Header = 0xFF;

    /// <summary>The longest message that is read, in bytes. Servers send at most 512 bytes (MYSQL_ERRMSG_SIZE); a longer message is cut.</summary>
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
