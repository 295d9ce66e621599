using System.Globalization;
using Slipstream.Lab;

namespace Slipstream.Bench;

/// <summary>Reads the lists of names that options of the races take.</summary>
internal static class Names
{
    /// <summary>Returns the names of a list that are separated by commas, in the order of all names; all of them without a list.</summary>
    /// <exception cref="ArgumentException">The list is empty, or has an unknown name.</exception>
    public static IReadOnlyList<string> Choose(string? text, IReadOnlyList<string> all, string option)
    {
        if (text is null)
            return all;
        var chosen = text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        var unknown = Array.Find(chosen, name => !all.Contains(name, StringComparer.OrdinalIgnoreCase));
        return unknown is null && chosen.Length > 0
            ? [.. all.Where(name => chosen.Contains(name, StringComparer.OrdinalIgnoreCase))]
            : throw new ArgumentException($"{option} knows no '{unknown ?? text}', but {string.Join(", ", all)}");
    }

    /// <summary>Returns the servers of a list.</summary>
    /// <exception cref="ArgumentException">The list is empty, or has an unknown name.</exception>
    public static IReadOnlyList<ServerKind> ChooseServers(string? text, IReadOnlyList<ServerKind> all)
    {
        var chosen = Choose(text, [.. all.Select(static kind => kind.Word())], "--server");
        return [.. all.Where(kind => chosen.Contains(kind.Word()))];
    }

    /// <summary>Returns how the processors are divided: each way without a list.</summary>
    /// <exception cref="ArgumentException">The list is empty, or has an unknown name.</exception>
    public static IReadOnlyList<Seating> ChooseSeatings(string? text) =>
        [.. Choose(text, [.. Enum.GetNames<Seating>().Select(static name => name.ToLowerInvariant())], "--seating")
            .Select(static name => Enum.Parse<Seating>(name, ignoreCase: true))];

    /// <summary>Returns the numbers of a list.</summary>
    /// <exception cref="ArgumentException">A word is no number from 1 to <paramref name="most"/>.</exception>
    public static IReadOnlyList<int> Numbers(string text, string option, int most) => [.. text.Split(',').Select(word => Number(word, option, most))];

    /// <summary>Returns a number.</summary>
    /// <exception cref="ArgumentException">The text is no number from 1 to <paramref name="most"/>.</exception>
    public static int Number(string text, string option, int most) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number >= 1 && number <= most
            ? number
            : throw new ArgumentException($"{option} takes 1 to {most}, not '{text}'");
}
