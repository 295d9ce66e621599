using System.Text.RegularExpressions;

namespace Slipstream.Architecture.Messages;

/// <summary>A message that the driver can produce, as it stands in the source.</summary>
/// <param name="Place">File and line.</param>
/// <param name="Exception">The type it is given to; null when the text is handed on before it becomes an exception.</param>
/// <param name="Text">The message with its places in braces.</param>
internal sealed partial record Thrown(string Place, string? Exception, string Text)
{
    /// <summary>What happened to the connection, by the names of WireFailure, or the number, by a name of MySqlErrorCode; empty when the source does not say it there.</summary>
    public string Reason { get; init; } = "";

    /// <summary>The name of a RetrySafety that stands at the constructor.</summary>
    public string? Safety { get; init; }

    /// <summary>The text with nameless places, by which sources and catalogue are compared.</summary>
    public string Key => KeyOf(Text);

    /// <summary>The text as the catalogue may have it: places have the last name of their expression.</summary>
    public string Proposal => Hole().Replace(Flat(Text), static hole =>
    {
        var names = Name().Matches(Format().Replace(hole.Value, "").Split('?')[0]);
        var name = names.Select(static match => match.Value.TrimStart('_')).LastOrDefault(static name => name is not ("Message" or "Name" or "Length" or "Count" or "GetType" or "FullName" or "Type" or "Value")) ?? names.Select(static match => match.Value).LastOrDefault("value");
        return $"{{{Border().Replace(name, " ").ToLowerInvariant()}}}";
    });

    /// <summary>The same as <see cref="Key"/> for a text of the catalogue.</summary>
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
