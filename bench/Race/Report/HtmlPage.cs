using System.Net;
using System.Reflection;
using System.Text;
using Slipstream.Race.Contestants;

namespace Slipstream.Race.Report;

/// <summary>Writes one self-contained file: the tables as plain HTML, and charts of the same rows if scripts are enabled.</summary>
internal static class HtmlPage
{
    /// <param name="path">The file to write.</param>
    /// <param name="rows">The measurements.</param>
    /// <param name="warning">A warning that readers must see first; null for none.</param>
    public static void Write(string path, IReadOnlyList<ReportRow> rows, string? warning = null)
    {
        var page = new StringBuilder();
        page.Append(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>Slipstream "
                + "race</title><style>")
            .Append(Resource("page.css"))
            .Append("</style></head><body><h1>Slipstream and its peers</h1>")
            .Append(warning is null ? "" : $"<p class=\"warning\">{Encode(warning)}</p>").Append("<p>")
            .Append(Encode($"{DateTime.UtcNow:yyyy-MM-dd HH:mm} UTC. {ContestantList.Machine}. {Versions(rows)}."))
            .Append("</p><p>").Append(Encode(Columns.Legend)).Append("</p><div id=\"charts\"></div>");
        foreach (var group in rows.GroupBy(Columns.Title))
            Table(page, group.Key, group);
        page.Append("<script id=\"rows\" type=\"application/json\">").Append(RaceJson.Text(rows)).Append("</script><script>")
            .Append(Resource("chart.umd.min.js").Replace("</script", "<\\/script", StringComparison.OrdinalIgnoreCase))
            .Append("</script><script>").Append(Resource("page.js")).Append("</script></body></html>");
        File.WriteAllText(path, page.ToString());
    }

    private static void Table(StringBuilder page, string title, IEnumerable<ReportRow> rows)
    {
        page.Append("<h2>").Append(Encode(title)).Append("</h2><table><thead><tr>");
        for (var column = 0; column < Columns.Titles.Length; column++)
            page.Append(column < Columns.Words ? "<th>" : "<th class=\"n\">").Append(Encode(Columns.Titles[column])).Append("</th>");
        page.Append("</tr></thead><tbody>");
        var previous = "";
        foreach (var row in rows)
        {
            var own = row.Provider == Contestant.SlipstreamName ? "own" : "";
            page.Append("<tr class=\"").Append(own).Append(row.Scenario == previous ? "" : " first").Append("\">");
            previous = row.Scenario;
            var cells = Columns.Of(row);
            var shown = row.Error is null ? cells.Length : Columns.Words;
            for (var column = 0; column < shown; column++)
                page.Append(column < Columns.Words ? "<td>" : "<td class=\"n\">").Append(Encode(cells[column])).Append("</td>");
            if (row.Error is not null)
                page.Append("<td class=\"error\" colspan=\"").Append(cells.Length - shown).Append("\">").Append(Encode(row.Error)).Append("</td>");
            page.Append("</tr>");
        }

        page.Append("</tbody></table>");
    }

    private static string Versions(IReadOnlyList<ReportRow> rows) =>
        string.Join(", ", rows.Where(row => row.Provider != Contestant.RawName).Select(row => $"{row.Provider} {row.ProviderVersion}").Distinct());

    private static string Encode(string text) => WebUtility.HtmlEncode(text);

    private static string Resource(string name)
    {
        using var stream = Assembly.GetExecutingAssembly().GetManifestResourceStream(name)!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    }
}
