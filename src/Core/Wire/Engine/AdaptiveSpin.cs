namespace Slipstream.Core.Wires;

/// <summary>
/// Whether a thread that finds nothing to do should look again and again for a moment before it sleeps. It pays for one lonely conversation: the answer comes
/// sooner than a sleeping core wakes up. Learnt from the last answers: of one peer only, in a row, soon, and on a machine that has a core to spare.
/// Knows no clock: handed the time.
/// </summary>
internal sealed class AdaptiveSpin
{
    /// <summary>So many answers of the same connection in a row make it a lonely one.</summary>
    internal const int Row = 8;

    /// <summary>An answer that takes longer than this on average is slept for: a core is worth more.</summary>
    internal static readonly TimeSpan Longest = TimeSpan.FromMicroseconds(250);

    /// <summary>Two looks are a microsecond or so apart. Who was away for longer has lost the core to somebody who needs it.</summary>
    internal static readonly TimeSpan Preempted = TimeSpan.FromMicroseconds(60);

    // After a sign of need, so many answers pass without spinning.
    private const int Modesty = 2000;

    private readonly bool _isAllowed;
    private ulong _last;
    private int _inARow;
    private int _modest;
    private TimeSpan _average = Longest;

    /// <param name="processors">How many the process may use.</param>
    public AdaptiveSpin(int processors) => _isAllowed = processors >= 2;

    /// <summary>For how long to look before sleeping; zero for not at all.</summary>
    public TimeSpan Patience => !_isAllowed || _inARow < Row || _modest > 0 || _average >= Longest ? TimeSpan.Zero : _average * 3 < Longest ? _average * 3 : Longest;

    /// <summary>An answer came, so long after the last one had been passed on.</summary>
    /// <param name="peer">Whose.</param>
    /// <param name="after">So long.</param>
    /// <param name="isWanted">False for a connection that wants nobody to look.</param>
    public void Heard(ulong peer, TimeSpan after, bool isWanted = true)
    {
        if (_modest > 0)
            _modest--;
        _inARow = peer == _last && isWanted ? Math.Min(_inARow + 1, Row) : 0;
        _last = peer;
        _average += ((after < 8 * Longest ? after : 8 * Longest) - _average) / 8;
    }

    /// <summary>The time between two looks. True when it is time to stop: somebody else needs the core.</summary>
    public bool WasAway(TimeSpan between)
    {
        if (between <= Preempted)
            return false;
        _modest = Modesty;
        return true;
    }
}
