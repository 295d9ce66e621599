using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Logging;
using Slipstream.Core.Data;

namespace Slipstream.Architecture;

/// <summary>Checks that docs/logging.md has a row for each log message, because operators filter by category, level and id.</summary>
public partial class LogMessages
{
    private const string Page = "docs/logging.md";

    private static readonly string[] Categories = ["Command", "Connection", "Pool", "Topology"];

    [Fact]
    public void The_page_lists_each_message_with_its_level()
    {
        var page = File.ReadAllText(Path.Combine(Path.GetDirectoryName(SourceFile.Root)!, "docs", "logging.md"));
        var listed = Row().Matches(page).Select(static row => row.Groups)
            .Select(static cells => (Id: int.Parse(cells[1].Value, CultureInfo.InvariantCulture), Category: cells[2].Value, Level: cells[3].Value)).ToList();
        var messages = typeof(ProviderCommand).Assembly.GetType("Slipstream.Core.Diagnostics.Log", throwOnError: true)!
            .GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic)
            .Select(static method => method.GetCustomAttribute<LoggerMessageAttribute>()).OfType<LoggerMessageAttribute>()
            .Select(static message => (Id: message.EventId, Level: message.Level.ToString())).ToList();
        Assert.NotEmpty(messages);
        Report.Empty(
        [
            .. messages.Where(message => !listed.Any(row => row.Id == message.Id && row.Level == message.Level))
                .Select(static message => $"{Page} needs a row for message {message.Id} with the level {message.Level}"),
            .. listed.Where(row => messages.All(message => message.Id != row.Id)).Select(static row => $"{Page} lists message {row.Id}, which does not exist"),
            .. listed.GroupBy(static row => row.Id).Where(static rows => rows.Count() > 1).Select(static rows => $"{Page} lists message {rows.Key} twice"),
            .. listed.Where(static row => !Categories.Contains(row.Category)).Select(static row => $"{Page}: message {row.Id} has an unknown category"),
        ]);
    }

    [GeneratedRegex(@"^\| (1\d{3}) \| (\w+) \| (\w+) \|", RegexOptions.Multiline)]
    private static partial Regex Row();
}
