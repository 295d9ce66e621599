using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Tests.Support;

internal delegate T Decoder<out T>(ref ByteReader reader);

/// <summary>Truncated messages: at every length shorter than the whole, a decoder must report failure, without an exception and without reading on.</summary>
internal static class Cut
{
    public static void Everywhere<T>(ReadOnlySpan<byte> whole, Decoder<T> decode, params int[] allowed)
    {
        for (var length = 0; length < whole.Length; length++)
        {
            if (allowed.Contains(length))
                continue;
            var reader = new ByteReader(whole[..length]);
            decode(ref reader);
            Assert.True(reader.Failed, $"a message cut to {length} of {whole.Length} bytes was read");
        }
    }

    public static T Whole<T>(ReadOnlySpan<byte> whole, Decoder<T> decode)
    {
        var reader = new ByteReader(whole);
        var message = decode(ref reader);
        Assert.False(reader.Failed, "the message could not be read");
        return message;
    }
}
