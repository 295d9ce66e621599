using Slipstream.Core.Time;

namespace Slipstream.Core.Topology;

/// <summary>What is known about one server, and the probe that it has not answered yet. Only <see cref="TopologyMachine"/> uses it.</summary>
/// <param name="address">The server's address.</param>
/// <param name="now">The time at which it was listed.</param>
/// <param name="generation">The generation of its first sessions.</param>
internal sealed class HostRecord(string address, long now, long generation)
{
    // As in TCP: a new measurement counts an eighth.
    private const double Smoothing = 0.125;

    private double? _roundTrip;
    private HostStatus? _published;
    private bool _wasForgiven;
    private bool _wasRefused;
    private bool _wasIgnored;

    /// <summary>The server's address.</summary>
    public string Address => address;

    /// <summary>Whether it answers.</summary>
    public HostState State { get; private set; }

    /// <summary>What it may be used for.</summary>
    public HostRole Role { get; private set; }

    /// <summary>The role of its last answer. It stays when a command's refusal has made <see cref="Role"/> another one.</summary>
    public HostRole StatedRole { get; private set; }

    /// <summary>When it reached its state and role.</summary>
    public long Since { get; private set; } = now;

    /// <summary>Since when it has answered all probes in time and been part of its cluster; <see cref="Clock.Never"/> while it does not.</summary>
    public long SteadySince { get; private set; } = Clock.Never;

    /// <summary>The last answer; null before the first.</summary>
    public RoleAnswer? Answer { get; private set; }

    /// <summary>The cluster that it last stated; null if it has not stated one.</summary>
    public string? Cluster { get; private set; }

    /// <summary>When the last answer came; null if never.</summary>
    public long? AnsweredAt { get; private set; }

    /// <summary>The last error; null without one since the last answer.</summary>
    public string? Error { get; private set; }

    /// <summary>Increases with each retirement.</summary>
    public long Generation { get; private set; } = generation;

    /// <summary>Number of probes lost in a row.</summary>
    public int Misses { get; private set; }

    /// <summary>Number of probes in a row that were not answered at all.</summary>
    public int Silences { get; private set; }

    /// <summary>Whether a command has been refused since the probe under way was sent: the role that its answer states is out of date.</summary>
    public bool IsOutdated { get; private set; }

    /// <summary>Whether it is the primary, or was until a command was refused.</summary>
    public bool IsOrWasPrimary => Role == HostRole.Primary || (Role == HostRole.ReadOnly && StatedRole == HostRole.Primary);

    /// <summary>When a probe last said that the server is the primary after a write had been refused, so that the refusal was wrong; null if never.</summary>
    public long? WronglyRefusedAt { get; private set; }

    /// <summary>The number of the probe under way; 0 without one.</summary>
    public long Probe { get; private set; }

    /// <summary>When the last probe was sent; a pause of the caller's process is added.</summary>
    public long ProbedAt { get; private set; } = -1;

    /// <summary>Whether the caller's process was stopped for long while the probe was under way: that it was not answered proves nothing.</summary>
    public bool WasPaused { get; private set; }

    /// <summary>When the next probe is due. It waits for the end of the one under way.</summary>
    public long NextProbeAt { get; set; } = now;

    /// <summary>Whether the server accepts writes, as far as it is known.</summary>
    public bool ClaimsToBePrimary => State is HostState.Up or HostState.Suspect && Role == HostRole.Primary;

    /// <summary>Returns whether a probe has been unanswered for a time.</summary>
    public bool IsSilent(long milliseconds, long time) => Probe != 0 && time - ProbedAt >= milliseconds;

    /// <summary>
    /// Returns the age of an unanswered probe, in milliseconds, at which the server is no longer steady: the limit, or twice its usual time if that is longer.
    /// A server that is far away is not slow.
    /// </summary>
    public long LateAfter(TopologySettings settings) =>
        Math.Min(settings.ProbeTimeout, Math.Max(settings.SilenceLimit, (long)(2 * (_roundTrip ?? 0))));

    /// <summary>Records that a probe is sent.</summary>
    public void Ask(long number, long time)
    {
        (Probe, ProbedAt, WasPaused, IsOutdated) = (number, time, false, false);
    }

    /// <summary>Records that the answer to a probe is late.</summary>
    public void Unsettle() => SteadySince = Clock.Never;

