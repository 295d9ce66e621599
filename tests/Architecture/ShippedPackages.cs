namespace Slipstream.Architecture;

/// <summary>
/// The packages: each project under src is one, and its assembly has the same name. Slipstream.Compat.MySqlConnector is left out: it contains the sources of
/// Slipstream.MySql once more, in an assembly with MySqlConnector's name. Slipstream.Tool is left out, too: it is a program, and has no public types.
/// </summary>
internal static class ShippedPackages
{
    public static IReadOnlyList<string> Names { get; } =
    [
        .. Directory.EnumerateFiles(SourceFile.Root, "*.csproj", SearchOption.AllDirectories)
            .Select(static path => Path.GetFileNameWithoutExtension(path))
            .Where(static name => !name.StartsWith("Slipstream.Compat.", StringComparison.Ordinal) && name != "Slipstream.Tool")
            .Order(StringComparer.Ordinal),
    ];
}
