namespace Slipstream.PostgreSql.Types;

/// <summary>
/// Reads and writes bit and varbit:
/// <code>
/// number of bits (int32) | bytes, the first bit is the highest of the first byte; the last byte is filled with zeros
/// </code>
/// In text, "101". Source: src/backend/utils/adt/varbit.c, varbit_send.
/// </summary>
internal static class BitString
{
    /// <summary>Returns the number of bits. In binary, the remaining bytes contain them; in text, the whole value.</summary>
    public static int ReadLength(ref PgValueReader reader)
    {
        if (!reader.IsBinary)
            return reader.Remaining;
        var count = reader.ReadInt32();
        if (count < 0 || reader.Remaining != (count + 7L) / 8)
            reader.Fail();
        return count;
    }

    /// <summary>Returns whether a bit is set. Fails if a character of a text is neither 0 nor 1.</summary>
    public static bool IsSet(ref PgValueReader reader, ReadOnlySpan<byte> bits, int index)
    {
        if (reader.IsBinary)
            return (bits[index / 8] & 0x80 >> index % 8) != 0;
        if (bits[index] is not ((byte)'0' or (byte)'1'))
            reader.Fail();
        return bits[index] == '1';
    }
}
