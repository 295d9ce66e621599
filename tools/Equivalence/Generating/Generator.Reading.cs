using System.Data;
using System.Globalization;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Generating;

/// <summary>How programs read and leave readers.</summary>
internal abstract partial class Generator
{
    /// <summary>Returns any way to read a reader.</summary>
    protected ReadPlan Plan()
    {
        var behavior = Random.Next(12) switch
        {
            _ when ground.ForPeers => CommandBehavior.Default,
            0 => CommandBehavior.SequentialAccess,
            1 => CommandBehavior.SingleRow,
            2 => CommandBehavior.SingleResult,
            3 => CommandBehavior.KeyInfo,
            _ => CommandBehavior.Default,
        };
        return new(
            Chance(75)
                ? Reading.Values
                : ground.ForPeers
                ? OneOf(Reading.FieldValues, Reading.Rows, Reading.Names)
                : (Reading)Random.Next(1, (int)Reading.Names + 1),
            Chance(80) ? -1 : Random.Next(3),
            Chance(85) ? -1 : 1,
            behavior,
            // PostgreSQL's driver looks the columns' tables up on another connection of the pool.
            !ground.ForPeers && Chance(12) && (behavior != CommandBehavior.KeyInfo || _users.Any(static user => !user.IsOpen)))
        {
            Columns = Chance(75) ? Selection.All : Order(),
            Leaves = Leave(70),
            Most = Chance(85) ? -1 : Piece(),
        };
    }

    /// <summary>Returns a way to read long values: in pieces, skipping some, and leaving in the middle.</summary>
    private ReadPlan LongPlan()
    {
        var behavior = Chance(60) ? CommandBehavior.SequentialAccess : CommandBehavior.Default;
        return new(
            OneOf(Reading.Values, Reading.Strings, Reading.Bytes, Reading.Chars, Reading.Streams, Reading.TextReaders, Reading.FieldValues, Reading.Int32s),
            Chance(50) ? -1 : Random.Next(3),
            Chance(70) ? -1 : 1,
            behavior)
        {
            Columns = Chance(40) ? Selection.All : Order(),
            Leaves = Leave(50),
            Most = Chance(40) ? -1 : Piece(),
        };
    }

    // Also with sequential access, which refuses a long value that was skipped, and accepts a short one.
    private Selection Order() => (Selection)Random.Next((int)Selection.Twice + 1);

    private int Piece() => OneOf(0, 1, 3, 100, 7000, 70_000);

    // Closing the connection would leave the lease's locks in an idle session.
    private Leaving Leave(int plainly) =>
        Chance(plainly)
            ? Leaving.Dispose
            : ground.ForPeers
            ? Leaving.Close
            : (Leaving)Random.Next(1, 5) is var leaving && leaving == Leaving.ConnectionClosed && (Me.IsHolding || _takesHold)
        ? Leaving.Close
        : leaving;

    /// <summary>Adds a query for rows of long and short values, in one result or two.</summary>
    protected void Large()
    {
        if (ground.ForPeers || Chance(20))
        {
            Command("large", Text.Of($"SELECT 1, {Long()}, 2"), times: Chance(20) ? 3 : 1);
            return;
        }

        var row = () => $"SELECT {Random.Next(9)} AS a, {Long()} AS b, {(Chance(20) ? "NULL" : Long())} AS c, 'end' AS d";
        var sql = row();
        for (var rows = Random.Next(3); rows > 0; rows--)
            sql += " UNION ALL " + row();
        if (Chance(25))
            sql += "; " + row();
        Add(new CommandStep(Me.Number, "large rows", Text.Of(sql), Chance(80) ? Verb.Reader : Verb.Scalar) { Read = LongPlan(), Times = Chance(20) ? 3 : 1 });
    }

    // Around the limits: one receive, a value that is read on demand, and one that is received directly into its array.
    private string Long() => string.Create(CultureInfo.InvariantCulture,
        $"REPEAT('{OneOf("ab", "é", "x")}', {OneOf(0, 3, 500, 16_000, 33_000, 35_000, 70_000, 200_000, 1_100_000) + Random.Next(5)})");
}
