using System.Data.Common;

namespace Slipstream.Race.Contestants;

/// <summary>
/// The option <c>--variant NAME="Key=Value;…"</c>: Slipstream again, as a separate contestant with these options in addition to the current settings.
/// </summary>
/// <param name="Name">The contestant's name is <c>Slipstream NAME</c>.</param>
/// <param name="Options">
/// Options in connection-string form. If they are empty, the second contestant is identical, which shows how much the figures of equal contestants differ.
/// </param>
internal sealed record Variant(string Name, string Options)
{
    public string ContestantName => $"{Contestant.SlipstreamName} {Name}";

    /// <exception cref="RequestException">A text has another form, or two have the same name.</exception>
    public static Variant[] ParseAll(IEnumerable<string> texts)
    {
        var variants = texts.Select(Parse).ToArray();
        var twice = variants.GroupBy(variant => variant.Name, StringComparer.OrdinalIgnoreCase).FirstOrDefault(group => group.Count() > 1);
        return twice is null ? variants : throw new RequestException($"--variant: two are called {twice.Key}");
    }

    /// <exception cref="RequestException">The text has another form.</exception>
    public static Variant Parse(string text)
    {
        var equals = text.IndexOf('=', StringComparison.Ordinal);
        var name = equals > 0 ? text[..equals].Trim() : "";
        if (name.Length == 0)
            throw new RequestException($"--variant {text}: expected NAME=\"Key=Value;…\", such as text=\"AutoPrepare=Off\"");
        try
        {
            return new Variant(name, new DbConnectionStringBuilder { ConnectionString = text[(equals + 1)..] }.ConnectionString);
        }
        catch (ArgumentException)
        {
            throw new RequestException($"--variant {name}: '{text[(equals + 1)..]}' has not the form of a connection string: Key=Value;Key=Value");
        }
    }
}
