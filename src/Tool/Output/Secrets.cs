namespace Slipstream.Tool.Output;

/// <summary>
/// The passwords that the command has read. Nothing prints them on purpose; this is the last barrier for texts of servers and of other providers.
/// </summary>
internal sealed class Secrets
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

    public string Remove(string text)
    {
        // The longest first: one password may contain another.
        foreach (var value in _values.OrderByDescending(static value => value.Length))
            text = text.Replace(value, Mask, StringComparison.Ordinal);
        return text;
    }
}
