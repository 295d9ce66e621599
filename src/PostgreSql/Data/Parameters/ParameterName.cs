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

/// <summary>How the parameters of a command are called, and so what in its text is one.</summary>
internal enum ParameterNaming : byte
{
    /// <summary>Not at all: they are $1, $2, … in their order.</summary>
    None,

    /// <summary>By names: @name and :name in the text.</summary>
    Names,

    /// <summary>At least one by a number: @0 and :1 are parameters as well, which otherwise are operators and slices.</summary>
    Numbers,
}
