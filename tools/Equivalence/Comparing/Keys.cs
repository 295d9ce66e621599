using System.Text.RegularExpressions;

namespace Slipstream.Equivalence.Comparing;

/// <summary>
/// Compares the generated keys of both sides by the rows that they identify, not by their numbers. Each table of a world generates numbers from
/// <see cref="Lowest"/> on that occur nowhere else and that no other table generates. The first time that a key occurs decides which key of the other side
/// corresponds to it; each key corresponds to one key only. So a key in a row, from a command, from LAST_INSERT_ID() or in a reference of another row is the
/// same key on both sides, even if only one side skipped numbers.
/// </summary>
internal sealed partial class Keys
{
    /// <summary>The lowest generated key.</summary>
    public const int Lowest = 700_000_000;

    private readonly Dictionary<string, string> _seconds = [];
    private readonly Dictionary<string, string> _firsts = [];

    /// <summary>Returns whether two observations are equal except for corresponding keys.</summary>
    public bool AreSame(string first, string second)
    {
        var keys = Key().Matches(first);
        if (keys.Count == 0)
            return first == second;
        var others = Key().Matches(second);
        if (keys.Count != others.Count || Key().Replace(first, "#") != Key().Replace(second, "#"))
            return false;
        for (var i = 0; i < keys.Count; i++)
            if (!Pair(keys[i].Value, others[i].Value))
                return false;
        return true;
    }

    /// <summary>Returns the generated keys in a text, in their order.</summary>
    /// <param name="text">The text.</param>
    /// <param name="rest">The text without the keys: equal on both sides if only the numbers differ.</param>
    public static IReadOnlyList<string> In(string text, out string rest)
    {
        rest = Key().Replace(text, "#");
        return [.. Key().Matches(text).Select(static key => key.Value)];
    }

    private bool Pair(string first, string second)
    {
        // The first digit of a key identifies its table.
        if (first[0] != second[0])
            return false;
        if (!_seconds.TryGetValue(first, out var known))
            return _firsts.TryAdd(second, first) && _seconds.TryAdd(first, second);
        return known == second;
    }

    [GeneratedRegex(@"(?<![\d.])[789]\d{8}(?!\d)", RegexOptions.CultureInvariant)]
    private static partial Regex Key();
}
