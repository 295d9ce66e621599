using System.Text.RegularExpressions;

namespace Slipstream.Architecture;

/// <summary>A file's folder says its namespace.</summary>
public class Namespaces
{
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
}
