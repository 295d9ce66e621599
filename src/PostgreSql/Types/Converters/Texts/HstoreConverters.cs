using System.Collections.Immutable;
using System.Text;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// Reads and writes hstore:
/// <code>
/// number of pairs (int32) | for each: length (int32) | key | length (int32; -1 is NULL) | value
/// </code>
/// In text, <c>"a"=>"1", "b"=>NULL</c>, with a backslash before quotes and backslashes. Source: contrib/hstore/hstore_io.c, hstore_send and hstore_out.
/// </summary>
internal static class Hstore
{
    // The two lengths.
    private const int SmallestPair = 8;

    public static Dictionary<string, string?> Read(ref PgValueReader reader)
    {
        if (!reader.IsBinary)
            return ReadText(ref reader);
        var count = reader.ReadInt32();
        if (count < 0 || count > reader.Remaining / SmallestPair)
            reader.Fail();
        var pairs = new Dictionary<string, string?>(count);
        for (; count > 0; count--)
        {
            var key = Encoding.UTF8.GetString(reader.ReadBytes(reader.ReadInt32()));
            var length = reader.ReadInt32();
            if (!pairs.TryAdd(key, length == -1 ? null : Encoding.UTF8.GetString(reader.ReadBytes(length))))
                reader.Fail();
        }

        return pairs;
    }

    public static void Write(ref PgValueWriter writer, IEnumerable<KeyValuePair<string, string?>> pairs, int count)
    {
        writer.WriteInt32(count);
        foreach (var (key, value) in pairs)
        {
            WriteText(ref writer, key);
            if (value is null)
                writer.WriteInt32(-1);
            else
                WriteText(ref writer, value);
        }
    }

    private static void WriteText(ref PgValueWriter writer, string text)
    {
        writer.WriteInt32(Encoding.UTF8.GetByteCount(text));
        writer.WriteText(text);
    }

    private static Dictionary<string, string?> ReadText(ref PgValueReader reader)
    {
        var pairs = new Dictionary<string, string?>();
        var rest = reader.ReadText().AsSpan();
        while (!rest.IsEmpty)
        {
            string? value = null;
            if (pairs.Count > 0 && !TryTake(ref rest, ", ") || !TryTakeQuoted(ref rest, out var key) || !TryTake(ref rest, "=>")
                || !TryTake(ref rest, "NULL") && !TryTakeQuoted(ref rest, out value) || !pairs.TryAdd(key, value))
            {
                reader.Fail();
            }
        }

        return pairs;
    }

    private static bool TryTake(ref ReadOnlySpan<char> rest, ReadOnlySpan<char> expected)
    {
        if (!rest.StartsWith(expected))
            return false;
        rest = rest[expected.Length..];
        return true;
    }

    private static bool TryTakeQuoted(ref ReadOnlySpan<char> rest, out string text)
    {
        text = "";
        if (rest is not ['"', ..])
            return false;
        var characters = new StringBuilder();
        for (var at = 1; at < rest.Length; at++)
        {
            if (rest[at] == '"')
            {
                rest = rest[(at + 1)..];
                text = characters.ToString();
                return true;
            }

            if (rest[at] == '\\' && ++at == rest.Length)
                return false;
            characters.Append(rest[at]);
        }

        return false;
    }
}

/// <summary>Converts hstore to and from a dictionary.</summary>
internal sealed class HstoreConverter : PgConverter<Dictionary<string, string?>>
{
    public override Dictionary<string, string?> Read(ref PgValueReader reader) => Hstore.Read(ref reader);

    public override void Write(ref PgValueWriter writer, Dictionary<string, string?> value) => Hstore.Write(ref writer, value, value.Count);
}

/// <summary>Converts hstore to and from any dictionary. It reads a <see cref="Dictionary{TKey, TValue}"/>.</summary>
internal sealed class HstoreInterfaceConverter : PgConverter<IDictionary<string, string?>>
{
    public override IDictionary<string, string?> Read(ref PgValueReader reader) => Hstore.Read(ref reader);

    public override void Write(ref PgValueWriter writer, IDictionary<string, string?> value) => Hstore.Write(ref writer, value, value.Count);
}

/// <summary>Converts hstore to and from an immutable dictionary.</summary>
internal sealed class ImmutableHstoreConverter : PgConverter<ImmutableDictionary<string, string?>>
{
    public override ImmutableDictionary<string, string?> Read(ref PgValueReader reader) => Hstore.Read(ref reader).ToImmutableDictionary();

    public override void Write(ref PgValueWriter writer, ImmutableDictionary<string, string?> value) => Hstore.Write(ref writer, value, value.Count);
}