    /// <summary>Gives an unanswered probe more time: the caller's process could not have received the answer.</summary>
    /// <param name="pause">The length of the pause in milliseconds.</param>
    /// <param name="grace">Time in which an answer that came meanwhile can be read.</param>
    /// <param name="isLong">Whether the pause was long enough for the answer to be lost in it.</param>
    /// <param name="time">The time.</param>
    public void Forgive(long pause, long grace, bool isLong, long time)
    {
        if (Probe != 0)
            (ProbedAt, WasPaused) = (Math.Min(time, ProbedAt + pause + grace), WasPaused || isLong);
        if (SteadySince != Clock.Never)
            SteadySince += pause;
    }

    /// <summary>
    /// Returns whether the unanswered probe does not count, because the caller's process was stopped meanwhile. Only one does not count until the next answer:
    /// a server that hangs must be noticed by a process that is stopped again and again, too.
    /// </summary>
    public bool TakeExcuse()
    {
        if (!WasPaused || _wasForgiven)
            return false;
        return _wasForgiven = true;
    }

    /// <summary>Ends the probe under way.</summary>
    /// <returns>Its number.</returns>
    public long EndProbe()
    {
        var number = Probe;
        Probe = 0;
        return number;
    }

    /// <summary>Records an answer. The role is that of the answer, unless a command was refused after the probe had been sent.</summary>
    /// <param name="answer">The answer.</param>
    /// <param name="role">The role that the answer gives, compared with what is known about the other servers.</param>
    /// <param name="time">When it came.</param>
    public void Answered(RoleAnswer answer, HostRole role, long time)
    {
        var measured = Math.Max(0, time - ProbedAt);
        if (_roundTrip is null || !WasPaused)
            _roundTrip = _roundTrip is { } smoothed ? smoothed + Smoothing * (measured - smoothed) : measured;
        (Answer, Cluster, AnsweredAt, Error, Misses, Silences, _wasForgiven) = (answer, answer.Cluster ?? Cluster, time, null, 0, 0, false);
        _wasIgnored = IsOutdated;
        if (!IsOutdated)
        {
            if (_wasRefused && role == HostRole.Primary && StatedRole == HostRole.Primary)
                WronglyRefusedAt = time;
            (StatedRole, _wasRefused) = (role, false);
        }

        Become(HostState.Up, IsOutdated ? Role : role, time);
        if (Role == HostRole.Joining)
            Unsettle();
        else if (SteadySince == Clock.Never)
            SteadySince = time;
    }

    /// <summary>Records that the server answered without saying its role.</summary>
    public void Denied(string error, long time)
    {
        (AnsweredAt, Error, Misses, Silences, _wasForgiven) = (time, error, 0, 0, false);
        if (SteadySince == Clock.Never)
            SteadySince = time;
        Become(HostState.Up, Role, time);
    }

    /// <summary>Records that a probe was lost.</summary>
    /// <param name="isSilence">Whether nothing came at all.</param>
    /// <param name="state">The state that follows.</param>
    /// <param name="error">The message.</param>
    /// <param name="time">The time.</param>
    public void Missed(bool isSilence, HostState state, string error, long time)
    {
        Misses++;
        Silences = isSilence ? Silences + 1 : 0;
        Fail(state, error, time);
    }

    /// <summary>Records a state other than Up.</summary>
    public void Fail(HostState state, string error, long time)
    {
        Error = error;
        SteadySince = Clock.Never;
        Become(state, Role, time);
    }

    /// <summary>Records that a command was refused, so that the server has another role than it last stated.</summary>
    public void Refused(HostRole role, string error, long time)
    {
        // Of two answers in a row the second one counts: sessions that are refused all the time must not hide the role for ever.
        (Error, IsOutdated, _wasRefused) = (error, Probe != 0 && !_wasIgnored, role == HostRole.ReadOnly);
        Unsettle();
        Become(State, role, time);
    }

    /// <summary>Records a role that follows from what another server has said.</summary>
    public void Become(HostRole role, long time)
    {
        StatedRole = role;
        Become(State, role, time);
    }

    /// <summary>Begins a new generation.</summary>
    public void Retire() => Generation++;

    /// <summary>Returns the state for a snapshot; the same object if nothing has changed.</summary>
    public HostStatus ToStatus(bool isSilent)
    {
        HostStatus status = new(address, State, Role)
        {
            IsSilent = isSilent,
            Generation = Generation,
            Epoch = Answer?.Epoch ?? 0,
            RoundTrip = _roundTrip,
            Lag = Answer?.Lag,
            Position = Answer?.Position,
            Since = Since,
            AnsweredAt = AnsweredAt,
            Error = Error,
        };
        return status == _published ? _published : _published = status;
    }

    private void Become(HostState state, HostRole role, long time)
    {
        if (state == State && role == Role)
            return;
        (State, Role, Since) = (state, role, time);
    }
}
