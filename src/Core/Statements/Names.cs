using Slipstream.Core.Errors;

namespace Slipstream.Core.Statements;

/// <summary>Names that an application gives and the driver writes into what it sends.</summary>
internal static class Names
{
    // A catalogue or a package, a schema, an object.
    private const int MostParts = 3;

    /// <summary>The name. A zero character in it would end it early on the wire, and the rest would be read as something else.</summary>
    /// <param name="name">Any text.</param>
    /// <param name="what">For the message: "database's name".</param>
    /// <param name="argument">The caller's parameter.</param>
    /// <exception cref="ArgumentException">It holds a zero character. Nothing was sent.</exception>
    public static string Checked(string name, string what, string? argument = null)
    {
        ArgumentNullException.ThrowIfNull(name);
        return name.Contains('\0', StringComparison.Ordinal)
            ? throw new ArgumentException($"The {what} holds a zero character (U+0000), which no name may hold: nothing was sent.", argument)
            : name;
    }

    /// <summary>
    /// Text of the caller's that stands in a statement as the name of a table or procedure, perhaps with a schema in front: <c>shop.orders</c>,
    /// <c>`my table`</c>. More than a name (another statement, an argument, a comment) is refused: it would be executed.
    /// </summary>
    /// <param name="name">Up to three names with points between; a name of other characters than letters, digits, _ and $ stands in quotes.</param>
    /// <param name="quotes">The characters that quote a name, of which two inside stand for one.</param>
    /// <param name="what">For the message: "destination table's name".</param>
    /// <param name="argument">The caller's parameter.</param>
    /// <exception cref="ArgumentException">It is no such name. Nothing was sent.</exception>
    public static string CheckedQualified(string name, string quotes, string what, string? argument = null)
    {
        Checked(name, what, argument);
        var rest = name.AsSpan().Trim();
        for (var parts = 1; ; parts++)
        {
            var length = LengthOf(rest, quotes);
            rest = rest[Math.Max(length, 0)..].TrimStart();
            if (length > 0 && rest.IsEmpty)
                return name;
            if (length <= 0 || rest[0] != '.' || parts == MostParts)
            {
                throw new ArgumentException(
                    $"The {what} must be a name alone, such as shop.orders, and {ServerText.OneLine(name, 64)} is more than that or needs quotes ({quotes[0]}): nothing was sent.", argument);
            }

            rest = rest[1..].TrimStart();
        }
    }

    // Of the first name; 0 or less when there is none.
    private static int LengthOf(ReadOnlySpan<char> text, string quotes)
    {
        if (text.IsEmpty)
            return 0;
        var at = 0;
        if (!quotes.Contains(text[0], StringComparison.Ordinal))
        {
            while (at < text.Length && (char.IsAsciiLetterOrDigit(text[at]) || text[at] is '_' or '$' or >= '\u0080'))
                at++;
            return at;
        }

        for (at = 1; at < text.Length; at++)
        {
            if (text[at] != text[0])
                continue;
            if (at + 1 == text.Length || text[at + 1] != text[0])
                return at + 1;
            at++;
        }

        return -1;
    }
}
