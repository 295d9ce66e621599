using System.Globalization;

namespace Slipstream.PostgreSql;

/// <summary>An infinite line, described by the equation Ax + By + C = 0: PostgreSQL's type line.</summary>
public struct PgLine : IEquatable<PgLine>
{
    /// <summary>Creates a line. The server refuses a line whose A and B are both 0.</summary>
    /// <param name="a">The coefficient of x.</param>
    /// <param name="b">The coefficient of y.</param>
    /// <param name="c">The constant.</param>
    public PgLine(double a, double b, double c) => (A, B, C) = (a, b, c);

    /// <summary>Gets or sets the coefficient of x.</summary>
    public double A { get; set; }

    /// <summary>Gets or sets the coefficient of y.</summary>
    public double B { get; set; }

    /// <summary>Gets or sets the constant.</summary>
    public double C { get; set; }

    /// <summary>Returns whether the coefficients are equal.</summary>
    /// <param name="x">The first value.</param>
    /// <param name="y">The second value.</param>
    /// <returns>True if they are equal.</returns>
    public static bool operator ==(PgLine x, PgLine y) => x.Equals(y);

    /// <summary>Returns whether the values differ.</summary>
    /// <param name="x">The first value.</param>
    /// <param name="y">The second value.</param>
    /// <returns>True if they differ.</returns>
    public static bool operator !=(PgLine x, PgLine y) => !x.Equals(y);

    /// <summary>Returns whether the coefficients are equal.</summary>
    /// <param name="other">The other value.</param>
    /// <returns>True if they are equal.</returns>
    public readonly bool Equals(PgLine other) => A == other.A && B == other.B && C == other.C;

    /// <inheritdoc/>
    public override readonly bool Equals(object? obj) => obj is PgLine other && Equals(other);

    /// <inheritdoc/>
    public override readonly int GetHashCode() => HashCode.Combine(A, B, C);

    /// <summary>Returns the coefficients.</summary>
    /// <param name="a">The coefficient of x.</param>
    /// <param name="b">The coefficient of y.</param>
    /// <param name="c">The constant.</param>
    public readonly void Deconstruct(out double a, out double b, out double c) => (a, b, c) = (A, B, C);

    /// <summary>Returns the value in PostgreSQL's text format, such as <c>{1,2,3}</c>.</summary>
    /// <returns>The text.</returns>
    public override readonly string ToString() => string.Create(CultureInfo.InvariantCulture, $"{{{A},{B},{C}}}");
}
