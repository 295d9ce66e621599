namespace Slipstream.Race;

/// <summary>Matches names that users type: without regard to case, and with a suggestion of the nearest one for an unknown name.</summary>
internal static class Names
{
    /// <exception cref="RequestException">A name is unknown.</exception>
    public static IEnumerable<string> Choose(string option, string? list, IReadOnlyList<string> known)
    {
        foreach (var name in Split(list))
        {
            yield return known.FirstOrDefault(candidate => candidate.Equals(name, StringComparison.OrdinalIgnoreCase))
                ?? throw new RequestException($"{option}: there is no '{name}'. Nearest: {Nearest(name, known)}. All: {string.Join(", ", known)}");
        }
    }

    public static string[] Split(string? list) => list?.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries) ?? [];

    // A shortened name ("pg") is nearer than any misspelt one.
    private static string Nearest(string name, IReadOnlyList<string> known) =>
        known.FirstOrDefault(candidate => Shortens(candidate, name)) ?? known.MinBy(candidate => Distance(candidate, name))!;

    private static bool Shortens(string full, string name)
    {
        var next = 0;
        foreach (var letter in full)
        {
            if (next < name.Length && char.ToLowerInvariant(letter) == char.ToLowerInvariant(name[next]))
                next++;
        }

        return next == name.Length;
    }

    /// <summary>Returns the number of edits (insert, delete, replace) between two names, without regard to case.</summary>
    private static int Distance(string left, string right)
    {
        var row = Enumerable.Range(0, right.Length + 1).ToArray();
        for (var i = 1; i <= left.Length; i++)
        {
            var diagonal = row[0];
            row[0] = i;
            for (var j = 1; j <= right.Length; j++)
            {
                var same = char.ToLowerInvariant(left[i - 1]) == char.ToLowerInvariant(right[j - 1]);
                (diagonal, row[j]) = (row[j], Math.Min(Math.Min(row[j], row[j - 1]) + 1, diagonal + (same ? 0 : 1)));
            }
        }

        return row[^1];
    }
}
