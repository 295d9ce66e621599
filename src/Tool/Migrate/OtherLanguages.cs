using System.Text.RegularExpressions;

namespace Slipstream.Tool.Migrate;

/// <summary>Finds names of drivers in files that are not read as C#: they are reported, and never changed.</summary>
internal static partial class OtherLanguages
{
    private const string Driver = @"(?<name>MySqlConnector|MySql\.Data(?:\.MySqlClient|\.Types)?|NpgsqlTypes|Npgsql)";

    /// <summary>Gets the names of these files. Razor contains C#, but is not C#.</summary>
    public static IReadOnlyList<string> Patterns { get; } = ["*.razor", "*.cshtml", "*.vb", "*.fs"];

    public static void Check(FileChanges changes)
    {
        foreach (Match match in Uses().Matches(changes.File.Text))
        {
            var name = match.Groups["name"];
            changes.Add(
                name.Index, FindingKind.Manual, "language", $"Only C# files are read: change {name.Value}, and the names that come from it, by hand.",
                "migrating.md");
        }
    }

    // An import, or a qualified name.
    [GeneratedRegex($@"\b(?:using|using\s+static|Imports|open)\s+{Driver}(?:\.[\w.]+)?\s*;?\s*$|[\s(,@<=]{Driver}\.[A-Z]\w*\b", RegexOptions.Multiline)]
    private static partial Regex Uses();
}
