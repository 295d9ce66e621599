using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Connect;

/// <summary>
/// Encodes the attributes that the client sends about itself (performance_schema.session_connect_attrs). They are encoded once per data source.
/// <code>
/// length of all (lenenc) | { name (lenenc string) | value (lenenc string) } …
/// </code>
/// </summary>
internal static class ConnectionAttributes
{
    /// <summary>Encodes attributes as the login contains them: the total length, then each name and each value with its own length.</summary>
    public static byte[] Encode(IEnumerable<KeyValuePair<string, string>> attributes)
    {
        var pairs = new ByteWriter(256);
        foreach (var (name, value) in attributes)
        {
            pairs.LengthEncodedText(name);
            pairs.LengthEncodedText(value);
        }

        var all = new ByteWriter(pairs.Length + 9);
        all.LengthEncodedBytes(pairs.Written);
        return all.Written.ToArray();
    }
}
