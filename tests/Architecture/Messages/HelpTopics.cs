using System.Globalization;
using System.Text;

namespace Slipstream.Architecture.Messages;

/// <summary>Writes the table that maps a message to its page (Exception.HelpLink): src/Core/Errors/ErrorPages.txt.</summary>
internal static class HelpTopics
{
    // Shorter texts are parts of others, and would match anywhere.
    private const int FewestLetters = 12;

    public static string Path => System.IO.Path.Combine(SourceFile.Root, "Core", "Errors", "ErrorPages.txt");

    /// <summary>The messages that can be distinguished from others, and the pages that explain them.</summary>
    public static IEnumerable<(string Id, string Form)> Forms => Catalogue.Entries
        .Where(static entry => !entry.Id.StartsWith("part-", StringComparison.Ordinal))
        // Exceptions above the driver have no link to a page.
        .Where(static entry => !entry.Id.StartsWith("efcore-", StringComparison.Ordinal) && !entry.Id.StartsWith("cache-", StringComparison.Ordinal))
        .SelectMany(static entry => entry.Messages, static (entry, message) => (entry.Id, Form: Thrown.KeyOf(message)))
        .Where(static one => !one.Form.StartsWith("(.NET: ", StringComparison.Ordinal))
        .Where(static one => one.Form.Replace("{}", "", StringComparison.Ordinal).Count(char.IsLetter) >= FewestLetters);

    public static string Write()
    {
        var table = new StringBuilder("# Which page explains which message. Written from docs/messages by tests/Architecture (HelpTopics).\n");
        foreach (var page in Forms.GroupBy(static one => one.Id))
            table.Append(CultureInfo.InvariantCulture, $"={page.Key}\n{string.Join('\n', page.Select(static one => one.Form))}\n");
        table.Append(CultureInfo.InvariantCulture, $"@mysql {string.Join(' ', ErrorsPage.Numbers)}\n");
        table.Append(CultureInfo.InvariantCulture, $"@postgresql {string.Join(' ', ServerErrors.States.Select(static state => state.TrimEnd('…')))}\n");
        return table.ToString();
    }
}
