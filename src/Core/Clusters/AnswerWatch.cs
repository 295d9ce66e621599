using Slipstream.Core.Time;

namespace Slipstream.Core.Clusters;

/// <summary>
/// Notices that a server answers none of the commands that wait for it. It learns only what the sessions have received, so it costs the callers nothing.
/// </summary>
internal sealed class AnswerWatch
{
    /// <summary>The time without an answer that makes the server quiet, in milliseconds.</summary>
    public const long Patience = 100;

    private const long LookInterval = 50;

    // Long commands are no failure: if the server answers the probes, it is asked more and more rarely, up to the usual interval of probes.
    private const long LongestPatience = 1000;

    private long _received;
    private bool _wasWaiting;
    private long _since;
    private long _patience = Patience;

    /// <summary>When to look again; <see cref="Clock.Never"/> if nothing happens on the sessions.</summary>
    public long NextLookAt { get; private set; } = Clock.Never;

    /// <summary>Returns whether the server should be asked if it still answers.</summary>
    /// <param name="received">Number of bytes that all open sessions of the server have received, idle ones too: so a lease changes nothing.</param>
    /// <param name="isWaiting">Whether a command is under way.</param>
    /// <param name="now">The time.</param>
    public bool IsQuiet(long received, bool isWaiting, long now)
    {
        var hasAnswered = received != _received;
        NextLookAt = isWaiting || hasAnswered ? now + LookInterval : Clock.Never;
        if (!isWaiting || hasAnswered || !_wasWaiting)
        {
            (_received, _wasWaiting, _since, _patience) = (received, isWaiting, now, Patience);
            return false;
        }

        if (now - _since < _patience)
            return false;
        (_since, _patience) = (now, Math.Min(2 * _patience, LongestPatience));
        return true;
    }
}
