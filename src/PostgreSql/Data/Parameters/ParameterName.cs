namespace Slipstream.PostgreSql;

/// <summary>Reads parameter names, which may be written "@id", ":id" and "id".</summary>
internal static class ParameterName
{
    /// <summary>Returns the name without its prefix.</summary>
    public static ReadOnlySpan<char> Bare(ReadOnlySpan<char> name)
    {
        name = name.Trim();
        return name is ['@' or ':', ..] ? name[1..] : name;
    }
}

/// <summary>How the parameters of a command are named. This determines what counts as a parameter in its text.</summary>
internal enum ParameterNaming : byte
{
    /// <summary>They have no names: they are $1, $2, … in their order.</summary>
    None,

    /// <summary>They have names: @name and :name in the text.</summary>
    Names,

    /// <summary>At least one name is a number: @0 and :1 are then parameters as well. Otherwise these are operators and slices.</summary>
    Numbers,
}
