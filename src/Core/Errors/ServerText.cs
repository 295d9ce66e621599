namespace Slipstream.Core.Errors;

/// <summary>Text that a server sent for people. It is not to be trusted: it ends up on terminals and in log files, where control characters are commands.</summary>
public static class ServerText
{
    private const char Replacement = '\uFFFD';

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
}
