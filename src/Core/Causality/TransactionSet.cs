using System.Globalization;
using System.Text;

namespace Slipstream.Core.Causality;

/// <summary>
/// A set of global transaction identifiers: for each source, and each tag of it, the numbers of its transactions. Source: MySQL 9.7 Reference Manual,
/// "GTID Format and Storage".
/// </summary>
internal sealed class TransactionSet : LogPosition
{
    /// <summary>
    /// The largest number of intervals of a position that a caller has written, so that its text fits into a cookie. With more, the smallest gaps are closed:
    /// the position then demands more than was written, never less.
    /// </summary>
    public const int MostIntervals = 32;

    private const int UuidLength = 36;
    private const int LongestTag = 32;
    private const char AfterSource = ':';

    // Sorted by source.
    private readonly (string Source, Interval[] Intervals)[] _sources;

    private TransactionSet((string, Interval[])[] sources) => _sources = sources;

    /// <summary>Reads the notation of servers and tokens; null if it is malformed or the set is empty.</summary>
    /// <param name="text">The text: <c>uuid:1-5:7,uuid:tag:1</c>.</param>
    /// <param name="separator">The separator between two sources.</param>
    public static TransactionSet? Parse(ReadOnlySpan<char> text, char separator)
    {
        SortedDictionary<string, List<Interval>> sources = new(StringComparer.Ordinal);
        foreach (var range in text.Split(separator))
        {
            var part = text[range].Trim();
            // A server may leave a separator at the end.
            if (!part.IsEmpty && !TryRead(part, sources))
                return null;
        }

        return sources.Count == 0 ? null : Of(sources);
    }

    /// <inheritdoc/>
    public override bool Covers(LogPosition other)
    {
        if (other is not TransactionSet set)
            return false;
        var at = 0;
        foreach (var (source, intervals) in set._sources)
        {
            while (at < _sources.Length && string.CompareOrdinal(_sources[at].Source, source) < 0)
                at++;
            if (at == _sources.Length || _sources[at].Source != source || !Interval.Contain(_sources[at].Intervals, intervals))
                return false;
        }

        return true;
    }

    /// <inheritdoc/>
    public override bool MayReach(LogPosition other) => other is TransactionSet;

    /// <inheritdoc/>
    public override LogPosition Join(LogPosition other)
    {
        if (other is not TransactionSet set)
            return Unknown;
        SortedDictionary<string, List<Interval>> sources = new(StringComparer.Ordinal);
        foreach (var (source, intervals) in (ReadOnlySpan<(string, Interval[])>)[.. _sources, .. set._sources])
        {
            if (!sources.TryGetValue(source, out var known))
                sources.Add(source, known = []);
            known.AddRange(intervals);
        }

        return Of(sources).Bounded();
    }

    /// <summary>Returns a position with at most <see cref="MostIntervals"/> intervals that covers this one.</summary>
    public LogPosition Bounded()
    {
        var count = _sources.Sum(static one => one.Intervals.Length);
        if (count <= MostIntervals)
            return this;
        if (_sources.Length > MostIntervals)
            return Unknown;
        return new TransactionSet(WithLargestGaps(MostIntervals - _sources.Length));
    }

    /// <inheritdoc/>
    public override string ToString() => WriteToken.OfSet + Text(WriteToken.Separator);

    /// <summary>Returns the notation of servers, such as <c>uuid:1-5:7,uuid:tag:1</c>.</summary>
    /// <param name="separator">The separator between two sources.</param>
    public string Text(char separator = ',')
    {
        var text = new StringBuilder();
        foreach (var (source, intervals) in _sources)
        {
            if (text.Length > 0)
                text.Append(separator);
            text.Append(source);
            foreach (var (first, last) in intervals)
            {
                text.Append(CultureInfo.InvariantCulture, $"{AfterSource}{first}");
                if (last > first)
                    text.Append(CultureInfo.InvariantCulture, $"-{last}");
            }
        }

        return text.ToString();
    }

    private static TransactionSet Of(SortedDictionary<string, List<Interval>> sources) =>
        new([.. sources.Select(static one => (one.Key, Interval.Normalize(one.Value)))]);

    // A server may report very many gaps: each one is looked at once.
    private (string, Interval[])[] WithLargestGaps(int most)
    {
        PriorityQueue<(int Source, int After), long> largest = new(most + 1);
        for (var source = 0; source < _sources.Length; source++)
        {
            var intervals = _sources[source].Intervals;
            for (var at = 1; at < intervals.Length; at++)
            {
                largest.Enqueue((source, at), intervals[at].First - intervals[at - 1].Last);
                if (largest.Count > most)
                    largest.Dequeue();
            }
        }

        var open = largest.UnorderedItems.Select(static one => one.Element).ToHashSet();
        var sources = new (string, Interval[])[_sources.Length];
        for (var source = 0; source < sources.Length; source++)
        {
            var (name, intervals) = _sources[source];
            List<Interval> kept = [intervals[0]];
            for (var at = 1; at < intervals.Length; at++)
            {
                if (open.Contains((source, at)))
                    kept.Add(intervals[at]);
                else
                    kept[^1] = kept[^1] with { Last = intervals[at].Last };
            }

            sources[source] = (name, [.. kept]);
        }

        return sources;
    }

    // A source with its intervals. A tag applies to the intervals after it: uuid:1-5:tag:1-3.
    private static bool TryRead(ReadOnlySpan<char> text, SortedDictionary<string, List<Interval>> sources)
    {
        if (text.Length <= UuidLength || text[UuidLength] != AfterSource || !Guid.TryParseExact(text[..UuidLength], "D", out var uuid))
            return false;
        var source = uuid.ToString("D");
        var rest = text[(UuidLength + 1)..];
        List<Interval>? intervals = null;
        var isTagged = false;
        foreach (var range in rest.Split(AfterSource))
        {
            var item = rest[range].Trim();
            if (IsTag(item))
            {
                if (isTagged && intervals is null)
                    return false;
                (source, intervals, isTagged) = (string.Concat(uuid.ToString("D"), ":", item), null, true);
                continue;
            }

            if (!TryReadInterval(item, out var interval))
                return false;
            if (intervals is null && !sources.TryGetValue(source, out intervals))
                sources.Add(source, intervals = []);
            intervals!.Add(interval);
        }

        return intervals is not null;
    }

    private static bool IsTag(ReadOnlySpan<char> item)
    {
        if (item.Length is 0 or > LongestTag || char.IsAsciiDigit(item[0]))
            return false;
        foreach (var letter in item)
            if (letter is not ((>= 'a' and <= 'z') or (>= '0' and <= '9') or '_'))
                return false;
        return true;
    }

    private static bool TryReadInterval(ReadOnlySpan<char> item, out Interval interval)
    {
        var dash = item.IndexOf('-');
        var isRead = long.TryParse(dash < 0 ? item : item[..dash], NumberStyles.None, CultureInfo.InvariantCulture, out var first);
        var last = first;
        if (dash >= 0)
            isRead &= long.TryParse(item[(dash + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out last);
        interval = new(first, last);
        return isRead && first >= 1 && first <= last && last <= Interval.Largest;
    }
}
