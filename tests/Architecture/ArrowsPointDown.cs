using System.Text.RegularExpressions;

namespace Slipstream.Architecture;

/// <summary>The picture of the design as a table: which folder may use which. What is not in the table is not allowed.</summary>
public class ArrowsPointDown
{
    // Folder -> folders it may use. The core's own names; a provider's folder may use the core's as listed there.
    private static readonly Dictionary<string, string> Core = new()
    {
        ["Bytes"] = "",
        ["Errors"] = "",
        ["Statements"] = "",
        ["Wires"] = "Bytes Errors Conversations",
        ["Conversations"] = "Bytes Errors Wires",
        ["Options"] = "Wires",
        ["Pooling"] = "Errors Wires",
        ["Diagnostics"] = "Pooling",
        ["Sessions"] = "Bytes Errors Wires Conversations Pooling Statements",
        ["Codecs"] = "Bytes Errors Conversations",
        ["Data"] = "Bytes Errors Wires Conversations Options Pooling Diagnostics Sessions Statements Codecs",
    };

    // Folder -> (its own provider's folders, the core's). "" is the provider's root folder, where its session lives.
    private static readonly Dictionary<string, (string Own, string Core)> Provider = new()
    {
        ["Protocol"] = ("", "Bytes Errors"),
        ["Authentication"] = ("Protocol", "Bytes Errors Wires"),
        ["Codecs"] = ("Protocol", "Bytes Errors Conversations Codecs"),
        ["Statements"] = ("Protocol Codecs", "Bytes Errors Statements"),
        ["Conversations"] = ("Protocol Authentication Codecs Statements", "Bytes Errors Wires Conversations Statements Sessions"),
        ["Errors"] = ("Protocol", "Errors"),
        [""] = ("Protocol Authentication Codecs Statements Conversations Errors", "Bytes Errors Wires Conversations Statements Sessions"),
        ["Data"] = ("Protocol Authentication Codecs Statements Conversations Errors", "Bytes Errors Wires Conversations Options Pooling Diagnostics Sessions Statements Codecs Data"),
    };

    [Fact]
    public void Lower_folders_never_import_higher_ones()
    {
        var wrong = new List<string>();
        foreach (var file in SourceFile.All)
        {
            var parts = file.Path.Split('/', StringSplitOptions.RemoveEmptyEntries);
            var (project, folder) = (parts[0], parts.Length > 2 ? parts[1] : "");
            var own = project == "Core" ? AllowedInCore(folder) : Provider.TryGetValue(folder, out var rule) ? $"{folder} {rule.Own}" : null;
            var core = project == "Core" ? own : Provider.TryGetValue(folder, out var outer) ? outer.Core : null;
            if (own is null || core is null)
            {
                wrong.Add($"{file.Path}: the folder {folder} is not in the table");
                continue;
            }

            foreach (var (target, name, line) in Imports(file, project))
            {
                var allowed = target == "Core" ? core : target == project ? own : "";
                if (!allowed.Split(' ').Contains(name))
                    wrong.Add($"{file.Path}:{line}: {folder} must not use {target}.{name}");
            }
        }

        Report.Empty(wrong);
    }

    [Fact]
    public void Nothing_below_the_shells_names_a_shell()
    {
        // A provider's public values live in its root namespace, so no import shows them: their names do.
        var shells = new Regex(@"\b(Provider|MySql|Pg)(Connection|Command|DataReader|Transaction|DataSource|DataSourceBuilder|ConnectionStringBuilder|Exception|Parameter|ParameterCollection|Factory)\b");
        var wrong =
            from file in SourceFile.All
            where !file.Path.Contains("/Data/")
            from line in file.Code.Split('\n').Select((text, index) => (Text: text, Number: index + 1))
            where shells.IsMatch(line.Text)
            select $"{file.Path}:{line.Number}: {line.Text.Trim()}";
        Report.Empty(wrong);
    }

    [Fact]
    public void Every_file_has_its_folders_namespace()
    {
        var wrong = new List<string>();
        foreach (var file in SourceFile.All)
        {
            var folders = file.Path.Split('/', StringSplitOptions.RemoveEmptyEntries)[..^1];
            // The class Wire needs a namespace of another name; what lies in sub-folders of the wire is one with it. Public types live in the root.
            var expected = folders switch
            {
                ["Core", "Wire", ..] => "Slipstream.Core.Wires",
                ["MySql" or "PostgreSql", "Data", ..] => $"Slipstream.{folders[0]}",
                _ => "Slipstream." + string.Join('.', folders),
            };
            var declared = Regex.Match(file.Code, @"^namespace ([\w.]+);", RegexOptions.Multiline).Groups[1].Value;
            if (declared.Length > 0 && declared != expected && declared != $"{expected}.Data")
                wrong.Add($"{file.Path}: {declared} instead of {expected}");
        }

        Report.Empty(wrong);
    }

    private static string? AllowedInCore(string folder)
    {
        var name = folder == "Wire" ? "Wires" : folder;
        return Core.TryGetValue(name, out var allowed) ? $"{name} {allowed}" : null;
    }

    // Imports, and names qualified by a folder of the core ("Diagnostics.Log", "Core.Errors.ServerError").
    private static IEnumerable<(string Project, string Folder, int Line)> Imports(SourceFile file, string project)
    {
        var lines = file.Code.Split('\n');
        for (var i = 0; i < lines.Length; i++)
        {
            foreach (Match match in Regex.Matches(lines[i], @"\bSlipstream\.(Core|MySql|PostgreSql)\.(\w+)"))
                if (!lines[i].StartsWith("namespace ", StringComparison.Ordinal))
                    yield return (match.Groups[1].Value, match.Groups[2].Value, i + 1);
            foreach (Match match in Regex.Matches(lines[i], @"(?<![\w.])(Core\.)?(Bytes|Wires|Conversations|Pooling|Statements|Options|Errors|Diagnostics|Data)\.[A-Z]"))
                if (project == "Core" || match.Groups[1].Success)
                    yield return ("Core", match.Groups[2].Value, i + 1);
        }
    }
}
