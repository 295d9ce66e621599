namespace Slipstream.MySql;

/// <summary>Parameters may be named "@id", "?id", "id", and with the quotes a statement may have around the name: "@`a b`".</summary>
internal static class ParameterName
{
    /// <summary>The name without its prefix and quotes. A quote doubled inside the name stays doubled: so it is written in the statement, too.</summary>
    public static ReadOnlySpan<char> Bare(ReadOnlySpan<char> name)
    {
        name = name.Trim();
        if (name is ['@' or '?', ..])
            name = name[1..];
        return name is ['`', _, .., '`'] or ['\'', _, .., '\''] or ['"', _, .., '"'] ? name[1..^1] : name;
    }
}
