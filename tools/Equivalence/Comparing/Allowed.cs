namespace Slipstream.Equivalence.Comparing;

/// <summary>
/// The differences that are allowed, each with its reason. The list is short on purpose: what stands here is documented for users, and nothing else may differ.
/// docs/equivalence.md repeats it for people.
/// </summary>
internal static class Allowed
{
    /// <summary>A line that is left out of the comparison.</summary>
    /// <param name="Reason">Why.</param>
    /// <param name="LeavesOut">Whether a line is one.</param>
    private sealed record Rule(string Reason, Func<string, Pair, bool> LeavesOut);

    private static readonly Rule[] Rules =
    [
        new("What BEGIN says of its own (that a transaction is open already) is heard with the first command where it travels with that, and at once where it travels alone.",
            static (line, _) => line.StartsWith("notice: there is already a transaction", StringComparison.Ordinal)),
    ];

    /// <summary>What is known to be wrong and is being mended: empty as soon as it is.</summary>
    private static readonly Rule[] Pending =
    [
        new("A statement that SQL has prepared stays for later leases.", static (line, _) => line.Contains("begins with SELECT name, statement FROM pg_prepared_statements", StringComparison.Ordinal)),
        new("A role that was set stays for later leases on MySQL.", static (line, _) => line.Contains("begins with SELECT DATABASE(), CURRENT_USER(), CURRENT_ROLE()", StringComparison.Ordinal)),
    ];

    /// <summary>The reasons, for whoever asks.</summary>
    public static IEnumerable<string> Reasons => Rules.Select(static rule => rule.Reason);

    public static bool LeavesOut(string line, Pair pair) => Rules.Concat(Pending).Any(rule => rule.LeavesOut(line, pair));
}
