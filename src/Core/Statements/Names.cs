using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Statements;

/// <summary>Checks names that an application supplies and that the driver writes into requests.</summary>
internal static class Names
{
    // A catalogue or package, a schema, an object.
    private const int MaxParts = 3;

    /// <summary>
    /// Returns the name if it contains no zero character, which would end it early on the wire, so that the rest would be read as something else, and no half
    /// of a surrogate pair, so that two names never become the same.
    /// </summary>
    /// <param name="name">The name.</param>
    /// <param name="what">Name of the value for the message: "database's name".</param>
    /// <param name="argument">Name of the caller's parameter.</param>
    /// <exception cref="ArgumentException">The name contains a zero character or half of a surrogate pair. Nothing was sent.</exception>
    public static string Checked(string name, string what, string? argument = null)
    {
        ArgumentNullException.ThrowIfNull(name);
        return name.Contains('\0', StringComparison.Ordinal)
            ? throw new ArgumentException($"The {what} contains a NUL character (U+0000), which a name cannot contain: nothing was sent.", argument)
            : StrictUtf8.Checked(name);
    }

    /// <summary>
    /// Returns the text if it is the name of a table or procedure, with an optional schema: <c>shop.orders</c>, <c>`my table`</c>. Any other text (another
    /// statement, an argument, a comment) is refused, because it would be executed as part of a statement.
    /// </summary>
    /// <param name="name">Up to three names separated by dots. A name with characters other than letters, digits, _ and $ must be quoted.</param>
    /// <param name="quotes">The characters that quote a name. Two of them inside a name stand for one.</param>
    /// <param name="what">Name of the value for the message: "destination table's name".</param>
    /// <param name="argument">Name of the caller's parameter.</param>
    /// <exception cref="ArgumentException">The text is not such a name. Nothing was sent.</exception>
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
            if (length <= 0 || rest[0] != '.' || parts == MaxParts)
            {
                throw new ArgumentException(
                    $"The {what} must be only a name, such as shop.orders, but {ServerText.OneLine(name, 64)} contains more than a name or needs quotes "
                    + $"({quotes[0]}): nothing was sent.", argument);
            }

            rest = rest[1..].TrimStart();
        }
    }

    // Length of the first name; 0 or less without one.
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
