using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Responses;

/// <summary>
/// LOCAL INFILE Request: the server requests a file of the client. The server chooses the name, so it cannot be trusted.
/// <code>
/// FB | filename…
/// </code>
/// Source: page_protocol_com_query_response_local_infile_request.
/// </summary>
internal readonly record struct LocalInfileRequest(string FileName)
{
    /// <summary>The packet's first byte.</summary>
    public const byte Header = 0xFB;

    /// <summary>Reads the body after the header byte.</summary>
    public static LocalInfileRequest Read(ref ByteReader reader) => new(reader.Text(reader.Remaining));
}
