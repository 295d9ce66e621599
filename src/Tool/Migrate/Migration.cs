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
        var read = _workspace.Projects.Select(path => (Path: path, File: ProjectFile.Read(Open(path), Version))).Where(static one => one.File is not null)
            .ToDictionary(static one => one.Path, static one => one.File!);
        var moved = read.Values.Concat(shared).SelectMany(static project => project.References.Except(project.Kept)).ToList();
        foreach (var one in shared)
            one.Migrate([.. read.Values.SelectMany(static project => project.Kept), .. Outside(one)], moved);
        var sharedUsings = shared.SelectMany(static one => one.Usings).ToList();
        var sharedConstants = shared.SelectMany(static one => one.Constants).ToList();
        var sharedKeeps = shared.Any(static one => one.KeepsNpgsqlNames);
        var projects = new List<(string Path, ProjectFile File, List<SourceFile> Sources)>();
        foreach (var (path, project) in read)
        {
            // The imports before the project's own are rewritten.
            var usings = project.Usings.Concat(sharedUsings).ToList();
            project.Migrate([], []);
            var isCSharp = !path.EndsWith(".fsproj", StringComparison.OrdinalIgnoreCase) && !path.EndsWith(".vbproj", StringComparison.OrdinalIgnoreCase);
            if (!isCSharp && project.Drivers != Drivers.None)
                Open(path).Add(0, FindingKind.Manual, "language", "Only C# is read: change the source files of this project by hand.", "migrating.md");
            var sources = _workspace.FilesOf(path, "*.cs").Concat(Workspace.Linked(path, project.Compiled)).Distinct()
                .Where(static file => file.EndsWith(".cs", StringComparison.OrdinalIgnoreCase))
                .Select(file => new SourceFile(Open(file), project.Constants.Concat(sharedConstants))).ToList();
            var global = usings.Aggregate(Drivers.None, static (drivers, space) => drivers | Names.DriverOf(space));
            foreach (var source in sources)
                global |= source.GlobalDrivers;
            foreach (var (alias, space) in sources.SelectMany(static source => source.GlobalAliases).ToList())
                foreach (var source in sources)
                    source.Aliases.TryAdd(alias, space);
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
        RaiseEntityFrameworkCore(read, shared);
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

    // Projects that use Pomelo's provider through another one have packages of EF Core, too, and two versions of them do not go together.
    private static void RaiseEntityFrameworkCore(Dictionary<string, ProjectFile> projects, List<ProjectFile> shared)
    {
        var everywhere = shared.Any(static one => one.Drivers.HasFlag(Drivers.Pomelo) && one.HasReferences);
        var with = projects.Values.Where(static one => one.Drivers.HasFlag(Drivers.Pomelo)).ToHashSet();
        if (!everywhere && with.Count == 0)
            return;
        foreach (var one in shared)
            one.RaiseEntityFrameworkCore();
        for (var before = -1; with.Count > before;)
        {
            before = with.Count;
            foreach (var (path, project) in projects)
                if (Closure(path, projects) is var all && (everywhere || all.Any(with.Contains)))
                    with.UnionWith([project, .. all.Where(static one => one.HasEntityFrameworkCore)]);
        }

        foreach (var project in with)
            project.RaiseEntityFrameworkCore();
    }

    // Packages that projects which are not part of this migration refer to, and whose versions this file has.
    private IEnumerable<string> Outside(ProjectFile shared) => !shared.HasVersions ? []
        : _workspace.Outside(shared.Path).Select(path => ProjectFile.Read(new FileChanges(TextFile.Read(path), path), Version)).OfType<ProjectFile>()
            .SelectMany(static project => project.References);

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
            var stays = !replaces && !all.Any(static one => one.ReplacesNpgsql) && (brings || all.Any(static one => one.BringsNpgsql))
                ? Drivers.Npgsql
                : Drivers.None;
            // The names that it is compiled against stay, and Slipstream runs in place of MySqlConnector.
            if (all.Any(static one => one.Kept.Any()) && !all.Concat(shared).Any(static one => one.ReplacesMySqlConnector))
                stays |= Drivers.MySqlConnector;
            foreach (var source in sources)
            {
                source.Drivers &= ~stays;
                Usings.Migrate(source, keeps, stays);
                // With aliases, both exceptions are one type already, and their names stay.
                if (!keeps && !stays.HasFlag(Drivers.Npgsql))
                    ServerErrors.Migrate(source);
                new TypeNames(source, declared, keeps, stays).Migrate();
                Registrations.Migrate(source, Drivers.HasFlag(Drivers.MySqlConnector), stays);
                SignFinder.Find(source, Drivers);
                DriverTexts.FindNameOf(source, declared, stays);
                ErrorCodes.Find(source);
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
                foreach (var reference in file.Projects)
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
