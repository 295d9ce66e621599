using System.Buffers;
using System.Globalization;
using System.Text;

namespace Slipstream.Core.Errors;

/// <summary>
/// Text that a server sent for people. It is not to be trusted: it ends up on terminals and in log files, where control characters are commands,
/// and line ends begin what looks like another entry.
/// </summary>
/// <remarks>
/// Three strengths: an exception's message keeps lines, because servers quote statements of many lines (<see cref="Printable"/>);
/// names inside a message of this client, and all that is logged, stay on one line (<see cref="OneLine"/>);
/// a SQLSTATE, which becomes a tag of metrics, is one or nothing (<see cref="SqlState"/>).
/// </remarks>
internal static class ServerText
{
    /// <summary>What names of a server are cut to in messages; no database has longer ones.</summary>
    public const int LongestName = 128;

    private const char Replacement = '\uFFFD';

    // What changes lines or the direction of writing without being a control character: the text would be read as another one than it is.
    private static readonly SearchValues<char> Misleading = SearchValues.Create("\u061C\u2028\u2029\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069");

    /// <summary>The text with control characters other than tab and line ends replaced, and cut to <paramref name="most"/> characters.</summary>
    public static string Printable(string text, int most)
    {
        if (text.Length > most)
            text = string.Concat(text.AsSpan(0, most), "…");
        return text.AsSpan().IndexOfAnyInRange('\0', '\u001F') < 0 && text.AsSpan().IndexOfAnyInRange('\u007F', '\u009F') < 0
            ? text
            : string.Create(text.Length, text, static (target, source) =>
            {
                for (var i = 0; i < source.Length; i++)
                    target[i] = char.IsControl(source[i]) && source[i] is not ('\t' or '\r' or '\n') ? Replacement : source[i];
            });
    }

    /// <summary>
    /// The text on one line, cut to <paramref name="most"/> characters: line ends as <c>\n</c> and <c>\r</c>, tabs as <c>\t</c>,
    /// other control characters and those that turn the direction of writing as <c>\u001B</c>.
    /// </summary>
    public static string OneLine(string text, int most = LongestName)
    {
        if (text.Length > most)
            text = string.Concat(text.AsSpan(0, most), "…");
        if (!text.AsSpan().ContainsAnyInRange('\0', '\u001F') && !text.AsSpan().ContainsAnyInRange('\u007F', '\u009F') && !text.AsSpan().ContainsAny(Misleading))
            return text;
        var line = new StringBuilder(text.Length + 16);
        foreach (var c in text)
        {
            _ = c switch
            {
                '\n' => line.Append("\\n"),
                '\r' => line.Append("\\r"),
                '\t' => line.Append("\\t"),
                _ when char.IsControl(c) || Misleading.Contains(c) => line.Append(CultureInfo.InvariantCulture, $"\\u{(int)c:X4}"),
                _ => line.Append(c),
            };
        }

        return line.ToString();
    }

    /// <summary>The text when it is a SQLSTATE, five digits and capital letters; else an empty one.</summary>
    public static string SqlState(string text) => text.Length == 5 && text.AsSpan().IndexOfAnyExcept(StateCharacters) < 0 ? text : "";

    private static readonly SearchValues<char> StateCharacters = SearchValues.Create("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
}
