using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Responses;

/// <summary>
/// A COPY … FROM STDIN waits for its data. CopyOutResponse (type 'H') has the same body and announces a COPY … TO STDOUT. So has CopyBothResponse
/// (type 'W'), which begins replication: from then on, both sides send data.
/// <code>
/// 'G' | length (int32) | format (1) | count (int16) | { column_format (int16) }…
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", CopyInResponse.
/// </summary>
/// <param name="IsBinary">True if the copy has binary format, false if it has text format.</param>
/// <param name="Columns">The number of columns in a row.</param>
internal readonly record struct CopyInResponse(bool IsBinary, int Columns)
{
    /// <summary>Reads the body. The reader fails if the count does not match the number of bytes.</summary>
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
