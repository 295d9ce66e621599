using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace Slipstream.Tool.Migrate;

/// <summary>Finds connection strings and log categories in configuration files. They are reported, and never changed.</summary>
internal static partial class SettingsFile
{
    private static readonly JsonReaderOptions Options = new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };

    public static void CheckJson(FileChanges changes, Drivers drivers)
    {
        var bytes = Encoding.UTF8.GetBytes(changes.File.Text);
        var reader = new Utf8JsonReader(bytes, Options);
        try
        {
            while (reader.Read())
            {
                var offset = Encoding.UTF8.GetCharCount(bytes.AsSpan(0, (int)reader.TokenStartIndex));
                if (reader.TokenType == JsonTokenType.PropertyName && reader.GetString() is { } name && Category().Match(name) is { Success: true } match)
                    changes.Add(
                        offset, FindingKind.Manual, "log-category", $"The log category {name} has another name: {CategoryOf(match.Groups[1].Value)}.",
                        "logging.md#categories");
                else if (reader.TokenType == JsonTokenType.String)
                    ConnectionTexts.Check(changes, offset, reader.GetString()!, drivers);
            }
        }
        catch (JsonException)
        {
            // A file that the application could not read either, or a template: there is nothing to find.
            changes.Add(0, FindingKind.Review, "unreadable", "The file is not JSON, so its connection strings are not checked.", null);
        }
    }

    /// <summary>Reports what an XML configuration of .NET Framework says about a driver.</summary>
    public static void CheckXml(FileChanges changes)
    {
        var isPackages = Path.GetFileName(changes.File.Path).Equals("packages.config", StringComparison.OrdinalIgnoreCase);
        foreach (Match match in (isPackages ? Package() : Invariant()).Matches(changes.File.Text))
        {
            if (isPackages && Packages.Of(match.Groups[1].Value) is null)
                continue;
            changes.Add(
                match.Index, FindingKind.Manual, isPackages ? "packages-config" : "config",
                isPackages
                    ? $"{match.Groups[1].Value} in packages.config: such projects are built for .NET Framework, and Slipstream needs .NET 10."
                    : $"{match.Groups[1].Value} in a configuration file: the provider's name in Slipstream is another one.",
                isPackages ? "get-started.md" : "orms.md#provider-factories");
        }
    }

    private static string CategoryOf(string driver) => driver == "Npgsql"
        ? "Slipstream.PostgreSql.Connection, .Command and .Pool"
        : "Slipstream.MySql.Connection, .Command and .Pool";

    [GeneratedRegex(@"^(MySqlConnector|Npgsql)(\.\w+)*$")]
    private static partial Regex Category();

    [GeneratedRegex("""<package\s+id="([^"]+)"[^>]*>""")]
    private static partial Regex Package();

    [GeneratedRegex(@"(?<=[""])((?:MySqlConnector|MySql\.Data|Npgsql)[\w.]*)(?=[,""])")]
    private static partial Regex Invariant();
}
