using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Tests.Schedules;

namespace Slipstream.Core.Tests.Sessions.Schedules;

/// <summary>A thread that uses a session.</summary>
internal sealed class SessionActor : Actor
{
    public SessionActor(string name, Func<SessionActor, IEnumerable<Point>> script)
        : base(name) => Begin(script(this));

    /// <summary>The end of its wait, in simulated time.</summary>
    public long Until { get; set; } = long.MaxValue;

    public override string ToString() => $"{base.ToString()} {Until}";
}

/// <summary>
/// One session whose first command is interrupted, in simulated time. The session, its queue, its operation and the cancellation are real; the server, the
/// threads and the clock are scripts. The user's thread executes a second command after the first: no cancellation may ever hit the second.
/// </summary>
internal sealed class CancellationWorld : IWorld
{
    private readonly List<SessionActor> _actors = [];
    private readonly FakeSession _session;
    private readonly Queue<char> _requests = new();
    private readonly Queue<char> _answers = new();
    private readonly SessionActor _user;
    private readonly SessionActor _canceller;
    private char _running;
    private bool _isKilled;
    private bool _hasBegun;
    private bool _isUnderWay;
    private int _received;
    private long _now = 1000;

    public CancellationWorld(int cancellationTimeout = 1000, bool owesReset = false)
    {
        _session = new(new()) { CancellationTimeout = cancellationTimeout, NeedsReset = owesReset };
        _actors.Add(_user = new("user", User));
        _actors.Add(new("server", Server));
        _actors.Add(_canceller = new("canceller", Canceller));
        _actors.Add(new("late request", LateRequest));
        _actors.Add(new("time", Time));
    }

    public IReadOnlyList<Actor> Actors => _actors;

    /// <summary>Whether the first command ends only when it is stopped.</summary>
    public bool RunsUntilStopped { get; init; }

    /// <summary>Whether the command that absorbs a late cancellation is never answered.</summary>
    public bool IsSilentBehind { get; init; }

    /// <summary>Whether asking the server may fail: refused, or lost on its way and perhaps arriving later.</summary>
    public bool MayFailToAsk { get; init; }

    /// <summary>Adds a thread that claims the interruption, and continues some time later.</summary>
    public void AddInterrupter(Interruption reason)
    {
        _actors.Add(new($"interrupter ({reason})", Script));

        IEnumerable<Point> Script(SessionActor me)
        {
            yield return new("claim", IsAtRest: true);
            if (!_session.Operation.TryInterrupt(1, reason))
                yield break;
            yield return new("begin");
            Assert.False(_hasBegun, "Two threads cancel the same operation.");
            _hasBegun = true;
        }
    }

    /// <summary>Adds another thread that closes the connection.</summary>
    public void AddClose()
    {
        _actors.Add(new("closer", Script));

        IEnumerable<Point> Script(SessionActor me)
        {
            yield return new("close", IsAtRest: true);
            _session.Break("closed");
        }
    }

    public void Check() => Assert.False(
        _session is { IsBroken: false, Operation: { Number: 2, Interruption: not Interruption.None } }, "The second command was interrupted.");

    public void CheckEnd()
    {
        Assert.True(_user.IsDone, "The user's thread waits for ever.");
        Assert.True(_canceller.IsDone || !_hasBegun, "The cancellation never ends.");
        Assert.False(_session.Operation.IsRunning);
        if (_session.IsBroken)
            return;
        Assert.False(_session.IsBeingCancelled);
        Assert.Equal(2, _session.Operation.Number);
        Assert.Equal(0, _session.Wire.Buffered);
        Assert.Empty(_requests);
        Assert.Empty(_answers);
    }

    public override string ToString() =>
        $"{_now}; {string.Join("; ", _actors)}; "
        + $"server {string.Concat(_requests)}>{_running}{(_isKilled ? "!" : "")}>{string.Concat(_answers)}; received {_received}; "
        + $"operation {_session.Operation.Number} {_session.Operation.IsRunning} {_session.Operation.Interruption}; "
        + $"{(_session.IsBroken ? _session.BrokenBecause : "whole")}; {(_session.IsBeingCancelled ? _session.Cancellation : null)}; {_isUnderWay}";

    // ---------------------------------------------------------------- scripts

