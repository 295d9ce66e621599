namespace Slipstream.Equivalence.Running;

/// <summary>The observations of one configuration, by step.</summary>
internal sealed class Trace
{
    /// <summary>The step number of the tables at the end.</summary>
    public const int AtEnd = int.MaxValue;

    private readonly List<Observation> _observations = [];

    public IReadOnlyList<Observation> Observations => _observations;

    /// <summary>
    /// Gets what is wrong whatever the other side shows: a lease that began in another state than a new session, or a reported outcome that the tables
    /// contradict.
    /// </summary>
    public IEnumerable<Observation> Violations => _observations.Where(static observation => observation.IsViolation);

    /// <summary>Gets the refusals that the driver has reported, by step.</summary>
    public Dictionary<int, Refusal> Refusals { get; } = [];

    /// <summary>Returns the trace without what was observed in some steps. Violations remain.</summary>
    public Trace Without(IReadOnlyCollection<int> steps)
    {
        var rest = new Trace();
        rest._observations.AddRange(_observations.Where(observation => observation.IsViolation || !steps.Contains(observation.Step)));
        return rest;
    }

    public void Add(int step, string text) => _observations.Add(new(step, text, false));

    public void Violation(int step, string text) => _observations.Add(new(step, text, true));
}

/// <summary>An observation.</summary>
/// <param name="Step">The number of the step.</param>
/// <param name="Text">The canonical text.</param>
/// <param name="IsViolation">Whether it is wrong whatever the other side shows.</param>
internal readonly record struct Observation(int Step, string Text, bool IsViolation);
