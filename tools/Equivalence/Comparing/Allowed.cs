namespace Slipstream.Equivalence.Comparing;

/// <summary>
/// The observations that the comparison ignores, each with its reason. The list is short on purpose: every entry is documented for users, and nothing else may
/// differ. docs/equivalence.md repeats it.
/// </summary>
internal static class Allowed
{
    /// <summary>Observations that the comparison ignores.</summary>
    /// <param name="Reason">The reason.</param>
    /// <param name="LeavesOut">Whether the rule ignores a line of this pair.</param>
    private sealed record Rule(string Reason, Func<string, Pair, bool> LeavesOut);

    private static readonly Rule[] Rules =
    [
        new(
            "The notice of BEGIN that a transaction is already open arrives with the first command if BEGIN is sent with it, and at once if BEGIN is sent "
                + "alone.",
            static (line, _) => line.StartsWith("notice: there is already a transaction", StringComparison.Ordinal)),
        new("PostgreSQL sends notices about how a text is written when it parses the text: once if the text is prepared, otherwise with each execution.",
            static (line, _) => line.StartsWith("notice: nonstandard use of", StringComparison.Ordinal)),
        new("A session that has had a temporary table keeps the empty schema of temporary tables, even after DISCARD ALL; "
            + "which idle session a lease gets is not defined.",
            static (line, _) => line is "notice: schema \"pg_temp\" does not exist, skipping"
                || (line.StartsWith("notice: table ", StringComparison.Ordinal) && line.EndsWith("does not exist, skipping", StringComparison.Ordinal))),
        new("MySQL warns of a deprecated syntax (1287) when it parses the text: once if the text is prepared, by Prepare() or after a change of sql_mode.",
            static (line, pair) => PreparesApart(pair)
                && line.StartsWith("notice: Warning 1287 ", StringComparison.Ordinal) && line.Contains(" is deprecated ", StringComparison.Ordinal)),
        new("MySQL 9 warns that a transaction combines InnoDB and MyISAM (6414) even if an earlier, committed statement wrote into the MyISAM table, "
            + "also one of the previous lease if the session was not reset in between.",
            static (line, pair) => line.StartsWith("notice: Warning 6414 ", StringComparison.Ordinal) && !pair.IsPeer),
        new("Slipstream reports the commit of a failed transaction as an error (25P02: nothing was committed); Npgsql reports nothing (docs/migrating.md).",
            static (line, pair) => pair.IsPeer && line == "error refused 25P02 25P02"),
    ];

    /// <summary>Returns whether one side may have prepared or kept a statement that the other side has not.</summary>
    private static bool PreparesApart(Pair pair) =>
        pair.Name is "off" or "auto-prepare" or "pipelining" or "reset" or "pool-per-server" or "batching" or "concurrent-commands";

    /// <summary>The reasons of all rules.</summary>
    public static IEnumerable<string> Reasons => Rules.Select(static rule => rule.Reason);

    public static bool LeavesOut(string line, Pair pair) => Rules.Any(rule => rule.LeavesOut(line, pair));
}
