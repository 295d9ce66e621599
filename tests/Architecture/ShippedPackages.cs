namespace Slipstream.Architecture;

/// <summary>
/// The packages: each project under src is one, and its assembly has the same name. Slipstream.Compat.MySqlConnector is left out: it contains the sources of
/// Slipstream.MySql once more, in an assembly with MySqlConnector's name.
/// </summary>
internal static class ShippedPackages
{
    public static IReadOnlyList<string> Names { get; } =
    [
        .. Directory.EnumerateFiles(SourceFile.Root, "*.csproj", SearchOption.AllDirectories)
            .Select(static path => Path.GetFileNameWithoutExtension(path))
            .Where(static name => !name.StartsWith("Slipstream.Compat.", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal),
    ];
}
