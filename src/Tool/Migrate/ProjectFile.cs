using System.Xml;
using System.Xml.Linq;

namespace Slipstream.Tool.Migrate;

/// <summary>
/// Finds the references to packages in a project or a file of properties, and replaces them in the text, so that everything else stays as it is.
/// </summary>
internal sealed class ProjectFile
{
    private const string Versions = "PackageVersion";
    private static readonly string[] PackageItems = ["PackageReference", Versions, "GlobalPackageReference"];

    private readonly FileChanges _changes;
    private readonly XDocument _document;
    private readonly string _version;
    private readonly HashSet<string> _present;

    private ProjectFile(FileChanges changes, XDocument document, string version)
    {
        (_changes, _document, _version) = (changes, document, version);
        _present = [.. ItemsOf(document).Where(static item => !IsConditional(item)).Select(static item => item.Name.LocalName + "/" + NameOf(item))];
    }

    public string Path => File.Path;

    /// <summary>Gets the drivers whose packages the file refers to.</summary>
    public Drivers Drivers { get; private set; }

    /// <summary>Gets the namespaces that the file imports into every source file.</summary>
    public IEnumerable<string> Usings => Of("Using").Select(static item => NameOf(item));

    /// <summary>Gets the source files, or patterns of them, that the file names.</summary>
    public IEnumerable<string> Compiled => Of("Compile").Select(static item => NameOf(item)).Where(static name => name.Length > 0);

    /// <summary>Gets the other projects that the file refers to.</summary>
    public IEnumerable<string> Projects => Of("ProjectReference").Select(static item => NameOf(item)).Where(static name => name.Length > 0);

