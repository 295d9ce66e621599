using Slipstream.Core.Time;

namespace Slipstream.Core.Clusters;

/// <summary>
/// Notices that a server answers none of the commands that wait for it. It learns only what the sessions have received, so it costs the callers nothing.
/// </summary>
internal sealed class AnswerWatch
{
    /// <summary>The shortest time without an answer that makes a server quiet, in milliseconds.</summary>
    public const long ShortestPatience = 60;

    /// <summary>Time between two looks, in milliseconds.</summary>
    public const long LookInterval = 20;

    // Long commands are no failure: if the server answers the probes, it is asked more and more rarely, up to the usual interval of probes.
    private const long LongestPatience = 1000;

    // Of the longest usual time between two answers, this much is forgotten with each answer: half of it in two seconds of steady answers.
    private const double Forgetting = 1.0 / 128;

    private long _received;
    private bool _wasWaiting;
    private long _since;
    private long _answeredAt;
    private double _usual;
    private long _patience = ShortestPatience;

    /// <summary>When to look again; <see cref="Clock.Never"/> if nothing happens on the sessions.</summary>
    public long NextLookAt { get; private set; } = Clock.Never;

    /// <summary>Returns whether the server should be asked if it still answers.</summary>
    /// <param name="received">Number of bytes that all open sessions of the server have received, idle ones too: so a lease changes nothing.</param>
    /// <param name="isWaiting">Whether a command is under way.</param>
    /// <param name="roundTrip">The round trip of the server, in milliseconds.</param>
    /// <param name="now">The time.</param>
    public bool IsQuiet(long received, bool isWaiting, double roundTrip, long now)
    {
        var hasAnswered = received != _received;
        NextLookAt = isWaiting || hasAnswered ? now + LookInterval : Clock.Never;
        if (hasAnswered && _wasWaiting)
            _usual = Math.Max(now - _answeredAt, _usual - _usual * Forgetting);
        if (!isWaiting || hasAnswered || !_wasWaiting)
        {
            (_received, _wasWaiting, _since, _answeredAt) = (received, isWaiting, now, now);
            // Twice what is usual: a server that needs long, or is far away, is not quiet.
            _patience = (long)Math.Clamp(2 * Math.Max(_usual, roundTrip), ShortestPatience, LongestPatience);
            return false;
        }

        if (now - _since < _patience)
            return false;
        (_since, _patience) = (now, Math.Min(2 * _patience, LongestPatience));
        return true;
    }
}
