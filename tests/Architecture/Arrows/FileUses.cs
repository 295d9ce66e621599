namespace Slipstream.Architecture.Arrows;

/// <summary>The source files whose types use types of other files, in all shipped assemblies. Paths are relative to src.</summary>
internal static class FileUses
{
    private static readonly Lazy<List<(string From, string To)>> Uses = new(Read);

    public static IReadOnlyList<(string From, string To)> All => Uses.Value;

    private static List<(string From, string To)> Read()
    {
        var declarations = new Dictionary<string, string>();
        var constants = new List<Constant>();
        var uses = new List<TypeUse>();
        foreach (var assembly in ShippedPackages.Names)
        {
            using var types = new TypeUses(TheCoreAssembly.Built($"{assembly}.dll"));
            foreach (var (type, file) in types.Declarations())
                declarations.TryAdd(type, Relative(file));
            constants.AddRange(types.Constants());
            uses.AddRange(types.All().Select(static use => use with { File = Relative(use.File) }));
        }

        var sources = SourceFile.All.Select(static source => (source.Path.TrimStart('/'), source.Code));
        return [.. uses.Concat(ConstantUses.In(sources, constants, declarations))
            .Where(use => declarations.ContainsKey(use.Used))
            .Select(use => (From: use.File, To: declarations[use.Used]))
            .Where(static use => use.From != use.To)
            .Distinct()];
    }

    // The path does not depend on the build's folder: symbols contain whole paths, or '/_/src/…' in a package.
    private static string Relative(string path) => path[(path.LastIndexOf("/src/", StringComparison.Ordinal) + "/src/".Length)..];
}
