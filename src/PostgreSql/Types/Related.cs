using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>Finds the types that refer to a type.</summary>
internal static class Related
{
    private static readonly Dictionary<uint, List<uint>> BuiltIn = Index(BuiltInTypes.All.Values);

    /// <summary>Returns the built-in array of a type, and its built-in ranges or multirange.</summary>
    public static List<uint> BuiltInOf(uint oid) => BuiltIn.GetValueOrDefault(oid, []);

    private static bool IsRelated(TypeDefinition type) => type.Category is TypeCategory.Array or TypeCategory.Range or TypeCategory.Multirange;

    /// <summary>Returns for each type the types that refer to it.</summary>
    public static Dictionary<uint, List<uint>> Index(IEnumerable<TypeDefinition> types)
    {
        var index = new Dictionary<uint, List<uint>>();
        foreach (var type in types)
        {
            if (!IsRelated(type))
                continue;
            if (!index.TryGetValue(type.Related, out var list))
                index[type.Related] = list = [];
            list.Add(type.Oid);
        }

        return index;
    }
}
