using System.Text.RegularExpressions;

namespace Slipstream.Tool.Output;

/// <summary>
/// The passwords that the command has read. Nothing prints them on purpose; this is the last barrier for texts of servers and of other providers.
/// </summary>
internal sealed partial class Secrets
{
    public const string Mask = "***";

    // A shorter one would also replace parts of ordinary words, and so show what it is.
    private const int Shortest = 3;

    private readonly List<string> _values = [];

    public void Add(string? value)
    {
        if (value is { Length: >= Shortest } && !_values.Contains(value))
            _values.Add(value);
    }

    /// <summary>Adds the passwords in a word of the command line, which may be a part of a connection string that lacks its quotes.</summary>
    public void AddFrom(string word)
    {
        foreach (Match match in Password().Matches(word))
            Add(match.Groups[1].Value.Trim().Trim('"', '\''));
    }

    public string Remove(string text)
    {
        // The longest first: one password may contain another.
        foreach (var value in _values.OrderByDescending(static value => value.Length))
            text = text.Replace(value, Mask, StringComparison.Ordinal);
        return text;
    }

    [GeneratedRegex("""(?:password\d?|pwd\d?)\s*=\s*("[^"]*"|'[^']*'|[^;]*)""", RegexOptions.IgnoreCase)]
    private static partial Regex Password();
}
