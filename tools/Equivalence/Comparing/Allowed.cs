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
        new("What PostgreSQL says of a text while it reads it is heard once where the text is prepared, and at each execution where it is not.",
            static (line, _) => line.StartsWith("notice: nonstandard use of", StringComparison.Ordinal)),
        new("A session that has had a temporary table keeps an empty schema for the next ones, also behind DISCARD ALL; "
            + "which of the idle sessions a lease gets is not defined.",
            static (line, _) => line is "notice: schema \"pg_temp\" does not exist, skipping"
                || (line.StartsWith("notice: table ", StringComparison.Ordinal) && line.EndsWith("does not exist, skipping", StringComparison.Ordinal))),
        new("MySQL says that a text uses a deprecated syntax (1287) when it reads it: once where it is prepared, by Prepare() or behind a change of sql_mode.",
            static (line, pair) => PreparesApart(pair)
                && line.StartsWith("notice: Warning 1287 ", StringComparison.Ordinal) && line.Contains(" is deprecated ", StringComparison.Ordinal)),
        new("MySQL 9 says that a transaction combines InnoDB and MyISAM (6414) also when an earlier, committed statement wrote into the MyISAM table: "
            + "in the lease before, too, where no reset stands between.",
            static (line, pair) => line.StartsWith("notice: Warning 6414 ", StringComparison.Ordinal) && !pair.IsPeer),
        new("Committing a transaction that the server has given up is told as that (25P02: nothing was committed); Npgsql says nothing. docs/migrating.md has it.",
            static (line, pair) => pair.IsPeer && line == "error refused 25P02 25P02"),
    ];

    /// <summary>Whether one side may have prepared a statement, or kept it, where the other has not.</summary>
    private static bool PreparesApart(Pair pair) =>
        pair.Name is "off" or "auto-prepare" or "pipelining" or "reset" or "pool-per-server" or "batching" or "concurrent-commands";

    /// <summary>The reasons, for whoever asks.</summary>
    public static IEnumerable<string> Reasons => Rules.Select(static rule => rule.Reason);

    public static bool LeavesOut(string line, Pair pair) => Rules.Any(rule => rule.LeavesOut(line, pair));
}
