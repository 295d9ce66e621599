namespace Slipstream.Equivalence.Running;

/// <summary>What one configuration was told, step by step.</summary>
internal sealed class Trace
{
    /// <summary>Behind the last step: the tables at the end.</summary>
    public const int AtEnd = int.MaxValue;

    private readonly List<Observation> _observations = [];

    public IReadOnlyList<Observation> Observations => _observations;

    /// <summary>What is wrong by itself, whatever the other side shows: a lease that began unlike a new session, a told outcome that the tables contradict.</summary>
    public IEnumerable<Observation> Violations => _observations.Where(static observation => observation.IsViolation);

    public void Add(int step, string text) => _observations.Add(new(step, text, false));

    public void Violation(int step, string text) => _observations.Add(new(step, text, true));
}

/// <summary>One thing that was told.</summary>
/// <param name="Step">At which step.</param>
/// <param name="Text">In canonical words.</param>
/// <param name="IsViolation">Wrong by itself.</param>
internal readonly record struct Observation(int Step, string Text, bool IsViolation);
