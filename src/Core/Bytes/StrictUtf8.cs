using System.Text;

namespace Slipstream.Core.Bytes;

/// <summary>
/// UTF-8 encoding that rejects half of a surrogate pair. <see cref="Encoding.UTF8"/> would silently write U+FFFD instead.
/// </summary>
internal static class StrictUtf8
{
    private static readonly UTF8Encoding Encoder = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Encodes a text.</summary>
    /// <exception cref="EncoderFallbackException">The text contains half of a surrogate pair.</exception>
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

    /// <summary>Appends an encoded text.</summary>
    /// <exception cref="EncoderFallbackException">The text contains half of a surrogate pair. The caller removes what was written.</exception>
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

    /// <summary>Returns the text if it can be encoded.</summary>
    /// <exception cref="EncoderFallbackException">The text contains half of a surrogate pair.</exception>
    public static string Checked(string text)
    {
        try
        {
            _ = Encoder.GetByteCount(text);
            return text;
        }
        catch (EncoderFallbackException refusal)
        {
            throw Half(refusal);
        }
    }

    private static EncoderFallbackException Half(EncoderFallbackException refusal) =>
        new($"The text contains half of a surrogate pair (U+{(int)refusal.CharUnknown:X4} at index {refusal.Index}), which is not a character and cannot be "
            + "written as UTF-8: correct the text; nothing was sent.", refusal);
}
