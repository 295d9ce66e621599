namespace Slipstream.Core.Statements;

/// <summary>Decides when a data source prepares statements automatically. Thread-safe; shared by its sessions.</summary>
/// <param name="isOn">Whether statements are prepared automatically.</param>
/// <param name="minUses">Number of unprepared executions of a text before it is prepared: preparing a text that is executed once never pays.</param>
internal sealed class AutoPreparation(bool isOn, int minUses)
{
    /// <summary>Number of lost prepared statements after which automatic preparation is turned off.</summary>
    private const int MaxLosses = 5;

    private int _losses;

    /// <summary>Whether statements are still prepared automatically.</summary>
    public bool IsOn => isOn && Volatile.Read(ref _losses) < MaxLosses;

    /// <summary>Counts a use of <paramref name="statement"/>. Returns true if this execution should use a prepared one.</summary>
    public bool ShouldPrepare(Statement statement)
    {
        if (!isOn || statement.IsNotPreparable)
            return false;
        if (statement.Uses >= minUses)
            return IsOn;
        statement.CountUse();
        return false;
    }

    /// <summary>
    /// Records that the server did not know a statement that the session had prepared and not closed. Behind a proxy that gives each transaction another server
    /// session, prepared statements do not survive.
    /// </summary>
    /// <returns>True if this loss turns automatic preparation off.</returns>
    public bool Lost()
    {
        var losses = Interlocked.Increment(ref _losses);
        // Later losses concern only statements that the user prepared.
        if (isOn && losses <= MaxLosses)
            HasLost?.Invoke(losses == MaxLosses);
        return losses == MaxLosses;
    }

    /// <summary>Called for each counted loss; true for the one that turns automatic preparation off.</summary>
    public Action<bool>? HasLost { get; set; }
}
