using System.Data.Common;

namespace Slipstream.Race.Contestants;

/// <summary><c>--variant NAME="Key=Value;…"</c>: Slipstream once more, as a contestant of its own, with these options on top of the settings in force.</summary>
/// <param name="Name">The contestant is called <c>Slipstream NAME</c>.</param>
/// <param name="Options">In connection-string form; empty for a second contestant that differs in nothing, which shows how far equal ones lie apart.</param>
internal sealed record Variant(string Name, string Options)
{
    public string ContestantName => $"{Contestant.SlipstreamName} {Name}";

    /// <exception cref="RequestException">One has another shape, or two have one name.</exception>
    public static Variant[] ParseAll(IEnumerable<string> texts)
    {
        var variants = texts.Select(Parse).ToArray();
        var twice = variants.GroupBy(variant => variant.Name, StringComparer.OrdinalIgnoreCase).FirstOrDefault(group => group.Count() > 1);
        return twice is null ? variants : throw new RequestException($"--variant: two are called {twice.Key}");
    }

    /// <exception cref="RequestException">The text has another shape.</exception>
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
