namespace Slipstream.PostgreSql;

/// <summary>Parameters may be named "@id", ":id" and "id".</summary>
internal static class ParameterName
{
    /// <summary>The name without its prefix.</summary>
    public static ReadOnlySpan<char> Bare(ReadOnlySpan<char> name)
    {
        name = name.Trim();
        return name is ['@' or ':', ..] ? name[1..] : name;
    }
}
