namespace Slipstream.Core.Tests.Schedules;

/// <summary>Where an actor stands before a step: what it does next, in how many ways, and when it may.</summary>
internal readonly record struct Point(string Name, int Choices = 1, Func<bool>? When = null, bool IsAtRest = false);

/// <summary>
/// Somebody who does something in steps between which anything else may happen: a script that yields before each step. All that it remembers is in
/// its fields, so that two worlds can be compared.
/// </summary>
internal abstract class Actor(string name)
{
    private IEnumerator<Point> _steps = null!;

    public string Name => name;

    public bool IsDone { get; private set; }

    public Point At => _steps.Current;

    /// <summary>Which way was chosen for the step under way.</summary>
    public int Choice { get; private set; }

    public bool IsReady => !IsDone && At.When?.Invoke() != false;

    public void Step(int choice)
    {
        Choice = choice;
        IsDone = !_steps.MoveNext();
    }

    protected void Begin(IEnumerable<Point> script)
    {
        _steps = script.GetEnumerator();
        IsDone = !_steps.MoveNext();
    }

    public override string ToString() => IsDone ? $"{Name} is done" : $"{Name}:{At.Name}";
}
