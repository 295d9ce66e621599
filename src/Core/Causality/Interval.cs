namespace Slipstream.Core.Causality;

/// <summary>Transactions with consecutive numbers.</summary>
/// <param name="First">The first number.</param>
/// <param name="Last">The last number, at least <paramref name="First"/>.</param>
internal readonly record struct Interval(long First, long Last)
{
    /// <summary>The largest number of a transaction.</summary>
    public const long Largest = long.MaxValue - 1;

    /// <summary>Sorts intervals, and joins those that overlap or touch.</summary>
    public static Interval[] Normalize(List<Interval> intervals)
    {
        intervals.Sort(static (one, other) => one.First.CompareTo(other.First));
        var count = 0;
        for (var at = 0; at < intervals.Count; at++)
        {
            if (count > 0 && intervals[at].First <= intervals[count - 1].Last + 1)
                intervals[count - 1] = intervals[count - 1] with { Last = Math.Max(intervals[count - 1].Last, intervals[at].Last) };
            else
                intervals[count++] = intervals[at];
        }

        intervals.RemoveRange(count, intervals.Count - count);
        return [.. intervals];
    }

    /// <summary>Returns whether normalized intervals contain all numbers of other ones.</summary>
    public static bool Contain(ReadOnlySpan<Interval> intervals, ReadOnlySpan<Interval> others)
    {
        var at = 0;
        foreach (var other in others)
        {
            while (at < intervals.Length && intervals[at].Last < other.First)
                at++;
            if (at == intervals.Length || intervals[at].First > other.First || intervals[at].Last < other.Last)
                return false;
        }

        return true;
    }
}
