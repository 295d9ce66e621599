namespace Slipstream.Core.Data;

/// <summary>Names that an application gives and the driver writes into what it sends.</summary>
public static class Names
{
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
}
