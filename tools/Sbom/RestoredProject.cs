using System.Text.Json;

namespace Slipstream.Sbom;

/// <summary>A package that a project uses, directly or indirectly.</summary>
/// <param name="Name">The id.</param>
/// <param name="Version">The version.</param>
/// <param name="Sha512">The hash of the package, in base 64; null for a project of this repository.</param>
/// <param name="License">The SPDX expression; null if the package does not state one.</param>
/// <param name="Uses">The ids of the packages that it uses directly.</param>
internal sealed record Component(string Name, string Version, string? Sha512, string? License, IReadOnlyList<string> Uses);

/// <summary>A project as NuGet restored it (<c>project.assets.json</c>).</summary>
internal sealed record RestoredProject(string Name, string Version, IReadOnlyList<string> Uses, IReadOnlyList<Component> Components)
{
    public static RestoredProject Read(string path)
    {
        using var document = JsonDocument.Parse(File.ReadAllBytes(path));
        var root = document.RootElement;
        var folders = root.GetProperty("packageFolders").EnumerateObject().Select(static folder => folder.Name).ToList();
        var target = root.GetProperty("targets").EnumerateObject().First();
        var project = root.GetProperty("project");
        var framework = project.GetProperty("frameworks").EnumerateObject().First().Value;
        var libraries = root.GetProperty("libraries");
        var components = new List<Component>();
        // Packages that only the build uses (analysers, the linker's targets) are not part of the package: no compiled or running code uses them.
        foreach (var library in target.Value.EnumerateObject().Where(
            static library => library.Value.TryGetProperty("compile", out _) || library.Value.TryGetProperty("runtime", out _)))
        {
            var slash = library.Name.IndexOf('/', StringComparison.Ordinal);
            var (name, version) = (library.Name[..slash], library.Name[(slash + 1)..]);
            var entry = libraries.GetProperty(library.Name);
            var isPackage = entry.GetProperty("type").GetString() == "package";
            components.Add(new Component(
                name,
                version,
                isPackage ? entry.GetProperty("sha512").GetString() : null,
                isPackage ? LicenseOf(folders, entry.GetProperty("path").GetString()!, name) : "MIT",
                Names(library.Value, "dependencies")));
        }

        var direct = Names(framework, "dependencies");
        var references =
            project.GetProperty("restore").GetProperty("frameworks").EnumerateObject().First().Value.TryGetProperty("projectReferences", out var projects)
            ? projects.EnumerateObject().Select(static reference => Path.GetFileNameWithoutExtension(reference.Name)).ToList()
            : [];
        var known = components.Select(static component => component.Name).ToHashSet(StringComparer.OrdinalIgnoreCase);
        return new RestoredProject(
            project.GetProperty("restore").GetProperty("projectName").GetString()!,
            project.GetProperty("version").GetString()!,
            [.. direct.Concat(references).Where(known.Contains).Order(StringComparer.Ordinal)],
            [.. components.OrderBy(static component => component.Name, StringComparer.Ordinal)]);
    }

    private static List<string> Names(JsonElement element, string property) =>
        element.TryGetProperty(property, out var names) ? [.. names.EnumerateObject().Select(static name => name.Name).Order(StringComparer.Ordinal)] : [];

    private static string? LicenseOf(List<string> folders, string path, string name)
    {
        foreach (var folder in folders)
        {
            var nuspec = Path.Combine(folder, path, $"{name.ToLowerInvariant()}.nuspec");
            if (!File.Exists(nuspec))
                continue;
            var license = System.Xml.Linq.XDocument.Load(nuspec).Descendants().FirstOrDefault(static element => element.Name.LocalName == "license");
            return license?.Attribute("type")?.Value == "expression" ? license.Value : null;
        }

        throw new InvalidDataException($"the package {name} is in none of the folders that NuGet restored it to; restore the project again");
    }
}
