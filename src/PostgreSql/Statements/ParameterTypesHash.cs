namespace Slipstream.PostgreSql.Statements;

/// <summary>A 64-bit hash (FNV-1a) of the types of an execution's parameters. 0 without parameters.</summary>
internal static class ParameterTypesHash
{
    /// <summary>Returns the hash of the types' object ids.</summary>
    public static ulong Of(ReadOnlySpan<uint> types)
    {
        if (types.IsEmpty)
            return 0;
        var hash = 14695981039346656037;
        foreach (var type in types)
            hash = (hash ^ type) * 1099511628211;
        return hash;
    }
}
