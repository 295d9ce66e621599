namespace Slipstream.Architecture.Arrows;

/// <summary>Finds groups of nodes that reach each other: strongly connected components, by plain reachability, because there are few folders.</summary>
internal static class Circles
{
    /// <summary>Returns each group as one line of its members. A single node is not a group.</summary>
    public static IEnumerable<string> In(IEnumerable<(string From, string To)> edges)
    {
        var next = edges.Where(static edge => edge.From != edge.To).ToLookup(static edge => edge.From, static edge => edge.To);
        var reached = next.ToDictionary(static from => from.Key, from => ReachableFrom(from.Key, next));
        return reached.Keys
            .Where(node => Meet(node, node))
            .Select(node => string.Join(' ', reached[node].Where(other => Meet(node, other)).Order(StringComparer.Ordinal)))
            .Distinct();

        bool Meet(string one, string other) => reached[one].Contains(other) && reached.TryGetValue(other, out var back) && back.Contains(one);
    }

    private static HashSet<string> ReachableFrom(string start, ILookup<string, string> next)
    {
        var found = new HashSet<string>();
        var open = new Stack<string>(next[start]);
        while (open.TryPop(out var node))
            if (found.Add(node))
                foreach (var other in next[node])
                    open.Push(other);
        return found;
    }
}
