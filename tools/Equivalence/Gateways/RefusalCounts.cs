namespace Slipstream.Equivalence.Gateways;

/// <summary>Counts what became of the refused commands of a run.</summary>
internal sealed class RefusalCounts
{
    private long _again;
    private long _reported;

    /// <summary>Gets the number of commands that were executed again.</summary>
    public long Again => Interlocked.Read(ref _again);

    /// <summary>Gets the number of commands whose refusal was reported.</summary>
    public long Reported => Interlocked.Read(ref _reported);

    /// <summary>Counts a command.</summary>
    public void Count(bool isReported) => Interlocked.Increment(ref isReported ? ref _reported : ref _again);

    public override string ToString() => $"{Again + Reported} refusals, {Again} executed again";
}
