using Slipstream.Core.Pooling;

namespace Slipstream.Core.Tests.Pooling.Schedules;

/// <summary>Where an actor stands before a step: what it does next, in how many ways, and when it may.</summary>
internal readonly record struct Point(string Name, int Choices = 1, Func<bool>? When = null, bool IsAtRest = false);

/// <summary>
/// Somebody who does something with a pool, in steps between which anything else may happen: a script that yields before each step. All that it remembers is in
/// its fields, so that two worlds can be compared.
/// </summary>
internal sealed class Actor
{
    private readonly IEnumerator<Point> _steps;

    public Actor(string name, Func<Actor, IEnumerable<Point>> script)
    {
        Name = name;
        _steps = script(this).GetEnumerator();
        IsDone = !_steps.MoveNext();
    }

    public string Name { get; }

    public bool IsDone { get; private set; }

    public Point At => _steps.Current;

    /// <summary>Which way was chosen for the step under way.</summary>
    public int Choice { get; private set; }

    public int Round { get; set; }

    public SimulatedSession? Session { get; set; }

    public SimulatedWaiter? Waiter { get; set; }

    public PoolAction Action { get; set; }

    public bool IsReady => !IsDone && At.When?.Invoke() != false;

    public bool IsAtRest => IsDone || (At.IsAtRest && Waiter is not { IsWoken: true });

    public void Step(int choice)
    {
        Choice = choice;
        IsDone = !_steps.MoveNext();
    }

    public override string ToString() => IsDone
        ? $"{Name} is done"
        : $"{Name}:{At.Name} {Round} {Session} {Waiter} {Action.Step} {Action.Session} {(Action.Waiter as SimulatedWaiter)?.By}";
}
