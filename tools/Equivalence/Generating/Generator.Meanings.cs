using System.Collections.Immutable;
using System.Data;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Generating;

/// <summary>Texts that mean something else behind what stands in front of them, where only the driver's own care can notice.</summary>
internal abstract partial class Generator
{
    /// <summary>A query that has prepared itself, and in one batch what gives its names another meaning, and the query again.</summary>
    protected void BetweenInBatch(params ReadOnlySpan<string> changes)
    {
        var text = Repeated();
        Command("query", text, times: 3);
        ImmutableArray<Text> commands = [Text.Of(OneOf(changes)), text];
        Add(new BatchStep(Me.Number, "batch behind a change", commands, Chance(80) ? Verb.Reader : (Verb)Random.Next(3)) { Read = Plan() });
    }

    /// <summary>A query that has prepared itself under a setting that ROLLBACK TO SAVEPOINT undoes, and the query again in the same transaction.</summary>
    protected void Undone(Text text, Action change)
    {
        if (!Me.HasTransaction)
            Begin();
        if (!Me.HasTransaction || !MaySaveAnywhere)
            return;
        Hold();
        Add(new TransactionStep(Me.Number, TransactionVerb.Save, Name: "u"));
        change();
        Command("query", text, times: 3);
        Add(new TransactionStep(Me.Number, TransactionVerb.RollbackTo, Name: "u"));
        Command("query", text, Chance(80) ? Verb.Reader : null);
    }

    /// <summary>One prepared statement with whole numbers, signed or not, which look alike on the wire but for their types.</summary>
    protected void Retyped()
    {
        for (var times = 2 + Random.Next(3); times > 0; times--)
        {
            var number = Value(OneOf(ArgKind.Int32, ArgKind.UInt32, ArgKind.Int64, ArgKind.UInt64));
            Add(new CommandStep(Me.Number, "retyped", Text.Of("SELECT @p0 AS a", number), Verb.Reader) { Prepares = true, Read = Plan() });
        }
    }

    /// <summary>A transaction that no command uses, behind work that SQL has begun: whether it ends that, or is refused, must not depend on its being used.</summary>
    /// <param name="begin">Begins work.</param>
    /// <param name="write">Is part of it.</param>
    protected void Unused(string begin, string write)
    {
        // What is open already, a branch or a lock, has its own answers to another beginning.
        if (!Me.IsHolding)
        {
            Change("transaction of SQL", begin);
            Change("insert", write);
        }

        if (!Me.HasTransaction && MayBegin)
            Add(new TransactionStep(Me.Number, TransactionVerb.Begin, OneOf(IsolationLevel.Unspecified, IsolationLevel.Unspecified, IsolationLevel.Serializable)));
        Add(new TransactionStep(Me.Number, OneOf(TransactionVerb.Commit, TransactionVerb.Rollback, TransactionVerb.Dispose)));
        Me.HasTransaction = false;
        if (Chance(70))
            Change("transaction of SQL ends", OneOf("ROLLBACK", "COMMIT"));
    }

    /// <summary>What a transaction of no level sees of others' changes, behind what may have chosen its level.</summary>
    /// <param name="change">Chooses a level, or nothing.</param>
    /// <param name="read">Reads what the others change; it must keep nobody waiting.</param>
    /// <param name="write">What they do.</param>
    protected void Isolation(string change, string read, string write)
    {
        // The others' change must not wait for this user's.
        if (Me.HasTransaction || Me.IsHolding || !MayBegin)
        {
            Command("constant", "SELECT 1");
            return;
        }

        Hold();
        Change("isolation", change);
        Add(new TransactionStep(Me.Number, TransactionVerb.Begin));
        Command("isolation", Text.Of(read), Verb.Reader);
        _steps.Add(new OutsideStep(-1, "isolation write", write));
        Command("isolation", Text.Of(read), Verb.Reader);
        Add(new TransactionStep(Me.Number, TransactionVerb.Rollback));
    }
}