    /// <summary>Gets the symbols for <c>#if</c> that the file defines.</summary>
    public IEnumerable<string> Constants => Of("DefineConstants")
        .SelectMany(static property => property.Value.Split([';', ','], StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        .Where(static name => !name.StartsWith('$'));

    /// <summary>Gets the packages that the file refers to.</summary>
    public IEnumerable<string> References => ItemsOf(_document).Where(static item => item.Name.LocalName != Versions).Select(static item => NameOf(item));

    /// <summary>Gets the packages that the project refers to and keeps.</summary>
    public IEnumerable<string> Kept =>
        ItemsOf(_document).Where(static item => item.Name.LocalName != Versions && IsKept(item)).Select(static item => NameOf(item));

    /// <summary>Gets whether the file has versions of packages for several projects.</summary>
    public bool HasVersions => Of(Versions).Any();

    /// <summary>Gets whether the file refers to packages.</summary>
    public bool HasReferences => References.Any();

    /// <summary>Gets whether the file refers to packages that have the versions of EF Core.</summary>
    public bool HasEntityFrameworkCore => References.Any(Packages.FollowsEntityFrameworkCore);

    /// <summary>Gets whether the file refers to a library that is compiled against Npgsql, and brings it.</summary>
    public bool BringsNpgsql { get; private set; }

    /// <summary>Gets whether the file refers to a package of Npgsql that is replaced.</summary>
    public bool ReplacesNpgsql { get; private set; }

    /// <summary>Gets whether the file refers to a package of MySqlConnector that is replaced.</summary>
    public bool ReplacesMySqlConnector { get; private set; }

    /// <summary>Gets whether the project keeps the names of Npgsql.</summary>
    public bool KeepsNpgsqlNames =>
        Of("SlipstreamNpgsqlNames").Any(static property => property.Value.Trim().Equals("true", StringComparison.OrdinalIgnoreCase));

    private TextFile File => _changes.File;

    /// <summary>Reads a file; returns null, with a finding, if it is not XML.</summary>
    public static ProjectFile? Read(FileChanges changes, string version)
    {
        try
        {
            return new ProjectFile(changes, XDocument.Parse(changes.File.Text, LoadOptions.SetLineInfo | LoadOptions.PreserveWhitespace), version);
        }
        catch (XmlException exception)
        {
            changes.Add(0, FindingKind.Manual, "unreadable", $"The file cannot be read, so its references are not changed: {exception.Message}", null);
            return null;
        }
    }

    /// <summary>Adds the changes of packages and imported namespaces.</summary>
    /// <param name="kept">The packages whose versions in this file are still needed.</param>
    /// <param name="moved">The packages to which projects no longer refer.</param>
    public void Migrate(IReadOnlyCollection<string> kept, IReadOnlyCollection<string> moved)
    {
        // A reference without a condition makes those with a condition superfluous, wherever it stands.
        foreach (var item in ItemsOf(_document).OrderBy(static item => IsConditional(item)))
            if (item.Name.LocalName != Versions || !kept.Contains(NameOf(item), StringComparer.OrdinalIgnoreCase))
                Reference(item);
            else if (moved.Contains(NameOf(item), StringComparer.OrdinalIgnoreCase))
                Add(item);
        foreach (var item in Of("Using"))
            Import(item);
    }

    /// <summary>Adds the changes from EF Core 9 to EF Core 10, which Slipstream's provider needs.</summary>
    public void RaiseEntityFrameworkCore()
    {
        foreach (var item in ItemsOf(_document))
            RaiseEntityFrameworkCore(item);
    }

    /// <summary>Adds a finding if the project is built for a runtime older than .NET 10.</summary>
    public void CheckFramework()
    {
        foreach (var element in _document.Descendants().Where(static element => element.Name.LocalName is "TargetFramework" or "TargetFrameworks"
            or "TargetFrameworkVersion"))
        {
            var old = element.Value.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries).Where(IsOld).ToList();
            if (old.Count > 0)
                _changes.Add(
                    OffsetOf(element), FindingKind.Manual, "framework", $"{string.Join(", ", old)}: Slipstream needs .NET 10: set net10.0.", "get-started.md");
        }
    }

    private static bool IsOld(string framework) =>
        framework.StartsWith("netstandard", StringComparison.Ordinal) || framework.StartsWith("netcoreapp", StringComparison.Ordinal)
        || framework.StartsWith('v')
        || (framework.StartsWith("net", StringComparison.Ordinal) && Version.TryParse(framework[3..].Split('-')[0], out var version)
            ? version.Major < 10
            : framework.StartsWith("net4", StringComparison.Ordinal));

    private static IEnumerable<XElement> ItemsOf(XDocument document) =>
        document.Descendants().Where(static element => PackageItems.Contains(element.Name.LocalName) && NameOf(element).Length > 0);

    private static string NameOf(XElement item) => ((string?)item.Attribute("Include") ?? (string?)item.Attribute("Update") ?? "").Trim();

    private IEnumerable<XElement> Of(string name) => _document.Descendants().Where(element => element.Name.LocalName == name);

    private static bool IsConditional(XElement item) =>
        item.AncestorsAndSelf().Any(static element => element.Attribute("Condition") is not null || element.Name.LocalName == "Otherwise");

    // The project compiles against MySqlConnector and runs with Slipstream.Compat.MySqlConnector.
    private static bool IsKept(XElement item) => NameOf(item).Equals("MySqlConnector", StringComparison.OrdinalIgnoreCase)
        && ((string?)item.Attribute("ExcludeAssets") ?? item.Elements().FirstOrDefault(static element => element.Name.LocalName == "ExcludeAssets")?.Value)
            ?.Contains("runtime", StringComparison.OrdinalIgnoreCase) == true;

    private void Reference(XElement item)
    {
        var name = NameOf(item);
        if (name.Contains(';', StringComparison.Ordinal)
            && name.Split(';', StringSplitOptions.TrimEntries).FirstOrDefault(static one => Packages.Of(one) is not null) is { } one)
        {
            _changes.Add(OffsetOf(item), FindingKind.Manual, "package:" + one, $"{name}: write one reference for each package.", Packages.Of(one)!.Docs);
            return;
        }

        if (Packages.Of(name) is not { } change || IsKept(item))
            return;
        Drivers |= change.Driver;
        if (item.Name.LocalName != Versions)
        {
            BringsNpgsql |= Packages.BringsNpgsql(name);
            ReplacesNpgsql |= change is { Driver: Drivers.Npgsql, Kind: FindingKind.Automatic };
            ReplacesMySqlConnector |= change is { Driver: Drivers.MySqlConnector or Drivers.Pomelo, Kind: FindingKind.Automatic };
        }

        var offset = OffsetOf(item);
        if (change.Kind != FindingKind.Automatic)
        {
            _changes.Add(offset, change.Kind, "package:" + name, $"{name}: {change.Advice}", change.Docs);
            return;
        }

        if (change.Target is not { } target)
        {
            _changes.Automatic(
                File.Removal(offset, EndOf(item, offset)), "package:" + name, $"{name} is removed: its function is part of Slipstream.", change.Docs, offset);
            return;
        }

        // Two packages of the other driver may be one of Slipstream's, and a second reference would be an error.
        var key = item.Name.LocalName + "/" + target;
        if (IsConditional(item) ? _present.Contains(key) : !_present.Add(key))
        {
            _changes.Automatic(
                File.Removal(offset, EndOf(item, offset)), "package:" + name, $"{name} is removed: {target} is referenced already.", change.Docs, offset);
            return;
        }

        var attribute = item.Attribute("Include") ?? item.Attribute("Update")!;
        var advice = change.Advice is null ? "" : " " + change.Advice;
        _changes.Automatic(ValueOf(attribute, target), "package:" + name, $"{name} becomes {target} {_version}.{advice}", change.Docs, offset);
        SetVersion(item, _version);
    }

    // Other projects need the version that the file has.
    private void Add(XElement item)
    {
        var name = NameOf(item);
        if (Packages.Of(name) is not { Kind: FindingKind.Automatic, Target: { } target } change || !_present.Add($"{Versions}/{target}"))
            return;
        var offset = OffsetOf(item);
        var end = EndOf(item, offset);
        var (line, column) = File.PlaceOf(offset);
        var indent = File.Text.AsSpan(File.OffsetOf(line, 1), column - 1);
        _changes.Automatic(
            new Edit(end, 0, $"{File.NewLine}{(indent.IsWhiteSpace() ? indent.ToString() : "")}<{Versions} Include=\"{target}\" Version=\"{_version}\" />"),
            "package:" + name, $"{target} {_version} is added: other projects still refer to {name}.", change.Docs, offset);
    }

    private void RaiseEntityFrameworkCore(XElement item)
    {
        var name = NameOf(item);
        if (!Packages.FollowsEntityFrameworkCore(name) || VersionOf(item) is not { } version)
            return;
        var known = Version.TryParse(version.Split('-')[0], out var parsed);
        if (known && parsed!.Major >= 10)
            return;
        if (!known)
        {
            _changes.Add(
                OffsetOf(item), FindingKind.Manual, "package:" + name, $"{name} {version}: set {Packages.EntityFrameworkCore} or a later 10.x.",
                    "efcore.md#install");
            return;
        }

        var edit = SetVersion(item, Packages.EntityFrameworkCore, isSilent: false);
        if (edit is { } one)
            _changes.Automatic(
                one, "package:" + name, $"{name} {version} becomes {Packages.EntityFrameworkCore}.", "efcore.md#install", OffsetOf(item));
    }

    private void Import(XElement item)
    {
        var space = NameOf(item);
        // Npgsql comes with a library that needs it.
        if (BringsNpgsql && !ReplacesNpgsql && Names.DriverOf(space) == Drivers.Npgsql)
            return;
        if (item.Attribute("Static") is not null || item.Attribute("Alias") is not null)
        {
            if (Names.DriverOf(space) is Drivers.MySqlConnector or Drivers.MySqlData or Drivers.Npgsql)
                _changes.Add(OffsetOf(item), FindingKind.Manual, "namespace", $"The import of {space} must name the type in Slipstream.", "migrating.md");
            return;
        }

        if (!Names.Namespaces.TryGetValue(space, out var target))
            return;
        Drivers |= Names.DriverOf(space);
        var offset = OffsetOf(item);
        if (target is null || !_present.Add("Using/" + target))
            _changes.Automatic(File.Removal(offset, EndOf(item, offset)), "namespace", $"The import of {space} is removed.", null, offset);
        else
            _changes.Automatic(ValueOf(item.Attribute("Include")!, target), "namespace", $"The import of {space} becomes {target}.", null, offset);
    }

    private static string? VersionOf(XElement item) =>
        (string?)item.Attribute("Version") ?? (string?)item.Attribute("VersionOverride")
        ?? item.Elements().FirstOrDefault(static element => element.Name.LocalName == "Version")?.Value;

    // Without a version in the reference, it is in Directory.Packages.props.
    private Edit? SetVersion(XElement item, string version, bool isSilent = true)
    {
        Edit? edit = null;
        if ((item.Attribute("Version") ?? item.Attribute("VersionOverride")) is { } attribute)
            edit = ValueOf(attribute, version);
        else if (item.Elements().FirstOrDefault(static element => element.Name.LocalName == "Version") is { } element
            && File.Text.IndexOf('>', OffsetOf(element)) + 1 is var start and > 0)
            edit = new Edit(start, File.Text.IndexOf('<', start) - start, version);
        if (edit is { } one && isSilent)
            _changes.Silently(one);
        return edit;
    }

    // The position of an element is that of its name, after '<'.
    private int OffsetOf(XElement element) =>
        element is IXmlLineInfo info && info.HasLineInfo() ? File.OffsetOf(info.LineNumber, info.LinePosition) - 1 : 0;

    private Edit ValueOf(XAttribute attribute, string value)
    {
        var info = (IXmlLineInfo)attribute;
        var name = File.OffsetOf(info.LineNumber, info.LinePosition);
        var equals = File.Text.IndexOf('=', name);
        var start = File.Text.IndexOfAny(['"', '\''], equals) + 1;
        return new Edit(start, File.Text.IndexOf(File.Text[start - 1], start) - start, value);
    }

    private int EndOf(XElement element, int start)
    {
        var text = File.Text;
        var at = start;
        // The end of the start tag: a '>' may also be part of an attribute's value.
        for (char? quote = null; at < text.Length; at++)
        {
            if (quote is { } open)
            {
                if (text[at] == open)
                    quote = null;
            }
            else if (text[at] is '"' or '\'')
                quote = text[at];
            else if (text[at] == '>')
                break;
        }

        if (text[at - 1] == '/')
            return at + 1;
        var close = $"</{element.Name.LocalName}";
        return text.IndexOf('>', text.IndexOf(close, at, StringComparison.Ordinal)) + 1;
    }
}
