using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Connect;

/// <summary>
/// What the client says about itself (performance_schema.session_connect_attrs), encoded once per data source.
/// <code>
/// length of all (lenenc) | { name (lenenc string) | value (lenenc string) } …
/// </code>
/// </summary>
internal static class ConnectionAttributes
{
    /// <summary>The attributes as the login has them: their length, then names and values, each with its own.</summary>
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
