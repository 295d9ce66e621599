namespace Slipstream.MySql;

/// <summary>Names of parameters. A name can be written "@id", "?id" or "id", and with the quotes that a statement may have around the name: "@`a b`".</summary>
internal static class ParameterName
{
    /// <summary>Returns the name without its prefix and quotes. A doubled quote inside the name stays doubled, as it is in the statement.</summary>
    public static ReadOnlySpan<char> Bare(ReadOnlySpan<char> name)
    {
        name = name.Trim();
        if (name is ['@' or '?', ..])
            name = name[1..];
        return name is ['`', _, .., '`'] or ['\'', _, .., '\''] or ['"', _, .., '"'] ? name[1..^1] : name;
    }
}
