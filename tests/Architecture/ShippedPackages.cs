namespace Slipstream.Architecture;

/// <summary>The packages: each project under src is one, and its assembly has the same name.</summary>
internal static class ShippedPackages
{
    public static IReadOnlyList<string> Names { get; } =
    [
        .. Directory.EnumerateFiles(SourceFile.Root, "*.csproj", SearchOption.AllDirectories)
            .Select(static path => Path.GetFileNameWithoutExtension(path))
            .Order(StringComparer.Ordinal),
    ];
}
