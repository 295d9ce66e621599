using Slipstream.Equivalence.Running;

namespace Slipstream.Equivalence.Comparing;

/// <summary>The first difference between the observations of two configurations, or a violation that one of them shows.</summary>
/// <param name="Step">The number of the step; <see cref="Trace.AtEnd"/> for the tables at the end.</param>
/// <param name="First">The observation of the first side.</param>
/// <param name="Second">The observation of the second side.</param>
internal sealed record Difference(int Step, string First, string Second)
{
    /// <summary>Returns the first difference, or null.</summary>
    public static Difference? Between(Trace first, Trace second, Pair pair)
    {
        foreach (var trace in (Trace[])[first, second])
            if (trace.Violations.FirstOrDefault(violation => !Allowed.LeavesOut(violation.Text, pair)) is { Text: { } text } violation)
                return new(violation.Step, ReferenceEquals(trace, first) ? text : "", ReferenceEquals(trace, second) ? text : "");
        var left = first.Observations.Where(observation => !observation.IsViolation && !Allowed.LeavesOut(observation.Text, pair)).ToList();
        var right = second.Observations.Where(observation => !observation.IsViolation && !Allowed.LeavesOut(observation.Text, pair)).ToList();
        var keys = new Keys();
        for (var i = 0; i < Math.Max(left.Count, right.Count); i++)
        {
            var (one, other) = (i < left.Count ? left[i] : default, i < right.Count ? right[i] : default);
            if (one.Step == other.Step && keys.AreSame(one.Text, other.Text))
                continue;
            // The difference is at the earlier of the two steps.
            var step = Math.Min(i < left.Count ? one.Step : Trace.AtEnd, i < right.Count ? other.Step : Trace.AtEnd);
            return new(step, one.Step == step ? one.Text ?? "" : "(nothing)", other.Step == step ? other.Text ?? "" : "(nothing)");
        }

        return null;
    }
}
