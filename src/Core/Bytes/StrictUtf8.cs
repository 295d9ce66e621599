using System.Text;

namespace Slipstream.Core.Bytes;

/// <summary>
/// UTF-8 of nothing but text: half of a surrogate pair is refused, where <see cref="Encoding.UTF8"/> would write U+FFFD in its place, unseen.
/// </summary>
internal static class StrictUtf8
{
    private static readonly UTF8Encoding Encoder = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>The bytes of a text.</summary>
    /// <exception cref="EncoderFallbackException">It holds half of a surrogate pair.</exception>
    public static byte[] GetBytes(string text)
    {
        try
        {
            return Encoder.GetBytes(text);
        }
        catch (EncoderFallbackException refusal)
        {
            throw Half(refusal);
        }
    }

    /// <summary>Appends the bytes of a text.</summary>
    /// <exception cref="EncoderFallbackException">It holds half of a surrogate pair. The caller takes back what was written.</exception>
    public static void Write(ByteWriter writer, ReadOnlySpan<char> text)
    {
        try
        {
            writer.Text(text, Encoder);
        }
        catch (EncoderFallbackException refusal)
        {
            throw Half(refusal);
        }
    }

    private static EncoderFallbackException Half(EncoderFallbackException refusal) =>
        new($"The text holds half of a surrogate pair (U+{(int)refusal.CharUnknown:X4} at index {refusal.Index}), which is not a character and cannot be written as UTF-8: correct the text; nothing was sent.", refusal);
}
