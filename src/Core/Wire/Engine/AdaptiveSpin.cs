namespace Slipstream.Core.Wires;

/// <summary>
/// Decides whether a thread without work polls for a moment before it sleeps. Polling pays for a single conversation: the answer comes sooner than a sleeping
/// core wakes up. The decision depends on the last answers: they must be consecutive answers of one peer, come soon, and the machine must have a spare core.
/// Knows no clock: receives the time.
/// </summary>
internal sealed class AdaptiveSpin
{
    /// <summary>Number of consecutive answers of the same connection that make it a single conversation.</summary>
    internal const int MinConsecutive = 8;

    /// <summary>Longest average wait for an answer that is polled for: 250 µs. Beyond that, the core is worth more.</summary>
    internal static readonly TimeSpan Longest = TimeSpan.FromMicroseconds(250);

    /// <summary>
    /// Two polls are about a microsecond apart. After a longer interval than this (60 µs), the thread has lost the core to another thread that needs it.
    /// </summary>
    internal static readonly TimeSpan Preempted = TimeSpan.FromMicroseconds(60);

    // Number of answers without polling after such a preemption.
    private const int PauseAfterPreemption = 2000;

    private readonly bool _isAllowed;
    private ulong _last;
    private int _consecutive;
    private int _pause;
    private TimeSpan _average = Longest;

    /// <param name="processors">Number of processors that the process may use.</param>
    public AdaptiveSpin(int processors) => _isAllowed = processors >= 2;

    /// <summary>How long to poll before sleeping; zero: not at all.</summary>
    public TimeSpan SpinTime =>
        !_isAllowed || _consecutive < MinConsecutive || _pause > 0 || _average >= Longest ? TimeSpan.Zero : _average * 3 < Longest ? _average * 3 : Longest;

    /// <summary>Records an answer.</summary>
    /// <param name="peer">Key of the peer.</param>
    /// <param name="after">Time since the last answer was passed on.</param>
    /// <param name="isPolled">False for a connection that must not be polled for.</param>
    public void RecordAnswer(ulong peer, TimeSpan after, bool isPolled = true)
    {
        if (_pause > 0)
            _pause--;
        _consecutive = peer == _last && isPolled ? Math.Min(_consecutive + 1, MinConsecutive) : 0;
        _last = peer;
        _average += ((after < 8 * Longest ? after : 8 * Longest) - _average) / 8;
    }

    /// <summary>Records the time between two polls. Returns true if polling must stop, because another thread needs the core.</summary>
    public bool WasPreempted(TimeSpan between)
    {
        if (between <= Preempted)
            return false;
        _pause = PauseAfterPreemption;
        return true;
    }
}
