using Slipstream.Core.Time;

namespace Slipstream.Core.Topology;

/// <summary>The state of one server as far as it is known, and the probe that it has not answered yet. Only <see cref="TopologyMachine"/> uses it.</summary>
/// <param name="address">The server's address.</param>
/// <param name="now">The time at which it was listed.</param>
/// <param name="generation">The generation of its first sessions.</param>
internal sealed class HostRecord(string address, long now, long generation)
{
    // As in TCP: a new measurement counts an eighth.
    private const double Smoothing = 0.125;

    private double? _roundTrip;
    private long _askedAt;
    private long _executedAt;
    private HostStatus? _published;
    private bool _wasForgiven;
    private bool _wereSilencesForgiven;
    private bool _wasRefused;
    private bool _wasIgnored;

    /// <summary>The server's address.</summary>
    public string Address => address;

    /// <summary>Whether the server answers.</summary>
    public HostState State { get; private set; }

    /// <summary>What the server may be used for.</summary>
    public HostRole Role { get; private set; }

    /// <summary>The role of the last answer. It stays the same when the refusal of a command changes <see cref="Role"/>.</summary>
    public HostRole StatedRole { get; private set; }

    /// <summary>When the server reached its state and role.</summary>
    public long Since { get; private set; } = now;

    /// <summary>Since when the server has answered all probes in time and been part of its cluster; <see cref="Clock.Never"/> while it is not.</summary>
    public long SteadySince { get; private set; } = Clock.Never;

    /// <summary>The last answer; null before the first.</summary>
    public RoleAnswer? Answer { get; private set; }

    /// <summary>The cluster that the server last stated; null if it has not stated one.</summary>
    public string? Cluster { get; private set; }

    /// <summary>The epoch that the server last stated; 0 if it has not stated one, or has become a replica without one.</summary>
    public long StatedEpoch { get; private set; }

    /// <summary>The lineage of <see cref="StatedEpoch"/>.</summary>
    public string? StatedLineage { get; private set; }

    /// <summary>The rule for writers that the server last stated while it could be used; null if it has not stated one.</summary>
    public WriterRule? StatedWriters { get; private set; }

    /// <summary>When the last answer arrived; null if never.</summary>
    public long? AnsweredAt { get; private set; }

    /// <summary>The last error; null if there was none since the last answer.</summary>
    public string? Error { get; private set; }

    /// <summary>Increases with each retirement.</summary>
    public long Generation { get; private set; } = generation;

    /// <summary>Whether the last probe was denied: the server is full, or refuses the monitor's login. It is asked less often then.</summary>
    public bool IsDenied { get; private set; }

    /// <summary>Number of probes lost in a row.</summary>
    public int Misses { get; private set; }

    /// <summary>Number of probes in a row without any answer.</summary>
    public int Silences { get; private set; }

    /// <summary>Whether a command has been refused since the probe under way was sent. Then the role in the answer is out of date.</summary>
    public bool IsOutdated { get; private set; }

    /// <summary>Whether the server is the primary, or was the primary until it refused a command.</summary>
    public bool IsOrWasPrimary => Role == HostRole.Primary || (Role == HostRole.ReadOnly && StatedRole == HostRole.Primary);

    /// <summary>When a probe last contradicted the refusal of a write, because the server said that it is the primary; null if never.</summary>
    public long? WronglyRefusedAt { get; private set; }

    /// <summary>The number of the probe under way; 0 without one.</summary>
    public long Probe { get; private set; }

    /// <summary>When the last probe was sent, plus any pause of the caller's process since then.</summary>
    public long ProbedAt { get; private set; } = -1;

    /// <summary>Whether the caller's process had a long pause while the probe was under way. Then a missing answer proves nothing.</summary>
    public bool WasPaused { get; private set; }

    /// <summary>Whether commands wait that the server has not answered for some time, and it has not answered a probe since then.</summary>
    public bool IsQuiet { get; set; }

    /// <summary>Whether the sessions in use have been ended since the last answer.</summary>
    public bool WasCut { get; private set; }

    /// <summary>When the next probe is due. It is not sent before the probe under way has ended.</summary>
    public long NextProbeAt { get; set; } = now;

    /// <summary>Whether the server accepts writes, as far as is known.</summary>
    public bool ClaimsToBePrimary => IsInUse && Role == HostRole.Primary;

    /// <summary>Whether sessions of the server may be in use: it was not lost and has not announced its end.</summary>
    public bool IsInUse => HostStatus.IsInUse(State);

    /// <summary>Returns whether a probe has been unanswered for at least this time.</summary>
    public bool IsSilent(long milliseconds, long time) => Probe != 0 && time - ProbedAt >= milliseconds;

    /// <summary>
    /// Returns the age of an unanswered probe, in milliseconds, at which the server is no longer steady. It is the limit, or twice the server's usual time if
    /// that is longer, because a server that is far away is not slow.
    /// </summary>
    public long LateAfter(TopologySettings settings) =>
        Math.Min(settings.ProbeTimeout, Math.Max(settings.SilenceLimit, (long)(2 * (_roundTrip ?? 0))));

    /// <summary>
    /// Returns the age of an unanswered probe, in milliseconds, at which the server counts as one that answers nothing. It is shorter if commands wait, too.
    /// </summary>
    public long SilenceAfter(TopologySettings settings) => !IsQuiet ? LateAfter(settings)
        : Math.Min(LateAfter(settings), Math.Max(ProbeSchedule.ShortestSearchInterval, (long)(2 * (_roundTrip ?? 0))));

    /// <summary>Records that a probe is sent.</summary>
    public void Ask(long number, long time)
    {
        (Probe, ProbedAt, WasPaused, IsOutdated) = (number, time, false, false);
        _askedAt = time;
    }

