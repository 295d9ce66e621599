using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;

namespace Slipstream.Caching;

/// <summary>Encodes an entry's key for the table, so that two different strings never have the same bytes.</summary>
internal static class CacheKey
{
    /// <summary>The length of the column. The indexes of both servers hold this many bytes, even with InnoDB's smallest pages.</summary>
    public const int MaxLength = 512;

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>
    /// Returns the key as UTF-8 if that is shorter than the column. Every other key (a long one, or one that is not valid Unicode) fills the column: with the
    /// beginning of its UTF-8 form, for people who read the table, and a hash of the whole string.
    /// </summary>
    public static byte[] Encode(string key)
    {
        // A character of UTF-16 has at most three bytes in UTF-8.
        if (key.Length < MaxLength)
        {
            try
            {
                var bytes = Strict.GetBytes(key);
                if (bytes.Length < MaxLength)
                    return bytes;
            }
            catch (EncoderFallbackException)
            {
                // An unpaired surrogate has no UTF-8 form of its own.
            }
        }

        var stored = new byte[MaxLength];
        var prefix = stored.AsSpan(0, MaxLength - SHA256.HashSizeInBytes);
        Encoding.UTF8.GetEncoder().Convert(key, prefix, flush: true, out _, out _, out _);
        // The string's own characters: an encoding would replace unpaired surrogates.
        SHA256.HashData(MemoryMarshal.AsBytes(key.AsSpan()), stored.AsSpan(prefix.Length));
        return stored;
    }
}
