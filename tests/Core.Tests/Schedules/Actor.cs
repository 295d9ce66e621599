namespace Slipstream.Core.Tests.Schedules;

/// <summary>An actor's position before a step: what it does next, in how many ways, and when it may.</summary>
internal readonly record struct Point(string Name, int Choices = 1, Func<bool>? When = null, bool IsAtRest = false);

/// <summary>
/// A script that yields before each step; between the steps, anything else may happen. Its whole state is in its fields, so that two worlds can be compared.
/// </summary>
internal abstract class Actor(string name)
{
    private IEnumerator<Point> _steps = null!;

    public string Name => name;

    public bool IsDone { get; private set; }

    public Point At => _steps.Current;

    /// <summary>The chosen alternative of the current step.</summary>
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
