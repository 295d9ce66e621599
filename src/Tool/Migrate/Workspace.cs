using System.Text.RegularExpressions;
using System.Xml;
using System.Xml.Linq;

namespace Slipstream.Tool.Migrate;

/// <summary>The files of a solution, a project or a folder that a migration reads.</summary>
internal sealed partial class Workspace
{
    private static readonly string[] Ignored = ["bin", "obj", "artifacts", "node_modules", "packages", "TestResults"];

    private static readonly string[] SharedNames =
        ["Directory.Packages.props", "Directory.Build.props", "Directory.Build.targets"];

    private Workspace(string root, IReadOnlyList<string> projects)
    {
        (Root, Projects) = (root, projects);
        Shared = [.. projects.Select(static project => Path.GetDirectoryName(project)!).Distinct()
            .SelectMany(folder => SharedNames.SelectMany(name => InForce(folder, root, name))).Distinct()];
    }

    /// <summary>Gets the folder that the paths of the findings are relative to.</summary>
    public string Root { get; }

    public IReadOnlyList<string> Projects { get; }

    /// <summary>Gets the files of properties and package versions that several projects share.</summary>
    public IReadOnlyList<string> Shared { get; }

    /// <exception cref="ToolException">There is no such file, or it lists no project.</exception>
    public static Workspace Open(string path)
    {
        var full = Path.GetFullPath(path);
        if (Directory.Exists(full))
        {
            var found = Files(full, "*.*proj", static below => Ignored.Contains(Path.GetFileName(below), StringComparer.OrdinalIgnoreCase))
                .Where(IsProject).ToList();
            return found.Count > 0
                ? new Workspace(full, found)
                : throw new ToolException($"There is no project below {full}.", "Name a solution, a project, or a folder that contains projects.");
        }

        if (!File.Exists(full))
            throw new ToolException($"There is no file or folder {full}.", "Name a solution (.sln, .slnx), a project (.csproj), or a folder.");
        var root = Path.GetDirectoryName(full)!;
        var projects = Path.GetExtension(full).ToLowerInvariant() switch
        {
            ".sln" => SolutionLine().Matches(File.ReadAllText(full)).Select(static match => match.Groups[1].Value).ToList(),
            ".slnx" => ReadSlnx(full),
            _ when IsProject(full) => [full],
            _ => throw new ToolException($"{full} is neither a solution nor a project.", "Name a .sln, .slnx or .csproj file, or a folder."),
        };
        var existing = projects.Select(project => Path.GetFullPath(project.Replace('\\', Path.DirectorySeparatorChar), root))
            .Where(project => IsProject(project) && File.Exists(project)).Distinct().ToList();
        return existing.Count > 0 ? new Workspace(root, existing) : throw new ToolException($"{full} lists no project that exists.");
    }

    /// <summary>Returns the files below a project's folder with a name, without those of projects in folders below it.</summary>
    public IEnumerable<string> FilesOf(string project, string pattern)
    {
        var folder = Path.GetDirectoryName(project)!;
        var others = Projects.Select(static other => Path.GetDirectoryName(other)!)
            .Where(other => other != folder && other.StartsWith(folder + Path.DirectorySeparatorChar, StringComparison.Ordinal)).ToList();
        return Files(folder, pattern, below => IsOutput(folder, below))
            .Where(file => !others.Any(other => file.StartsWith(other + Path.DirectorySeparatorChar, StringComparison.Ordinal)));
    }

