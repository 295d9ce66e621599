using System.Reflection;
using Slipstream.Tool.Migrate.CSharp;

namespace Slipstream.Tool.Migrate;

/// <summary>Reads a solution and collects what changes; <see cref="Apply"/> makes the automatic changes.</summary>
internal sealed class Migration
{
    private const Drivers OldDrivers = Drivers.MySqlConnector | Drivers.MySqlData | Drivers.Npgsql | Drivers.Pomelo;

    private readonly Workspace _workspace;
    private readonly Dictionary<string, FileChanges> _files = new(StringComparer.Ordinal);

    private bool _isApplied;

    private Migration(Workspace workspace) => _workspace = workspace;

    /// <summary>Gets the version of the packages that projects will refer to: that of this tool.</summary>
    public static string Version { get; } =
        typeof(Migration).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0];

    /// <summary>Gets the drivers that the solution uses.</summary>
    public Drivers Drivers { get; private set; }

    public int Projects => _workspace.Projects.Count;

    public int FilesRead => _files.Count;

    public string Root => _workspace.Root;

    /// <summary>Gets the findings; after <see cref="Apply"/>, with their places in the changed files.</summary>
    public IEnumerable<Finding> Findings => _files.Values.SelectMany(changes => _isApplied ? changes.FindingsAfter() : changes.Findings)
        .OrderBy(static one => one.File, StringComparer.Ordinal).ThenBy(static one => one.Line).ThenBy(static one => one.Column);

    /// <summary>Gets the files that <see cref="Apply"/> would write.</summary>
    public IEnumerable<FileChanges> Changed => _files.Values.Where(static changes => changes.HasEdits);

    public static Migration Read(string path)
    {
        var migration = new Migration(Workspace.Open(path));
        migration.ReadProjects();
        return migration;
    }

    /// <summary>Writes the files with automatic changes.</summary>
    public int Apply()
    {
        _isApplied = true;
        var changed = Changed.ToList();
        foreach (var changes in changed)
            changes.File.Write(changes.Changed());
        return changed.Count;
    }

    private void ReadProjects()
    {
        var shared = _workspace.Shared.Select(Open).Select(static changes => ProjectFile.Read(changes, Version)).OfType<ProjectFile>().ToList();
        foreach (var one in shared)
            one.Migrate();
        var sharedUsings = shared.SelectMany(static one => one.Usings).ToList();
        var sharedKeeps = shared.Any(static one => one.KeepsNpgsqlNames);
        var projects = new List<(string Path, ProjectFile File, List<SourceFile> Sources)>();
        foreach (var path in _workspace.Projects)
        {
            if (ProjectFile.Read(Open(path), Version) is not { } project)
                continue;
            // The imports before the project's own are rewritten.
            var usings = project.Usings.Concat(sharedUsings).ToList();
            project.Migrate();
            var isCSharp = !path.EndsWith(".fsproj", StringComparison.OrdinalIgnoreCase) && !path.EndsWith(".vbproj", StringComparison.OrdinalIgnoreCase);
            if (!isCSharp && project.Drivers != Drivers.None)
                Open(path).Add(0, FindingKind.Manual, "language", "Only C# is read: change the source files of this project by hand.", "migrating.md");
            var sources = _workspace.FilesOf(path, "*.cs").Concat(Workspace.Linked(path, project.Compiled)).Distinct()
                .Where(static file => file.EndsWith(".cs", StringComparison.OrdinalIgnoreCase)).Select(file => new SourceFile(Open(file))).ToList();
            var global = usings.Aggregate(Drivers.None, static (drivers, space) => drivers | Names.DriverOf(space));
            foreach (var source in sources)
                global |= source.GlobalDrivers;
            foreach (var source in sources)
            {
                source.Drivers |= global;
                Drivers |= source.Drivers & ~(Drivers.SlipstreamMySql | Drivers.SlipstreamPostgreSql);
            }

            Drivers |= project.Drivers;
            projects.Add((path, project, sources));
        }

        foreach (var one in shared)
            Drivers |= one.Drivers;
        ReadSources(projects, sharedKeeps, shared);
        foreach (var (path, _, _) in projects)
            foreach (var pattern in OtherLanguages.Patterns)
                foreach (var file in _workspace.FilesOf(path, pattern))
                    OtherLanguages.Check(Open(file));
        ReadSettings(projects);
        if (Drivers == Drivers.None)
            return;
        foreach (var (_, project, sources) in projects)
            if (project.Drivers != Drivers.None || sources.Any(static source => (source.Drivers & OldDrivers) != 0))
                project.CheckFramework();
        foreach (var one in shared)
            one.CheckFramework();
    }

    private void ReadSources(
        List<(string Path, ProjectFile File, List<SourceFile> Sources)> projects, bool sharedKeeps, List<ProjectFile> shared)
    {
        var files = projects.ToDictionary(static project => project.Path, static project => project.File);
        var replaces = shared.Any(static one => one.ReplacesNpgsql);
        var brings = shared.Any(static one => one.BringsNpgsql);
        var declared = projects.SelectMany(static project => project.Sources).SelectMany(static source => source.DeclaredTypes).ToHashSet();
        foreach (var (path, project, sources) in projects)
        {
            var keeps = sharedKeeps || project.KeepsNpgsqlNames;
            var all = Closure(path, files);
            // Npgsql comes with a library that needs it, and nothing would bring Slipstream.
            var staysWithNpgsql = !replaces && !all.Any(static one => one.ReplacesNpgsql) && (brings || all.Any(static one => one.BringsNpgsql));
            foreach (var source in sources)
            {
                if (staysWithNpgsql)
                    source.Drivers &= ~Drivers.Npgsql;
                Usings.Migrate(source, keeps || staysWithNpgsql);
                // With aliases, both exceptions are one type already, and their names stay.
                if (!keeps && !staysWithNpgsql)
                    ServerErrors.Migrate(source);
                new TypeNames(source, declared, keeps, staysWithNpgsql).Migrate();
                Registrations.Migrate(source, Drivers.HasFlag(Drivers.MySqlConnector), staysWithNpgsql);
                SignFinder.Find(source, Drivers);
            }
        }
    }

    // A project and those that it refers to, directly or through others.
    private static List<ProjectFile> Closure(string path, Dictionary<string, ProjectFile> files)
    {
        var found = new Dictionary<string, ProjectFile>();
        var waiting = new Stack<string>([path]);
        while (waiting.TryPop(out var one))
            if (!found.ContainsKey(one) && files.TryGetValue(one, out var file))
            {
                found.Add(one, file);
                foreach (var reference in file.References)
                    waiting.Push(Path.GetFullPath(reference.Replace('\\', '/'), Path.GetDirectoryName(one)!));
            }

        return [.. found.Values];
    }

    private void ReadSettings(List<(string Path, ProjectFile File, List<SourceFile> Sources)> projects)
    {
        foreach (var (path, _, _) in projects)
        {
            foreach (var file in _workspace.FilesOf(path, "appsettings*.json"))
                SettingsFile.CheckJson(Open(file), Drivers);
            foreach (var file in _workspace.FilesOf(path, "*.config").Where(static file =>
                !Path.GetFileName(file).Equals("nuget.config", StringComparison.OrdinalIgnoreCase)))
                SettingsFile.CheckXml(Open(file));
        }
    }

    private FileChanges Open(string path)
    {
        if (!_files.TryGetValue(path, out var changes))
            _files.Add(path, changes = new FileChanges(TextFile.Read(path), _workspace.Relative(path)));
        return changes;
    }
}
