using Slipstream.Core.Errors;

using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Running;

/// <summary>A refusal that the driver has reported.</summary>
/// <param name="Safety">What it says about repeating the command.</param>
/// <param name="Command">The index of the refused command of a batch; −1: not known.</param>
/// <param name="Executed">The text that the server executed instead; "": not known.</param>
internal sealed record Refusal(RetrySafety Safety, int Command, string Executed = "");

/// <summary>What the driver must do about a refused command.</summary>
internal enum Repeat
{
    /// <summary>It must be executed again on the other server.</summary>
    Must,

    /// <summary>Executing it again and reporting it are both right.</summary>
    May,

    /// <summary>The refusal must be reported.</summary>
    MustNot,
}

/// <summary>What has happened in a lease, as far as it decides what becomes of a refused command.</summary>
internal sealed class LeaseHistory
{
    private bool _hasSteps;
    private bool _hasEffects;

    /// <summary>Gets whether the user hears warnings: on MySQL, the driver then executes no command again.</summary>
    public bool Listens { get; init; }

    /// <summary>Gets whether a text may have begun or ended a transaction.</summary>
    public bool MayHaveSqlTransaction { get; private set; }

    /// <summary>Gets whether the transaction may have a savepoint.</summary>
    public bool MayHaveSavepoint { get; private set; }

    /// <summary>Returns what must become of a step that is refused.</summary>
    public Repeat Expect(Step step, bool isInTransaction, bool isPostgreSql)
    {
        if (step is not CommandStep { IsProcedure: false, Kind: not "several results" and not "procedure" } command || isInTransaction || _hasEffects)
            return Repeat.MustNot;
        if (command.Text.Sql.Contains(';', StringComparison.Ordinal) || command.Text.Sql.StartsWith("CALL", StringComparison.Ordinal))
            return Repeat.MustNot;
        return _hasSteps || command.Prepares || (Listens && !isPostgreSql)
            || command.Text.Args.Any(static arg => arg.IsReadOnce || arg.Kind == ArgKind.OfPostgreSql)
            ? Repeat.May : Repeat.Must;
    }

    /// <summary>Records a step.</summary>
    public void Add(Step step)
    {
        _hasSteps = true;
        _hasEffects |= step.Kind is not "set";
        // A bulk copy in a transaction sets a savepoint of its own.
        if (step is BulkStep or TransactionStep { Verb: TransactionVerb.Save })
            MayHaveSavepoint = true;
        if (step is CommandStep { Kind: "procedure" } || new EquivalenceProgram(0, 1, [step]).Texts.Any(MayEndTransaction))
            MayHaveSqlTransaction = MayHaveSavepoint = true;
    }

    private static bool MayEndTransaction(string text) =>
        Words.Any(word => text.Contains(word, StringComparison.OrdinalIgnoreCase));

    private static readonly string[] Words = ["BEGIN", "START TRANSACTION", "AUTOCOMMIT", "SAVEPOINT", "COMMIT", "ROLLBACK", "CALL ", "DO "];
}
