namespace Slipstream.MySql.Codecs;

/// <summary>BIT(1) to BIT(64) → <see cref="ulong"/>: one to eight bytes, the most significant first, in text and in binary rows alike.</summary>
internal static class Bits
{
    public static ulong Read(ReadOnlySpan<byte> value)
    {
        if (value.Length is < 1 or > 8)
            Malformed.Throw("BIT", value.Length);
        ulong bits = 0;
        foreach (var part in value)
            bits = bits << 8 | part;
        return bits;
    }
}
