using System.Globalization;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Generating;

/// <summary>What happens to sessions: their statements are stopped, they are killed, they take part in a transaction of System.Transactions.</summary>
internal abstract partial class Generator
{
    // What timing decides, or what a model takes the place of: what follows it in its lease says nothing.
    private void Disturbed()
    {
        if (Chance(60))
            Stopped();
        else
            Killed();
        Me.Disturb();
    }

    private void Stopped()
    {
        var by = (Stop)Random.Next(4);
        // A time-out takes a second at least.
        if (by == Stop.TimeOut && !Chance(5))
            by = Stop.Token;
        var milliseconds = by == Stop.TimeOut ? 1030 : 5 + Random.Next(15);
        _steps.Add(new StoppedStep(Me.Number, by, Random.Next(milliseconds + 10), SlowMark(milliseconds), 1) { Async = Chance(50) });
    }

    private void Killed()
    {
        // In a transaction now and then: its commands must not be done outside it.
        if (!Me.IsHolding && Chance(40))
        {
            Begin();
            // Held before the command is made: a reader that is left under a closed connection would end the transaction.
            Hold();
            Change("insert", "INSERT INTO t2(parent, v) VALUES (8, 'x')");
        }

        Add(new LeaseKilledStep(Me.Number, QuickMark, 1, 1 + Random.Next(2)));
        // Its transaction and locks have gone with it.
        Me.HasTransaction = Me.IsHolding = false;
    }

    /// <summary>The idle sessions of the pool are killed.</summary>
    private void KillPool() => Add(new PoolKilledStep(-1, QuickMark, 1));

    private string QuickMark => $"UPDATE {ground.Database}.mark SET n = n + 1 WHERE m = 1";

    /// <summary>Takes longer, and marks a row.</summary>
    protected abstract string SlowMark(int milliseconds);

    /// <summary>A transaction of System.Transactions, with this lease alone or with another.</summary>
    protected void Enlist()
    {
        if (Me.IsHolding)
        {
            Command("constant", "SELECT 1");
            return;
        }

        var other = _users.FirstOrDefault(user => user != Me && user is { IsOpen: true, IsHolding: false, IsDisturbed: false });
        if (!Chance(50))
            other = null;
        // By turns; each session has tables of its own, so that they do not wait for each other.
        var commands = new List<Text>();
        for (var i = Random.Next(5); i > 0; i--)
        {
            commands.Add(OfFirst());
            commands.Add(other is null ? OfFirst() : OfSecond());
        }

        Add(new EnlistStep(Me.Number, other?.Number ?? -1, [.. commands], Chance(60)));
    }

    private Text OfFirst() => Random.Next(4) switch
    {
        0 => Text.Of("INSERT INTO t1(n, s) VALUES (@p0, @p1)", Arg.Int(700 + Random.Next(40)), Arg.Str("tx")),
        1 => Text.Of("UPDATE t1 SET s = @p0 WHERE n = @p1", Arg.Str("tx"), Arg.Int(10)),
        2 => Text.Of("SELECT COUNT(*) FROM t1 WHERE id > @p0", Arg.Int(1)),
        _ => Text.Of("INSERT INTO t1(n) VALUES (10)"),
    };

    private Text OfSecond() => Random.Next(3) switch
    {
        0 => Text.Of("INSERT INTO t2(parent, v) VALUES (@p0, 'tx')", Arg.Int(Random.Next(9))),
        1 => Text.Of("SELECT COUNT(*) FROM t2 WHERE id > @p0", Arg.Int(1)),
        _ => Text.Of("DELETE FROM t2 WHERE parent = @p0", Arg.Int(2)),
    };

    /// <summary>Names a transaction of its own for each world: the server knows it by that.</summary>
    protected string Branch => string.Create(CultureInfo.InvariantCulture, $"'{ground.Database}_x'");
}
