using System.Text.RegularExpressions;

namespace Slipstream.Architecture.Arrows;

/// <summary>
/// Finds uses of constants, mostly of enumerations, by name, because the compiler writes a constant's value without its type. "Type.Constant" counts if exactly
/// one type of that name is possible: the file's own, otherwise one of its project, otherwise one of the core.
/// </summary>
internal static partial class ConstantUses
{
    /// <summary>Returns each use once. Files and types are those of <paramref name="declarations"/>, and paths are relative to src.</summary>
    public static IEnumerable<TypeUse> In(
        IEnumerable<(string File, string Code)> sources, IEnumerable<Constant> constants, IReadOnlyDictionary<string, string> declarations)
    {
        var known = constants.Where(constant => declarations.ContainsKey(constant.Type))
            .ToLookup(static constant => $"{constant.DeclaredIn}.{constant.Name}", static constant => constant.Type);
        foreach (var (file, code) in sources)
            foreach (var name in Qualified().Matches(code).Select(static match => match.Value).Distinct())
            {
                var meant = known[name].Distinct().ToList();
                if (meant.Count == 0 || meant.Exists(type => declarations[type] == file))
                    continue;
                var near = meant.FindAll(type => Floors.ProjectOf(declarations[type]) == Floors.ProjectOf(file));
                var far = meant.FindAll(static type => type.StartsWith("Slipstream.Core.", StringComparison.Ordinal));
                if ((near is [_] ? near : far) is [var used])
                    yield return new(file, file, used);
            }
    }

    [GeneratedRegex(@"\b[A-Z]\w*\.[A-Z]\w*\b")]
    private static partial Regex Qualified();
}
