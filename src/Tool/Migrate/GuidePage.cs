using System.Text.RegularExpressions;
using Slipstream.Tool.Output;

namespace Slipstream.Tool.Migrate;

/// <summary>A row of a table of docs/migrating.md: a difference between a driver and Slipstream.</summary>
/// <param name="Driver">The driver whose chapter it is in.</param>
/// <param name="Page">The page and the anchor of its section.</param>
/// <param name="Subject">The first cell.</param>
/// <param name="There">How the other driver behaves; empty if the table has no such column.</param>
/// <param name="Here">How Slipstream behaves, or what to do.</param>
internal sealed record GuideRow(Drivers Driver, string Page, string Subject, string There, string Here)
{
    /// <summary>Returns the row as a sentence.</summary>
    public string Text => There.Length == 0 ? $"{Subject}: {Here}" : $"{Subject}: in {NameOf(Driver)}, {There}; in Slipstream, {Here}";

    private static string NameOf(Drivers driver) => driver switch
    {
        Drivers.MySqlData => "MySql.Data",
        Drivers.Npgsql => "Npgsql",
        _ => "MySqlConnector",
    };
}

/// <summary>
/// The page docs/migrating.md, which is part of this program: what the tool says about a difference is what the page says.
/// </summary>
internal static partial class GuidePage
{
    private const string Name = "migrating.md";

    public static IReadOnlyList<GuideRow> Rows { get; } = Read();

    /// <summary>Returns the row with this first cell in the chapter of a driver.</summary>
    /// <exception cref="InvalidOperationException">The page has no such row; a test finds that.</exception>
    public static GuideRow Row(Drivers driver, string subject) =>
        Rows.FirstOrDefault(row => row.Driver == driver && row.Subject == subject)
            ?? throw new InvalidOperationException($"{Name} has no row '{subject}' for {driver}");

    private static List<GuideRow> Read()
    {
        using var stream = typeof(GuidePage).Assembly.GetManifestResourceStream(Name)!;
        using var reader = new StreamReader(stream);
        var rows = new List<GuideRow>();
        var (driver, page, subject) = (Drivers.None, Name, "");
        var isHead = true;
        while (reader.ReadLine() is { } line)
        {
            if (line.StartsWith("## ", StringComparison.Ordinal))
                driver = line switch
                {
                    "## From MySqlConnector" => Drivers.MySqlConnector,
                    "## From MySql.Data (Connector/NET)" => Drivers.MySqlData,
                    "## From Npgsql" => Drivers.Npgsql,
                    _ => Drivers.None,
                };
            if (line.StartsWith('#'))
                page = $"{Name}#{Pages.AnchorOf(line.TrimStart('#'))}";
            if (!line.StartsWith('|'))
            {
                isHead = true;
                continue;
            }

            if (isHead || line.StartsWith("|---", StringComparison.Ordinal))
            {
                isHead = false;
                continue;
            }

            var cells = Bar().Split(line.Trim().Trim('|')).Select(static cell => Link().Replace(cell.Trim(), "$1")).ToArray();
            // "…" continues the row above.
            var isContinued = cells[0].StartsWith('…');
            if (!isContinued)
                subject = cells[0];
            if (driver != Drivers.None)
                rows.Add(new GuideRow(driver, page, isContinued ? $"{subject} {cells[0]}" : subject, cells.Length > 2 ? cells[1] : "", cells[^1]));
        }

        return rows;
    }

    // A cell may be empty: two bars share the space between them.
    [GeneratedRegex(@"\s\|(?=\s)")]
    private static partial Regex Bar();

    [GeneratedRegex(@"\[([^\]]*)\]\([^)]*\)")]
    private static partial Regex Link();
}