    /// <summary>Records that the answer to a probe is late.</summary>
    public void Unsettle() => SteadySince = Clock.Never;

    /// <summary>Gives an unanswered probe more time, because the caller's process could not have received the answer.</summary>
    /// <param name="pause">The length of the pause in milliseconds.</param>
    /// <param name="grace">Time for reading an answer that arrived during the pause.</param>
    /// <param name="isLong">Whether the pause was long enough for the answer to be lost during it.</param>
    /// <param name="isLongest">Whether the pause was longer than everything that the server may leave unanswered.</param>
    /// <param name="time">The time.</param>
    public void Forgive(long pause, long grace, bool isLong, bool isLongest, long time)
    {
        // Nothing that was known before such a pause proves anything after it, also not after an earlier pause.
        if (isLongest)
            (_wasForgiven, _wereSilencesForgiven) = (false, false);
        if (Probe != 0)
            (ProbedAt, WasPaused) = (Math.Min(time, ProbedAt + pause + grace), WasPaused || isLong);
        // The server may have recovered during the pause. Only once until the next answer, for the same reason as in TakeExcuse.
        if (isLong && !_wereSilencesForgiven)
            (Silences, _wereSilencesForgiven) = (0, true);
        if (SteadySince != Clock.Never)
            SteadySince += pause;
    }

    /// <summary>
    /// Returns whether the unanswered probe does not count, because the caller's process was paused in the meantime. Until the next answer, only one probe is
    /// excused. Otherwise, a process that is paused again and again would never detect a server that hangs.
    /// </summary>
    public bool TakeExcuse()
    {
        if (!WasPaused || _wasForgiven)
            return false;
        return _wasForgiven = true;
    }

    /// <summary>Returns whether the sessions in use must be ended: once until the next answer.</summary>
    public bool TakeCut()
    {
        var isDue = !WasCut;
        WasCut = true;
        return isDue;
    }

    /// <summary>Ends the probe under way.</summary>
    /// <returns>Its number.</returns>
    public long EndProbe()
    {
        var number = Probe;
        Probe = 0;
        return number;
    }

    /// <summary>
    /// Returns an answer with what the server has stated before and does not deny now. After an error, a provider asks a shorter question. A former primary
    /// must not be taken for the present one because of that.
    /// </summary>
    public RoleAnswer Complete(RoleAnswer answer)
    {
        if (answer.Cluster is null && Cluster is not null && HostStatus.MayServe(answer.Role))
            answer = answer with { Cluster = Cluster };
        return answer is { Role: HostRole.Primary, Epoch: 0 } && StatedEpoch != 0 && answer.Cluster == Cluster
            ? answer with { Epoch = StatedEpoch, Lineage = StatedLineage } : answer;
    }

    /// <summary>Records the rule for writers that the server states.</summary>
    public void States(WriterRule writers) => StatedWriters = writers;

    /// <summary>Records an answer. The role is that of the answer, unless a command was refused after the probe had been sent.</summary>
    /// <param name="answer">The answer.</param>
    /// <param name="role">The role that the answer gives, compared with what is known about the other servers.</param>
    /// <param name="askedAt">When the question was sent; null if when the probe began.</param>
    /// <param name="time">When it arrived.</param>
    public void Answered(RoleAnswer answer, HostRole role, long? askedAt, long time)
    {
        IsQuiet = false;
        var measured = Math.Max(0, time - Math.Max(ProbedAt, askedAt ?? 0));
        if (_roundTrip is null || !WasPaused)
            _roundTrip = _roundTrip is { } smoothed ? smoothed + Smoothing * (measured - smoothed) : measured;
        (Answer, Cluster, AnsweredAt, Error, Misses, Silences, _wasForgiven) = (answer, answer.Cluster ?? Cluster, time, null, 0, 0, false);
        (_wasIgnored, WasCut, _wereSilencesForgiven, IsDenied) = (IsOutdated, false, false, false);
        _executedAt = _askedAt;
        // A server that is only starting has not left its epoch.
        if (answer.Epoch != 0 || HostStatus.MayServe(answer.Role))
            (StatedEpoch, StatedLineage) = (answer.Epoch, answer.Lineage);
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

    /// <summary>Records that the server answered without stating its role.</summary>
    public void Denied(string error, long time)
    {
        IsQuiet = false;
        (AnsweredAt, Error, Misses, Silences, _wasForgiven, WasCut, _wereSilencesForgiven) = (time, error, 0, 0, false, false, false);
        IsDenied = true;
        if (SteadySince == Clock.Never)
            SteadySince = time;
        Become(HostState.Up, Role, time);
    }

    /// <summary>Records that a probe was lost.</summary>
    /// <param name="isSilence">Whether there was no answer at all.</param>
    /// <param name="state">The state that follows.</param>
    /// <param name="error">The message.</param>
    /// <param name="time">The time.</param>
    public void Missed(bool isSilence, HostState state, string error, long time)
    {
        IsDenied = false;
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

    /// <summary>Records that the server refused a command, so its role is no longer the one that it last stated.</summary>
    public void Refused(HostRole role, string error, long time)
    {
        // Of two answers in a row, the second one counts. Otherwise, sessions that are refused all the time would hide the role for ever.
        (Error, IsOutdated, _wasRefused) = (error, Probe != 0 && !_wasIgnored, role == HostRole.ReadOnly);
        Unsettle();
        Become(State, role, time);
    }

    /// <summary>Records a role that follows from other observations than the server's own answer.</summary>
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
            IsReadOnlyByDefault = Answer is { IsReadOnlyByDefault: true },
            RoundTrip = _roundTrip,
            Lag = Answer?.Lag,
            Position = Answer?.Position,
            Executed = Answer?.Executed,
            ExecutedAt = _executedAt,
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
