using System.Text.RegularExpressions;

namespace Slipstream.Equivalence.Comparing;

/// <summary>
/// Generated keys of both sides, compared by what they point to and not by number. The tables of a world generate numbers that nothing else is (<see cref="Lowest"/> and above), each table
/// its own; wherever one is told, the other side must tell the one that stands for it: the first time decides which, and each stands for one only. So a key that a row has, a command or
/// LAST_INSERT_ID() tells and another row refers to is the same key on both sides, however many numbers were skipped.
/// </summary>
internal sealed partial class Keys
{
    /// <summary>The lowest generated key.</summary>
    public const int Lowest = 700_000_000;

    private readonly Dictionary<string, string> _seconds = [];
    private readonly Dictionary<string, string> _firsts = [];

    /// <summary>Whether two observations say the same.</summary>
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

    /// <summary>The generated keys in a text, in their order.</summary>
    /// <param name="text">The text.</param>
    /// <param name="rest">The text without them: equal on both sides where only the numbers differ.</param>
    public static IReadOnlyList<string> In(string text, out string rest)
    {
        rest = Key().Replace(text, "#");
        return [.. Key().Matches(text).Select(static key => key.Value)];
    }

    private bool Pair(string first, string second)
    {
        // Each table's keys begin with a digit of their own.
        if (first[0] != second[0])
            return false;
        if (!_seconds.TryGetValue(first, out var known))
            return _firsts.TryAdd(second, first) && _seconds.TryAdd(first, second);
        return known == second;
    }

    [GeneratedRegex(@"(?<![\d.])[789]\d{8}(?!\d)", RegexOptions.CultureInvariant)]
    private static partial Regex Key();
}
