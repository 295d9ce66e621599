namespace Slipstream.Core.Statements;

/// <summary>When a data source prepares statements that nobody asked it to prepare. Thread-safe; shared by its sessions.</summary>
/// <param name="isOn">Whether it does at all.</param>
/// <param name="minUses">How often a text is executed unprepared before: a text seen once never pays for its preparation.</param>
internal sealed class AutoPreparation(bool isOn, int minUses)
{
    /// <summary>So often somebody else has to drop what sessions had prepared until that is taken for how things are here.</summary>
    private const int MostLosses = 5;

    private int _losses;

    /// <summary>Whether statements are still prepared by themselves.</summary>
    public bool IsOn => isOn && Volatile.Read(ref _losses) < MostLosses;

    /// <summary>Counts a use of <paramref name="statement"/>. True when it has been used often enough, and this execution shall be of a prepared one.</summary>
    public bool Wants(Statement statement)
    {
        if (!isOn || statement.IsNotPreparable)
            return false;
        if (statement.Uses >= minUses)
            return IsOn;
        statement.CountUse();
        return false;
    }

    /// <summary>
    /// The server did not know a statement that a session had prepared, and nobody had said that it would not:
    /// behind a proxy that gives each transaction another session of the server, none stays where it was prepared.
    /// </summary>
    /// <returns>True when this was the loss that turns it off.</returns>
    public bool Lost()
    {
        var losses = Interlocked.Increment(ref _losses);
        // Beyond that, only what the user prepares gets lost.
        if (isOn && losses <= MostLosses)
            HasLost?.Invoke(losses == MostLosses);
        return losses == MostLosses;
    }

    /// <summary>Called for each loss that counts, with true for the one that turns it off.</summary>
    public Action<bool>? HasLost { get; set; }
}
