using System.Globalization;

namespace Slipstream.PostgreSql;

/// <summary>A point on a plane: PostgreSQL's type point.</summary>
public struct PgPoint : IEquatable<PgPoint>
{
    /// <summary>Creates a point.</summary>
    /// <param name="x">The x coordinate.</param>
    /// <param name="y">The y coordinate.</param>
    public PgPoint(double x, double y) => (X, Y) = (x, y);

    /// <summary>Gets or sets the x coordinate.</summary>
    public double X { get; set; }

    /// <summary>Gets or sets the y coordinate.</summary>
    public double Y { get; set; }

    /// <summary>Returns whether the coordinates are equal. NaN is not equal to anything.</summary>
    /// <param name="x">The first value.</param>
    /// <param name="y">The second value.</param>
    /// <returns>True if they are equal.</returns>
    public static bool operator ==(PgPoint x, PgPoint y) => x.Equals(y);

    /// <summary>Returns whether the values differ.</summary>
    /// <param name="x">The first value.</param>
    /// <param name="y">The second value.</param>
    /// <returns>True if they differ.</returns>
    public static bool operator !=(PgPoint x, PgPoint y) => !x.Equals(y);

    /// <summary>Returns whether the coordinates are equal. NaN is not equal to anything.</summary>
    /// <param name="other">The other value.</param>
    /// <returns>True if they are equal.</returns>
    public readonly bool Equals(PgPoint other) => X == other.X && Y == other.Y;

    /// <inheritdoc/>
    public override readonly bool Equals(object? obj) => obj is PgPoint other && Equals(other);

    /// <inheritdoc/>
    public override readonly int GetHashCode() => HashCode.Combine(X, Y);

    /// <summary>Returns the coordinates.</summary>
    /// <param name="x">The x coordinate.</param>
    /// <param name="y">The y coordinate.</param>
    public readonly void Deconstruct(out double x, out double y) => (x, y) = (X, Y);

    /// <summary>Returns the value in PostgreSQL's text format, such as <c>(1.5,-2)</c>.</summary>
    /// <returns>The text.</returns>
    public override readonly string ToString() => string.Create(CultureInfo.InvariantCulture, $"({X},{Y})");
}
