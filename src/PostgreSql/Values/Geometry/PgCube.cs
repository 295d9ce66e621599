using System.Globalization;

namespace Slipstream.PostgreSql;

/// <summary>A cube of any number of dimensions, or a point: the type cube of the extension of that name. The server allows up to 100 dimensions.</summary>
public readonly struct PgCube : IEquatable<PgCube>
{
    private readonly double[]? _lowerLeft;
    private readonly double[]? _upperRight;

    /// <summary>Creates a point with one dimension.</summary>
    /// <param name="coord">The coordinate.</param>
    public PgCube(double coord) : this(([coord], [coord]))
    {
    }

    /// <summary>Creates a cube with one dimension.</summary>
    /// <param name="lowerLeft">The coordinate of the first corner.</param>
    /// <param name="upperRight">The coordinate of the opposite corner.</param>
    public PgCube(double lowerLeft, double upperRight) : this(([lowerLeft], [upperRight]))
    {
    }

    /// <summary>Creates a point.</summary>
    /// <param name="coords">The coordinates, which are copied.</param>
    /// <exception cref="ArgumentNullException">The coordinates are null.</exception>
    public PgCube(IEnumerable<double> coords)
    {
        _lowerLeft = [.. coords ?? throw new ArgumentNullException(nameof(coords))];
        _upperRight = _lowerLeft;
    }

    /// <summary>Creates a cube from two opposite corners.</summary>
    /// <param name="lowerLeft">The coordinates of the first corner, which are copied.</param>
    /// <param name="upperRight">The coordinates of the opposite corner, which are copied.</param>
    /// <exception cref="ArgumentNullException">A corner is null.</exception>
    /// <exception cref="ArgumentException">The corners have different numbers of dimensions.</exception>
    public PgCube(IEnumerable<double> lowerLeft, IEnumerable<double> upperRight) : this((
        [.. lowerLeft ?? throw new ArgumentNullException(nameof(lowerLeft))],
        [.. upperRight ?? throw new ArgumentNullException(nameof(upperRight))]))
    {
    }

    /// <summary>Creates a cube with one more dimension, in which both corners have the same coordinate.</summary>
    /// <param name="cube">The cube to extend.</param>
    /// <param name="coord">The coordinate of the new dimension.</param>
    public PgCube(PgCube cube, double coord) : this(cube, coord, coord)
    {
    }

    /// <summary>Creates a cube with one more dimension.</summary>
    /// <param name="cube">The cube to extend.</param>
    /// <param name="lowerLeft">The coordinate of the first corner in the new dimension.</param>
    /// <param name="upperRight">The coordinate of the opposite corner in the new dimension.</param>
    public PgCube(PgCube cube, double lowerLeft, double upperRight) : this(([.. cube.Lower, lowerLeft], [.. cube.Upper, upperRight]))
    {
    }

    private PgCube((double[] Lower, double[] Upper) corners)
    {
        if (corners.Lower.Length != corners.Upper.Length)
        {
            throw new ArgumentException($"The corners of a cube must have the same number of dimensions, not {corners.Lower.Length} and "
                + $"{corners.Upper.Length}.");
        }

        (_lowerLeft, _upperRight) = corners;
    }

    /// <summary>Gets the coordinates of the first corner.</summary>
    public IReadOnlyList<double> LowerLeft => Lower;

    /// <summary>Gets the coordinates of the opposite corner.</summary>
    public IReadOnlyList<double> UpperRight => Upper;

    /// <summary>Gets the number of dimensions.</summary>
    public int Dimensions => Lower.Length;

    /// <summary>Gets whether both corners are the same point.</summary>
    public bool IsPoint => Lower.AsSpan().SequenceEqual(Upper);

    private double[] Lower => _lowerLeft ?? [];

    private double[] Upper => _upperRight ?? [];

    /// <summary>Returns whether both corners are equal, in the same order.</summary>
    /// <param name="x">The first value.</param>
    /// <param name="y">The second value.</param>
    /// <returns>True if they are equal.</returns>
    public static bool operator ==(PgCube x, PgCube y) => x.Equals(y);

    /// <summary>Returns whether the values differ.</summary>
    /// <param name="x">The first value.</param>
    /// <param name="y">The second value.</param>
    /// <returns>True if they differ.</returns>
    public static bool operator !=(PgCube x, PgCube y) => !x.Equals(y);

    /// <summary>Returns whether both corners are equal, in the same order.</summary>
    /// <param name="other">The other value.</param>
    /// <returns>True if they are equal.</returns>
    public bool Equals(PgCube other) => Lower.AsSpan().SequenceEqual(other.Lower) && Upper.AsSpan().SequenceEqual(other.Upper);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is PgCube other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Hash();

    /// <summary>Returns a cube with some of the dimensions.</summary>
    /// <param name="indexes">The indexes of the dimensions, from 0. An index may occur several times.</param>
    /// <returns>The cube.</returns>
    /// <exception cref="ArgumentNullException">The indexes are null.</exception>
    /// <exception cref="IndexOutOfRangeException">The cube does not have such a dimension.</exception>
    public PgCube ToSubset(params int[] indexes)
    {
        ArgumentNullException.ThrowIfNull(indexes);
        var (lower, upper) = (Lower, Upper);
        return new((Array.ConvertAll(indexes, index => lower[index]), Array.ConvertAll(indexes, index => upper[index])));
    }

    /// <summary>Returns the value in PostgreSQL's text format: <c>(1, 2)</c> for a point, and otherwise <c>(1, 2),(3, 4)</c>.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => IsPoint ? Text(Lower) : $"{Text(Lower)},{Text(Upper)}";

    private static string Text(double[] corner) =>
        $"({string.Join(", ", Array.ConvertAll(corner, static number => number.ToString(CultureInfo.InvariantCulture)))})";

    private int Hash()
    {
        var hash = new HashCode();
        foreach (var number in Lower)
            hash.Add(number);
        foreach (var number in Upper)
            hash.Add(number);
        return hash.ToHashCode();
    }
}
