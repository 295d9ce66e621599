using Spectre.Console;

namespace Slipstream.Race.Report;

/// <summary>The figures on the screen: Spectre's tables in a wide terminal, aligned text elsewhere.</summary>
internal static class Tables
{
    private const int WideEnough = 150;

    public static void Print(IReadOnlyList<ReportRow> rows)
    {
        var pretty = !Console.IsOutputRedirected && AnsiConsole.Profile.Width >= WideEnough;
        foreach (var group in rows.GroupBy(Columns.Title))
        {
            if (pretty)
                Pretty(group.Key, [.. group]);
            else
                Plain(group.Key, [.. group]);
        }

        if (rows.Count > 0)
            Console.WriteLine(Columns.Legend);
    }

    private static void Pretty(string title, ReportRow[] rows)
    {
        var table = new Table().Title(Markup.Escape(title)).Border(TableBorder.Simple);
        var used = Columns.Used([.. rows.Select(Columns.Of)]);
        foreach (var column in used)
        {
            var added = new TableColumn(Columns.Titles[column]).NoWrap();
            table.AddColumn(column < Columns.Words ? added : added.RightAligned());
        }

        var previous = "";
        foreach (var row in rows)
        {
            if (previous.Length > 0 && previous != row.Scenario)
                table.AddEmptyRow();
            previous = row.Scenario;
            var own = row.Provider == Contestants.Contestant.SlipstreamName;
            var cells = Columns.Of(row);
            table.AddRow([.. used.Select(column => cells[column]).Select(cell => own ? $"[bold]{Markup.Escape(cell)}[/]" : Markup.Escape(cell))]);
        }

        AnsiConsole.Write(table);
        foreach (var row in rows.Where(row => row.Error is not null))
            AnsiConsole.MarkupLine($"[red]{Markup.Escape(ErrorLine(row))}[/]");
    }

    private static void Plain(string title, ReportRow[] rows)
    {
        var all = rows.Select(Columns.Of).ToArray();
        var used = Columns.Used(all);
        var lines = all.Select(cells => used.Select(column => cells[column]).ToArray()).ToArray();
        var titles = used.Select(column => Columns.Titles[column]).ToArray();
        var widths = titles.Select((name, column) => lines.Select(cells => cells[column].Length).Append(name.Length).Max()).ToArray();
        Console.WriteLine();
        Console.WriteLine(title);
        Line(titles, widths);
        for (var i = 0; i < lines.Length; i++)
        {
            if (i > 0 && rows[i].Scenario != rows[i - 1].Scenario)
                Console.WriteLine();
            Line(lines[i], widths);
        }

        foreach (var row in rows.Where(row => row.Error is not null))
            Console.WriteLine(ErrorLine(row));
        Console.WriteLine();
    }

    private static void Line(string[] cells, int[] widths) =>
        Console.WriteLine(
            string.Join("  ", cells.Select((cell, column) => column < Columns.Words ? cell.PadRight(widths[column]) : cell.PadLeft(widths[column]))).TrimEnd());

    private static string ErrorLine(ReportRow row) => $"{row.Scenario} {row.Mode} {row.Provider} failed: {row.Error}";
}
