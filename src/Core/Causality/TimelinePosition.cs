using System.Globalization;

namespace Slipstream.Core.Causality;

/// <summary>
/// A place in the log of a cluster whose log branches with each promotion. Source: PostgreSQL 18, 25.3.6 "Timelines", 8.20 "pg_lsn Type".
/// </summary>
/// <param name="cluster">Identifies the cluster.</param>
/// <param name="timeline">The branch of the log.</param>
/// <param name="offset">The number of bytes of the log before this place.</param>
internal sealed class TimelinePosition(ulong cluster, uint timeline, ulong offset) : LogPosition
{
    private const int HalfBits = 32;

    /// <summary>Identifies the cluster.</summary>
    public ulong Cluster => cluster;

    /// <summary>The branch of the log.</summary>
    public uint Timeline => timeline;

    /// <summary>The place in the server's notation, such as <c>16/B374D848</c>.</summary>
    public string Place => string.Create(CultureInfo.InvariantCulture, $"{offset >> HalfBits:X}/{(uint)offset:X}");

    /// <summary>Reads the notation of a token; null if it is malformed.</summary>
    /// <param name="text">The text: <c>7312345678901234567.1.16-B374D848</c>.</param>
    public static TimelinePosition? Parse(ReadOnlySpan<char> text)
    {
        Span<Range> parts = stackalloc Range[4];
        return text.Split(parts, '.') == 3 ? Read(text[parts[0]], text[parts[1]], NumberStyles.None, text[parts[2]], '-') : null;
    }

    /// <summary>Reads a position that a server has reported in three texts; null if they are malformed.</summary>
    /// <param name="cluster">The identifier of the cluster, in decimal digits.</param>
    /// <param name="timeline">The timeline.</param>
    /// <param name="style">How the timeline is written.</param>
    /// <param name="place">The place: two numbers in hexadecimal digits.</param>
    /// <param name="separator">The separator of the two numbers.</param>
    public static TimelinePosition? Read(
        ReadOnlySpan<char> cluster, ReadOnlySpan<char> timeline, NumberStyles style, ReadOnlySpan<char> place, char separator = '/')
    {
        Span<Range> halves = stackalloc Range[3];
        return place.Split(halves, separator) == 2
            && ulong.TryParse(cluster, NumberStyles.None, CultureInfo.InvariantCulture, out var identifier)
            && uint.TryParse(timeline, style, CultureInfo.InvariantCulture, out var branch)
            && uint.TryParse(place[halves[0]], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var high)
            && uint.TryParse(place[halves[1]], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var low)
            ? new(identifier, branch, ((ulong)high << HalfBits) | low) : null;
    }

    // A later branch may have begun before the place, without what was written there.
    /// <inheritdoc/>
    public override bool Covers(LogPosition other) =>
        other is TimelinePosition position && position.Cluster == cluster && position.Timeline == timeline && Offset >= position.Offset;

    // A server that still executes an earlier branch goes on with the next one.
    /// <inheritdoc/>
    public override bool MayReach(LogPosition other) =>
        other is TimelinePosition position && position.Cluster == cluster && position.Timeline >= timeline;

    /// <inheritdoc/>
    public override LogPosition Join(LogPosition other) =>
        other is not TimelinePosition position || position.Cluster != cluster ? Unknown
        : position.Timeline > timeline || (position.Timeline == timeline && position.Offset > Offset) ? position : this;

    /// <inheritdoc/>
    public override string ToString() =>
        WriteToken.OfTimeline + string.Join('.', cluster.ToString(CultureInfo.InvariantCulture), timeline.ToString(CultureInfo.InvariantCulture), Place)
            .Replace('/', '-');

    private ulong Offset => offset;
}
