namespace Slipstream.Architecture.Api;

/// <summary>The lines that differ between two indented texts, each group below its parent line.</summary>
internal static class LineDifference
{
    public static List<string> Between(string[] before, string[] after)
    {
        var start = 0;
        while (start < before.Length && start < after.Length && before[start] == after[start])
            start++;
        var common = Common(before, after, start);
        var lines = new List<string>();
        var heading = "";
        for (var (i, j) = (start, start); i < before.Length || j < after.Length;)
        {
            if (i < before.Length && j < after.Length && before[i] == after[j])
            {
                (i, j) = (i + 1, j + 1);
                continue;
            }

            var gone = j == after.Length || i < before.Length && common[i + 1 - start, j - start] >= common[i - start, j + 1 - start];
            var (text, at) = gone ? (before, i++) : (after, j++);
            if (HeadingOf(text, at) is { Length: > 0 } found && found != heading)
                lines.Add("  " + (heading = found));
            lines.Add((gone ? "- " : "+ ") + text[at]);
        }

        return lines;
    }

    // The lengths of the longest common subsequences of the rest of both texts, from each pair of lines.
    private static int[,] Common(string[] before, string[] after, int start)
    {
        var (rows, columns) = (before.Length - start, after.Length - start);
        var common = new int[rows + 1, columns + 1];
        for (var i = rows - 1; i >= 0; i--)
            for (var j = columns - 1; j >= 0; j--)
                common[i, j] = before[start + i] == after[start + j] ? common[i + 1, j + 1] + 1 : Math.Max(common[i + 1, j], common[i, j + 1]);
        return common;
    }

    // The nearest line above that has less indentation and is not a brace.
    private static string HeadingOf(string[] text, int at)
    {
        for (var i = at - 1; i >= 0; i--)
            if (Indentation(text[i]) < Indentation(text[at]) && text[i].Trim() is not ("{" or "}" or ""))
                return text[i];
        return "";
    }

    private static int Indentation(string line) => line.Length - line.TrimStart().Length;
}
