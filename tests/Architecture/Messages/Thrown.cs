using System.Text.RegularExpressions;

namespace Slipstream.Architecture.Messages;

/// <summary>A message that the driver can produce, as written in the source.</summary>
/// <param name="Place">File and line.</param>
/// <param name="Exception">The exception's type; null if the text is passed on before the exception is created.</param>
/// <param name="Text">The message, with its variable parts in braces.</param>
internal sealed partial record Thrown(string Place, string? Exception, string Text)
{
    /// <summary>
    /// The names of WireFailure for the state of the connection, or a name of MySqlErrorCode for the number; empty if the source does not state it there.
    /// </summary>
    public string Reason { get; init; } = "";

    /// <summary>The name of a RetrySafety at the constructor.</summary>
    public string? Safety { get; init; }

    /// <summary>The text with unnamed variable parts, by which sources and catalogue are compared.</summary>
    public string Key => KeyOf(Text);

    /// <summary>The text as the catalogue may contain it: a variable part has the last name of its expression.</summary>
    public string Proposal => Hole().Replace(Flat(Text), static hole =>
    {
        var names = Name().Matches(Format().Replace(hole.Value, "").Split('?')[0]);
        var name = names.Select(static match => match.Value.TrimStart('_'))
            .LastOrDefault(static name => name is not ("Message" or "Name" or "Length" or "Count" or "GetType" or "FullName" or "Type" or "Value"))
            ?? names.Select(static match => match.Value).LastOrDefault("value");
        return $"{{{Border().Replace(name, " ").ToLowerInvariant()}}}";
    });

    /// <summary>Returns the <see cref="Key"/> for a text of the catalogue.</summary>
    public static string KeyOf(string text) => Hole().Replace(Flat(text), "{}");

    private static string Flat(string text) => Blank().Replace(text, " ").Trim();

    [GeneratedRegex(@"\{[^{}]*\}")]
    private static partial Regex Hole();

    [GeneratedRegex(@"[A-Za-z_]\w*")]
    private static partial Regex Name();

    [GeneratedRegex(@":[A-Za-z0#.]+\d*\}$|""[^""]*""")]
    private static partial Regex Format();

    [GeneratedRegex(@"(?<=[a-z])(?=[A-Z])")]
    private static partial Regex Border();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Blank();
}
