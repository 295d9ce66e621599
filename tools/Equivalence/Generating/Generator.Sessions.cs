using System.Globalization;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Generating;

/// <summary>Steps in which statements are stopped, sessions are killed, or sessions take part in a transaction of System.Transactions.</summary>
internal abstract partial class Generator
{
    // Adds a step whose outcome depends on timing, or that a model checks. The rest of its lease cannot be compared.
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
        // A time-out takes at least a second.
        if (by == Stop.TimeOut && !Chance(5))
            by = Stop.Token;
        var milliseconds = by == Stop.TimeOut ? 1030 : 5 + Random.Next(15);
        _steps.Add(new StoppedStep(Me.Number, by, Random.Next(milliseconds + 10), SlowMark(milliseconds), 1) { Async = Chance(50) });
    }

    private void Killed()
    {
        // Sometimes in a transaction, whose commands must not be executed outside it.
        if (!Me.IsHolding && Chance(40))
        {
            Begin();
            // Hold() comes before the command: leaving a reader by closing the connection would end the transaction.
            Hold();
            Change("insert", "INSERT INTO t2(parent, v) VALUES (8, 'x')");
        }

        Add(new LeaseKilledStep(Me.Number, QuickMark, 1, 1 + Random.Next(2)));
        // Its transaction and locks ended with the session.
        Me.HasTransaction = Me.IsHolding = false;
    }

    /// <summary>Adds a step that kills the idle sessions of the pool.</summary>
    private void KillPool() => Add(new PoolKilledStep(-1, QuickMark, 1));

    private string QuickMark => $"UPDATE {ground.Database}.mark SET n = n + 1 WHERE m = 1";

    /// <summary>Returns a statement that takes this many milliseconds and marks a row.</summary>
    protected abstract string SlowMark(int milliseconds);

    /// <summary>Adds a transaction of System.Transactions, with this lease alone or with another.</summary>
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
        // The sessions take turns. Each uses its own tables, so that they do not wait for each other.
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

    /// <summary>Gets the name of the world's distributed transaction. The server identifies it by this name.</summary>
    protected string Branch => string.Create(CultureInfo.InvariantCulture, $"'{ground.Database}_x'");
}
