using System.Globalization;

namespace Slipstream.PostgreSql;

/// <summary>A circle: PostgreSQL's type circle.</summary>
public struct PgCircle : IEquatable<PgCircle>
{
    /// <summary>Creates a circle.</summary>
    /// <param name="center">The center.</param>
    /// <param name="radius">The radius. The server refuses a negative one.</param>
    public PgCircle(PgPoint center, double radius) : this(center.X, center.Y, radius)
    {
    }

    /// <summary>Creates a circle.</summary>
    /// <param name="x">The x coordinate of the center.</param>
    /// <param name="y">The y coordinate of the center.</param>
    /// <param name="radius">The radius. The server refuses a negative one.</param>
    public PgCircle(double x, double y, double radius) => (X, Y, Radius) = (x, y, radius);

    /// <summary>Gets or sets the x coordinate of the center.</summary>
    public double X { get; set; }

    /// <summary>Gets or sets the y coordinate of the center.</summary>
    public double Y { get; set; }

    /// <summary>Gets or sets the radius.</summary>
    public double Radius { get; set; }

    /// <summary>Gets or sets the center.</summary>
    public PgPoint Center
    {
        readonly get => new(X, Y);
        set => (X, Y) = value;
    }

    /// <summary>Returns whether center and radius are equal.</summary>
    /// <param name="x">The first value.</param>
    /// <param name="y">The second value.</param>
    /// <returns>True if they are equal.</returns>
    public static bool operator ==(PgCircle x, PgCircle y) => x.Equals(y);

    /// <summary>Returns whether the values differ.</summary>
    /// <param name="x">The first value.</param>
    /// <param name="y">The second value.</param>
    /// <returns>True if they differ.</returns>
    public static bool operator !=(PgCircle x, PgCircle y) => !x.Equals(y);

    /// <summary>Returns whether center and radius are equal.</summary>
    /// <param name="other">The other value.</param>
    /// <returns>True if they are equal.</returns>
    public readonly bool Equals(PgCircle other) => X == other.X && Y == other.Y && Radius == other.Radius;

    /// <inheritdoc/>
    public override readonly bool Equals(object? obj) => obj is PgCircle other && Equals(other);

    /// <inheritdoc/>
    public override readonly int GetHashCode() => HashCode.Combine(X, Y, Radius);

    /// <summary>Returns the coordinates of the center, and the radius.</summary>
    /// <param name="x">The x coordinate of the center.</param>
    /// <param name="y">The y coordinate of the center.</param>
    /// <param name="radius">The radius.</param>
    public readonly void Deconstruct(out double x, out double y, out double radius) => (x, y, radius) = (X, Y, Radius);

    /// <summary>Returns the center and the radius.</summary>
    /// <param name="center">The center.</param>
    /// <param name="radius">The radius.</param>
    public readonly void Deconstruct(out PgPoint center, out double radius) => (center, radius) = (Center, Radius);

    /// <summary>Returns the value in PostgreSQL's text format, such as <c>&lt;(1,2),3&gt;</c>.</summary>
    /// <returns>The text.</returns>
    public override readonly string ToString() => string.Create(CultureInfo.InvariantCulture, $"<({X},{Y}),{Radius}>");
}
