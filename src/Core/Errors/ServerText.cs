using System.Buffers;
using System.Globalization;
using System.Text;

namespace Slipstream.Core.Errors;

/// <summary>
/// Cleans text that a server sent for people. The text is untrusted: it ends up on terminals and in log files, where control characters are commands and a line
/// end can fake another entry.
/// </summary>
/// <remarks>
/// There are three strengths. <see cref="Printable"/>, for an exception's message, keeps line ends, because servers quote statements of many lines.
/// <see cref="OneLine"/>, for names inside a message of this client and for everything that is logged, returns one line. <see cref="SqlState"/>, for tags of
/// metrics, returns a valid SQLSTATE or an empty text.
/// </remarks>
internal static class ServerText
{
    /// <summary>Maximum length of a server's names in messages, in characters. No database has longer names.</summary>
    public const int LongestName = 128;

    private const char Replacement = '\uFFFD';

    // Characters that break lines or change the writing direction without being control characters: the text would be read as a different one.
    private static readonly SearchValues<char> Misleading = SearchValues.Create("\u061C\u2028\u2029\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069");

    /// <summary>The text cut to <paramref name="most"/> characters, with control characters other than tabs and line ends replaced.</summary>
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
    /// The text on one line, cut to <paramref name="most"/> characters: line ends as <c>\n</c> and <c>\r</c>, tabs as <c>\t</c>, other control characters and
    /// those that change the writing direction as <c>\u001B</c>.
    /// </summary>
    public static string OneLine(string text, int most = LongestName)
    {
        if (text.Length > most)
            text = string.Concat(text.AsSpan(0, most), "…");
        if (!text.AsSpan().ContainsAnyInRange('\0', '\u001F')
            && !text.AsSpan().ContainsAnyInRange('\u007F', '\u009F')
            && !text.AsSpan().ContainsAny(Misleading))
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

    /// <summary>The text if it is a SQLSTATE (five digits and capital letters); otherwise an empty text.</summary>
    public static string SqlState(string text) => text.Length == 5 && text.AsSpan().IndexOfAnyExcept(StateCharacters) < 0 ? text : "";

    private static readonly SearchValues<char> StateCharacters = SearchValues.Create("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
}