    private IEnumerable<Point> User(SessionActor me)
    {
        for (var number = 1; number <= 2; number++)
        {
            _session.BeginQuery();
            foreach (var point in Execute())
                yield return point;
            if (_session.IsBroken)
            {
                _session.Abort("lost");
                yield break;
            }

            Assert.True(_session.Exchange.Error is null || number == 1, "A cancellation has hit the second command.");
        }
    }

    // The steps of the pumps.
    private IEnumerable<Point> Execute()
    {
        while (true)
        {
            yield return new("advance");
            switch (_session.Queue.Advance(_session.Wire))
            {
                case Step.Send:
                    foreach (var letter in _session.Wire.Out.Written.ToArray())
                        _requests.Enqueue((char)letter);
                    _session.Wire.Left();
                    break;
                case Step.Receive:
                    yield return new("receive", 1, () => _answers.Count > 0 || _session.IsBroken, IsAtRest: true);
                    if (_session.IsBroken)
                        yield break;
                    _session.Wire.FreeSpan()[0] = (byte)_answers.Dequeue();
                    _session.Wire.Advance(1);
                    _received++;
                    break;
                case Step.WaitExternal:
                    yield return new("wait for the request's end", 1, () => _session.Cancellation.RequestEnded.IsSet, IsAtRest: true);
                    break;
                default:
                    yield break;
            }
        }
    }

    private IEnumerable<Point> Server(SessionActor me)
    {
        while (true)
        {
            yield return new("serve", 1, () => _requests.Count > 0, IsAtRest: true);
            _running = _requests.Dequeue();
            yield return new("answer", 1, MayAnswer, IsAtRest: true);
            _answers.Enqueue(_isKilled ? '!' : char.ToLowerInvariant(_running));
            (_running, _isKilled) = ('\0', false);
        }
    }

    private bool MayAnswer() => _running switch
    {
        'Q' => _isKilled || !RunsUntilStopped || _session.Operation.Number == 2,
        'S' => !IsSilentBehind,
        _ => true,
    };

    // KILL QUERY and CancelRequest hit whatever runs at that moment.
    private void Kill()
    {
        Assert.NotEqual('R', _running);
        Assert.False(_running == 'Q' && _session is { IsBroken: false, Operation.Number: 2 }, "The second command is killed.");
        _isKilled = _running != '\0';
    }

    private IEnumerable<Point> Canceller(SessionActor me)
    {
        yield return new("start", 1, () => _hasBegun, IsAtRest: true);
        var cancellation = _session.Cancellation;
        while (cancellation.Advance(_now) is { Step: not CancellationStep.Completed } next)
        {
            me.Until = next.Milliseconds < 0 ? long.MaxValue : _now + next.Milliseconds;
            switch (next.Step)
            {
                case CancellationStep.Ask:
                    yield return new("ask", MayFailToAsk ? 3 : 1);
                    foreach (var point in Ask(me, cancellation))
                        yield return point;
                    break;
                case CancellationStep.AwaitOperation:
                    yield return new("await the operation's end", 1, () => cancellation.OperationEnded.IsSet || _now >= me.Until, IsAtRest: true);
                    break;
                default:
                    yield return new("await settlement", 1, () => cancellation.IsDrained || _now >= me.Until, IsAtRest: true);
                    break;
            }

            me.Until = long.MaxValue;
            yield return new("go on");
        }
    }

    private IEnumerable<Point> Ask(SessionActor me, Cancellation cancellation)
    {
        switch (me.Choice)
        {
            case 0:
                Kill();
                yield return new("asked");
                cancellation.Asked(null);
                break;
            case 1:
                cancellation.Asked(FakeFactory.Refused);
                break;
            default:
                _isUnderWay = true;
                yield return new("lost");
                cancellation.Asked(new WireException(WireFailure.Lost, "The answer to the request did not come."));
                break;
        }
    }

    // A request whose answer was lost arrives at any time.
    private IEnumerable<Point> LateRequest(SessionActor me)
    {
        yield return new("arrive", 1, () => _isUnderWay, IsAtRest: true);
        _isUnderWay = false;
        Kill();
    }

    // Jumps to the end of the wait. Without a limit, a cancellation would ask again for ever: this number of times is enough.
    private IEnumerable<Point> Time(SessionActor me)
    {
        for (var waits = 0; waits < 20; waits++)
        {
            yield return new("time", 1, () => _canceller is { IsDone: false, Until: not long.MaxValue } && _canceller.Until > _now, IsAtRest: true);
            _now = _canceller.Until;
        }
    }
}
