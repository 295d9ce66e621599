using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Tests.Protocol;

/// <summary>Reads a message body whole and truncated at every length: the whole body must succeed, a truncated one must fail.</summary>
internal static class Cut
{
    public delegate T Decoder<T>(ref ByteReader reader);

    public static T Read<T>(byte[] body, Decoder<T> decode)
    {
        for (var length = 0; length < body.Length; length++)
        {
            var cut = new ByteReader(body.AsSpan(0, length));
            decode(ref cut);
            Assert.True(cut.Failed, $"a body cut to {length} of {body.Length} bytes was read");
        }

        var reader = new ByteReader(body);
        var message = decode(ref reader);
        Assert.False(reader.Failed);
        return message;
    }

    public static void Refuse<T>(byte[] body, Decoder<T> decode)
    {
        var reader = new ByteReader(body);
        decode(ref reader);
        Assert.True(reader.Failed);
    }
}
