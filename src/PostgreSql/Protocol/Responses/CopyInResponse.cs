using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Responses;

/// <summary>
/// A COPY … FROM STDIN waits for its data (CopyOutResponse, type 'H', has the same body and announces a COPY … TO STDOUT).
/// <code>
/// 'G' | length (int32) | format (1) | count (int16) | { column_format (int16) }…
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", CopyInResponse.
/// </summary>
/// <param name="IsBinary">The whole copy is binary, not text.</param>
/// <param name="Columns">How many columns a row has.</param>
internal readonly record struct CopyInResponse(bool IsBinary, int Columns)
{
    /// <summary>Reads the body. The reader fails if the count does not fit the bytes.</summary>
    public static CopyInResponse Read(ref ByteReader reader)
    {
        var format = reader.Byte();
        var columns = reader.Int16BigEndian();
        if (format > 1 || columns < 0 || reader.Remaining != columns * 2)
            reader.Fail();
        reader.Skip(columns * 2);
        return new(format == 1, columns);
    }
}
