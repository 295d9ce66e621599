namespace Slipstream.PostgreSql;

/// <summary>A rectangle with sides parallel to the axes: PostgreSQL's type box.</summary>
public struct PgBox : IEquatable<PgBox>
{
    private PgPoint _upperRight;
    private PgPoint _lowerLeft;

    /// <summary>Creates a box from two opposite corners. Like the server, it exchanges coordinates that are in the wrong order.</summary>
    /// <param name="upperRight">The upper right corner.</param>
    /// <param name="lowerLeft">The lower left corner.</param>
    public PgBox(PgPoint upperRight, PgPoint lowerLeft)
    {
        (_upperRight, _lowerLeft) = (upperRight, lowerLeft);
        Normalize();
    }

    /// <summary>Creates a box from its sides. Like the server, it exchanges coordinates that are in the wrong order.</summary>
    /// <param name="top">The y coordinate of the upper side.</param>
    /// <param name="right">The x coordinate of the right side.</param>
    /// <param name="bottom">The y coordinate of the lower side.</param>
    /// <param name="left">The x coordinate of the left side.</param>
    public PgBox(double top, double right, double bottom, double left) : this(new(right, top), new(left, bottom))
    {
    }

    /// <summary>Gets or sets the upper right corner. If it is below or left of the other corner, the coordinates are exchanged.</summary>
    public PgPoint UpperRight
    {
        readonly get => _upperRight;
        set
        {
            _upperRight = value;
            Normalize();
        }
    }

    /// <summary>Gets or sets the lower left corner. If it is above or right of the other corner, the coordinates are exchanged.</summary>
    public PgPoint LowerLeft
    {
        readonly get => _lowerLeft;
        set
        {
            _lowerLeft = value;
            Normalize();
        }
    }

    /// <summary>Gets the x coordinate of the left side.</summary>
    public readonly double Left => _lowerLeft.X;

    /// <summary>Gets the x coordinate of the right side.</summary>
    public readonly double Right => _upperRight.X;

    /// <summary>Gets the y coordinate of the lower side.</summary>
    public readonly double Bottom => _lowerLeft.Y;

    /// <summary>Gets the y coordinate of the upper side.</summary>
    public readonly double Top => _upperRight.Y;

    /// <summary>Gets the width.</summary>
    public readonly double Width => Right - Left;

    /// <summary>Gets the height.</summary>
    public readonly double Height => Top - Bottom;

    /// <summary>Gets whether the width or the height is 0.</summary>
    public readonly bool IsEmpty => Width == 0 || Height == 0;

    /// <summary>Returns whether both corners are equal.</summary>
    /// <param name="x">The first value.</param>
    /// <param name="y">The second value.</param>
    /// <returns>True if they are equal.</returns>
    public static bool operator ==(PgBox x, PgBox y) => x.Equals(y);

    /// <summary>Returns whether the values differ.</summary>
    /// <param name="x">The first value.</param>
    /// <param name="y">The second value.</param>
    /// <returns>True if they differ.</returns>
    public static bool operator !=(PgBox x, PgBox y) => !x.Equals(y);

    /// <summary>Returns whether both corners are equal.</summary>
    /// <param name="other">The other value.</param>
    /// <returns>True if they are equal.</returns>
    public readonly bool Equals(PgBox other) => _upperRight == other._upperRight && _lowerLeft == other._lowerLeft;

    /// <inheritdoc/>
    public override readonly bool Equals(object? obj) => obj is PgBox other && Equals(other);

    /// <inheritdoc/>
    public override readonly int GetHashCode() => HashCode.Combine(_upperRight, _lowerLeft);

    /// <summary>Returns the corners.</summary>
    /// <param name="lowerLeft">The lower left corner.</param>
    /// <param name="upperRight">The upper right corner.</param>
    public readonly void Deconstruct(out PgPoint lowerLeft, out PgPoint upperRight) => (lowerLeft, upperRight) = (_lowerLeft, _upperRight);

    /// <summary>Returns the sides.</summary>
    /// <param name="left">The x coordinate of the left side.</param>
    /// <param name="right">The x coordinate of the right side.</param>
    /// <param name="bottom">The y coordinate of the lower side.</param>
    /// <param name="top">The y coordinate of the upper side.</param>
    public readonly void Deconstruct(out double left, out double right, out double bottom, out double top) =>
        (left, right, bottom, top) = (Left, Right, Bottom, Top);

    /// <summary>Returns the sides and the size.</summary>
    /// <param name="left">The x coordinate of the left side.</param>
    /// <param name="right">The x coordinate of the right side.</param>
    /// <param name="bottom">The y coordinate of the lower side.</param>
    /// <param name="top">The y coordinate of the upper side.</param>
    /// <param name="width">The width.</param>
    /// <param name="height">The height.</param>
    public readonly void Deconstruct(out double left, out double right, out double bottom, out double top, out double width, out double height) =>
        (left, right, bottom, top, width, height) = (Left, Right, Bottom, Top, Width, Height);

    /// <summary>Returns the value in PostgreSQL's text format, such as <c>(3,4),(1,2)</c>.</summary>
    /// <returns>The text.</returns>
    public override readonly string ToString() => $"{_upperRight},{_lowerLeft}";

    private void Normalize()
    {
        if (_upperRight.X < _lowerLeft.X)
            (_upperRight.X, _lowerLeft.X) = (_lowerLeft.X, _upperRight.X);
        if (_upperRight.Y < _lowerLeft.Y)
            (_upperRight.Y, _lowerLeft.Y) = (_lowerLeft.Y, _upperRight.Y);
    }
}
