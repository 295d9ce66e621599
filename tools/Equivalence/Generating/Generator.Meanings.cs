using System.Collections.Immutable;
using System.Data;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Generating;

/// <summary>Statements whose meaning depends on earlier ones in a way that the server does not report, so that the driver itself must notice.</summary>
internal abstract partial class Generator
{
    /// <summary>
    /// Adds a query until it is prepared automatically, then a batch with a statement that changes the meaning of its names and the query again.
    /// </summary>
    protected void BetweenInBatch(params ReadOnlySpan<string> changes)
    {
        var text = Repeated();
        Command("query", text, times: 3);
        ImmutableArray<Text> commands = [Text.Of(OneOf(changes)), text];
        Add(new BatchStep(Me.Number, "batch behind a change", commands, Chance(80) ? Verb.Reader : (Verb)Random.Next(3)) { Read = Plan() });
    }

    /// <summary>
    /// Adds a query that is prepared automatically under a setting that ROLLBACK TO SAVEPOINT undoes, and the query again in the same transaction.
    /// </summary>
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

    /// <summary>Adds a prepared statement with signed and unsigned integers, whose bytes differ only in the type.</summary>
    protected void Retyped()
    {
        for (var times = 2 + Random.Next(3); times > 0; times--)
        {
            var number = Value(OneOf(ArgKind.Int32, ArgKind.UInt32, ArgKind.Int64, ArgKind.UInt64));
            Add(new CommandStep(Me.Number, "retyped", Text.Of("SELECT @p0 AS a", number), Verb.Reader) { Prepares = true, Read = Plan() });
        }
    }

    /// <summary>
    /// Adds a transaction that no command uses, after SQL has begun a transaction. Whether it ends that transaction, or is refused, must not depend on its use.
    /// </summary>
    /// <param name="begin">Begins the transaction in SQL.</param>
    /// <param name="write">Writes in that transaction.</param>
    protected void Unused(string begin, string write)
    {
        // An open XA branch or a lock would change the answer to another BEGIN.
        if (!Me.IsHolding)
        {
            Change("transaction of SQL", begin);
            Change("insert", write);
        }

        if (!Me.HasTransaction && MayBegin)
            Add(
                new TransactionStep(
                    Me.Number, TransactionVerb.Begin, OneOf(IsolationLevel.Unspecified, IsolationLevel.Unspecified, IsolationLevel.Serializable)));
        Add(new TransactionStep(Me.Number, OneOf(TransactionVerb.Commit, TransactionVerb.Rollback, TransactionVerb.Dispose)));
        Me.HasTransaction = false;
        if (Chance(70))
            Change("transaction of SQL ends", OneOf("ROLLBACK", "COMMIT"));
    }

    /// <summary>Adds a transaction without a level that reads changes of others, after a statement that may have chosen a level.</summary>
    /// <param name="change">Chooses a level, or changes nothing.</param>
    /// <param name="read">Reads what the others change; must not block them.</param>
    /// <param name="write">The others' change.</param>
    protected void Isolation(string change, string read, string write)
    {
        // The others' change must not wait for this user's locks.
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