    /// <summary>Returns the files that a project or a shared file includes from other folders. A pattern may end with <c>*.cs</c> or <c>**/*.cs</c>.</summary>
    public static IEnumerable<string> Linked(string project, IEnumerable<string> includes)
    {
        var folder = Path.GetDirectoryName(project)!;
        foreach (var include in includes.SelectMany(static one => one.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)))
        {
            var path = ThisFolder().Replace(include, "").Replace('\\', '/');
            if (path.Contains('$', StringComparison.Ordinal))
                continue;
            var full = Path.GetFullPath(path, folder);
            if (Path.GetFileName(full) is var name && !name.Contains('*', StringComparison.Ordinal))
            {
                if (File.Exists(full))
                    yield return full;
                continue;
            }

            var parent = Path.GetDirectoryName(full)!;
            var isDeep = Path.GetFileName(parent) == "**";
            parent = isDeep ? Path.GetDirectoryName(parent)! : parent;
            if (!Directory.Exists(parent))
                continue;
            foreach (var file in Files(parent, name, below => !isDeep || IsOutput(parent, below)))
                yield return file;
        }
    }

    /// <summary>Returns the projects below the folder of a shared file that are not part of the migration.</summary>
    public IEnumerable<string> Outside(string shared) =>
        Files(Path.GetDirectoryName(shared)!, "*.*proj", static below => Ignored.Contains(Path.GetFileName(below), StringComparer.OrdinalIgnoreCase))
            .Where(IsProject).Except(Projects);

    public string Relative(string path) => Path.GetRelativePath(Root, path).Replace('\\', '/');

    private static bool IsProject(string path) => Path.GetExtension(path).ToLowerInvariant() is ".csproj" or ".fsproj" or ".vbproj";

    private static List<string> ReadSlnx(string path)
    {
        try
        {
            return [.. XDocument.Load(path).Descendants("Project").Select(static project => (string?)project.Attribute("Path")).OfType<string>()];
        }
        catch (XmlException exception)
        {
            throw new ToolException($"{path} is not a solution: {exception.Message}");
        }
    }

    // MSBuild and NuGet take the nearest file of a name, from the project's folder upwards; that file may import the next one. Files above the solution's
    // folder are in force, too. They are read up to the root of the repository, because what lies above that belongs to others.
    private static IEnumerable<string> InForce(string folder, string root, string name)
    {
        var top = RepositoryOf(root) ?? root;
        for (var current = folder; current is not null; current = Path.GetDirectoryName(current))
        {
            var file = Path.Combine(current, name);
            if (File.Exists(file))
            {
                yield return file;
                if (!File.ReadAllText(file).Contains("GetPathOfFileAbove", StringComparison.Ordinal))
                    yield break;
            }

            if (current == top)
                yield break;
        }
    }

    private static string? RepositoryOf(string? folder)
    {
        for (; folder is not null; folder = Path.GetDirectoryName(folder))
            if (Path.Exists(Path.Combine(folder, ".git")))
                return folder;
        return null;
    }

    // A project compiles all folders below its own except those of its output: a folder may be called Packages, or Artifacts.
    private static bool IsOutput(string folder, string below)
    {
        var name = Path.GetFileName(below);
        if (name == "node_modules")
            return true;
        return Path.GetDirectoryName(below) == folder && (name is "bin" or "obj"
            || (name == "artifacts" && (Directory.Exists(Path.Combine(below, "bin")) || Directory.Exists(Path.Combine(below, "obj")))));
    }

    private static IEnumerable<string> Files(string folder, string pattern, Func<string, bool> isIgnored)
    {
        foreach (var file in Directory.EnumerateFiles(folder, pattern).Order(StringComparer.Ordinal))
            yield return file;
        foreach (var below in Directory.EnumerateDirectories(folder).Order(StringComparer.Ordinal))
        {
            if (Path.GetFileName(below).StartsWith('.') || isIgnored(below))
                continue;
            // A link could lead out of the solution, or in a circle.
            if (new DirectoryInfo(below).LinkTarget is not null)
                continue;
            foreach (var file in Files(below, pattern, isIgnored))
                yield return file;
        }
    }

    [GeneratedRegex(@"\$\((MSBuildThisFileDirectory|MSBuildProjectDirectory)\)[\\/]?")]
    private static partial Regex ThisFolder();

    [GeneratedRegex("""^Project\("[^"]*"\)\s*=\s*"[^"]*"\s*,\s*"([^"]+)"\s*,""", RegexOptions.Multiline)]
    private static partial Regex SolutionLine();
}
