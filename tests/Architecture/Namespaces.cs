using System.Text.RegularExpressions;

namespace Slipstream.Architecture;

/// <summary>
/// Checks that a file's floor determines its namespace. Rooms of a floor share it, except for the messages of a protocol. Public types of a provider are in its
/// root namespace, wherever their files are, so users do not notice when a file moves; only replication has its own.
/// </summary>
public partial class Namespaces
{
    [Fact]
    public void Every_file_has_the_namespace_of_its_floor() => Report.Empty(
        from file in SourceFile.All
        let declared = Declaration().Match(file.Code).Groups[1].Value
        let expected = Expected(file)
        where declared.Length > 0 && declared != expected
        select $"{file.Path}: {declared} instead of {expected}");

    private static string Expected(SourceFile file) => file.Path.Split('/', StringSplitOptions.RemoveEmptyEntries)[..^1] switch
    {
        // The class Wire needs a namespace with another name.
        ["Core", "Wire", ..] => "Slipstream.Core.Wires",
        // A base class of the providers' public types, which are in one namespace.
        ["Core", "Options"] when file.Path.Contains("ConnectionStringBuilder", StringComparison.Ordinal) => "Slipstream.Core.Data",
        // Npgsql has its replication in namespaces of their own, and so has the driver.
        ["PostgreSql", "Data", "Replication", ..] and var folders => $"Slipstream.PostgreSql.{string.Join('.', folders.Skip(2))}",
        // Values has public types, and only what these need.
        [not "Core" and var provider, "Data" or "Values", ..] => $"Slipstream.{provider}",
        [not "Core" and var provider, "Options" or "Errors" or "Types", ..] when PublicType().IsMatch(file.Code) => $"Slipstream.{provider}",
        [not "Core", "Protocol", ..] and var folders => $"Slipstream.{string.Join('.', folders)}",
        [var project, var floor, ..] => $"Slipstream.{project}.{floor}",
        _ => "a folder",
    };

    [GeneratedRegex(@"^namespace ([\w.]+);", RegexOptions.Multiline)]
    private static partial Regex Declaration();

    [GeneratedRegex(@"^public ", RegexOptions.Multiline)]
    private static partial Regex PublicType();
}
