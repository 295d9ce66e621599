namespace Slipstream.PostgreSql;

/// <summary>A line segment between two points: PostgreSQL's type lseg.</summary>
public struct PgLSeg : IEquatable<PgLSeg>
{
    /// <summary>Creates a line segment.</summary>
    /// <param name="start">The start point.</param>
    /// <param name="end">The end point.</param>
    public PgLSeg(PgPoint start, PgPoint end) => (Start, End) = (start, end);

    /// <summary>Creates a line segment.</summary>
    /// <param name="startx">The x coordinate of the start point.</param>
    /// <param name="starty">The y coordinate of the start point.</param>
    /// <param name="endx">The x coordinate of the end point.</param>
    /// <param name="endy">The y coordinate of the end point.</param>
    public PgLSeg(double startx, double starty, double endx, double endy) : this(new(startx, starty), new(endx, endy))
    {
    }

    /// <summary>Gets or sets the start point.</summary>
    public PgPoint Start { get; set; }

    /// <summary>Gets or sets the end point.</summary>
    public PgPoint End { get; set; }

    /// <summary>Returns whether both points are equal. The direction counts.</summary>
    /// <param name="x">The first value.</param>
    /// <param name="y">The second value.</param>
    /// <returns>True if they are equal.</returns>
    public static bool operator ==(PgLSeg x, PgLSeg y) => x.Equals(y);

    /// <summary>Returns whether the values differ.</summary>
    /// <param name="x">The first value.</param>
    /// <param name="y">The second value.</param>
    /// <returns>True if they differ.</returns>
    public static bool operator !=(PgLSeg x, PgLSeg y) => !x.Equals(y);

    /// <summary>Returns whether both points are equal. The direction counts.</summary>
    /// <param name="other">The other value.</param>
    /// <returns>True if they are equal.</returns>
    public readonly bool Equals(PgLSeg other) => Start == other.Start && End == other.End;

    /// <inheritdoc/>
    public override readonly bool Equals(object? obj) => obj is PgLSeg other && Equals(other);

    /// <inheritdoc/>
    public override readonly int GetHashCode() => HashCode.Combine(Start, End);

    /// <summary>Returns the points.</summary>
    /// <param name="start">The start point.</param>
    /// <param name="end">The end point.</param>
    public readonly void Deconstruct(out PgPoint start, out PgPoint end) => (start, end) = (Start, End);

    /// <summary>Returns the value in PostgreSQL's text format, such as <c>[(1,2),(3,4)]</c>.</summary>
    /// <returns>The text.</returns>
    public override readonly string ToString() => $"[{Start},{End}]";
}
