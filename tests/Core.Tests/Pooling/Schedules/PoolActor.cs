using Slipstream.Core.Pooling;
using Slipstream.Core.Tests.Schedules;

namespace Slipstream.Core.Tests.Pooling.Schedules;

/// <summary>A user of a pool.</summary>
internal sealed class PoolActor : Actor
{
    public PoolActor(string name, Func<PoolActor, IEnumerable<Point>> script)
        : base(name) => Begin(script(this));

    public int Round { get; set; }

    public SimulatedSession? Session { get; set; }

    public SimulatedWaiter? Waiter { get; set; }

    public PoolAction Action { get; set; }

    public bool IsAtRest => IsDone || (At.IsAtRest && Waiter is not { IsWoken: true });

    public override string ToString() => IsDone
        ? base.ToString()
        : $"{base.ToString()} {Round} {Session} {Waiter} {Action.Step} {Action.Session} {(Action.Waiter as SimulatedWaiter)?.By}";
}
