using System.Globalization;
using System.Text;

namespace Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

/// <summary>
/// Writes the characters of a document as the servers do. EF Core escapes all that are not ASCII, and some that are. MariaDB keeps the escapes: its JSON_SET
/// and JSON_EXTRACT do not find a name that has one, and JSON_EQUALS does not take "\u00E4" for "ä".
/// </summary>
internal static class JsonTexts
{
    private const string Escape = "\\u";
    private const int EscapeLength = 6;

    /// <summary>Returns the text without escapes of characters that need none.</summary>
    public static string WithoutEscapes(string json)
    {
        if (!json.Contains(Escape, StringComparison.Ordinal))
            return json;
        var builder = new StringBuilder(json.Length);
        for (var index = 0; index < json.Length;)
        {
            if (json[index] != '\\')
            {
                builder.Append(json[index++]);
            }
            else if (CharacterAt(json, index) is not { } character)
            {
                // Another escape, such as \\ or \n.
                builder.Append(json, index, Math.Min(2, json.Length - index));
                index += 2;
            }
            else if (char.IsHighSurrogate(character) && CharacterAt(json, index + EscapeLength) is { } low && char.IsLowSurrogate(low))
            {
                builder.Append(character).Append(low);
                index += 2 * EscapeLength;
            }
            else
            {
                // Controls need their escapes, and half of a character is not UTF-8.
                if (character < ' ' || char.IsSurrogate(character))
                    builder.Append(json, index, EscapeLength);
                else
                    builder.Append((character is '"' or '\\') ? "\\" : "").Append(character);
                index += EscapeLength;
            }
        }

        return builder.ToString();
    }

    private static char? CharacterAt(string json, int index) =>
        index + EscapeLength <= json.Length && json.AsSpan(index, 2).SequenceEqual(Escape)
            && ushort.TryParse(json.AsSpan(index + 2, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var code)
            ? (char)code
            : null;
}
