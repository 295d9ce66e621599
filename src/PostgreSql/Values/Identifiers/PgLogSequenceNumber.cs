using System.Globalization;

namespace Slipstream.PostgreSql;

/// <summary>A position in the write-ahead log: PostgreSQL's type pg_lsn. It counts the bytes from the beginning of the log.</summary>
public readonly struct PgLogSequenceNumber : IEquatable<PgLogSequenceNumber>, IComparable<PgLogSequenceNumber>
{
    /// <summary>The position 0, which is not valid: no record is there.</summary>
    public static readonly PgLogSequenceNumber Invalid;

    private readonly ulong _value;

    /// <summary>Creates a position.</summary>
    /// <param name="value">The number of bytes from the beginning of the log.</param>
    public PgLogSequenceNumber(ulong value) => _value = value;

    /// <summary>Returns the position with that number.</summary>
    /// <param name="value">The number of bytes from the beginning of the log.</param>
    public static explicit operator PgLogSequenceNumber(ulong value) => new(value);

    /// <summary>Returns the number of bytes from the beginning of the log.</summary>
    /// <param name="value">The position.</param>
    public static explicit operator ulong(PgLogSequenceNumber value) => value._value;

    /// <summary>Returns whether the positions are equal.</summary>
    /// <param name="value1">The first position.</param>
    /// <param name="value2">The second position.</param>
    /// <returns>True if it is.</returns>
    public static bool operator ==(PgLogSequenceNumber value1, PgLogSequenceNumber value2) => value1._value == value2._value;

    /// <summary>Returns whether the positions differ.</summary>
    /// <param name="value1">The first position.</param>
    /// <param name="value2">The second position.</param>
    /// <returns>True if it is.</returns>
    public static bool operator !=(PgLogSequenceNumber value1, PgLogSequenceNumber value2) => value1._value != value2._value;

    /// <summary>Returns whether the first position is after the second.</summary>
    /// <param name="value1">The first position.</param>
    /// <param name="value2">The second position.</param>
    /// <returns>True if it is.</returns>
    public static bool operator >(PgLogSequenceNumber value1, PgLogSequenceNumber value2) => value1._value > value2._value;

    /// <summary>Returns whether the first position is before the second.</summary>
    /// <param name="value1">The first position.</param>
    /// <param name="value2">The second position.</param>
    /// <returns>True if it is.</returns>
    public static bool operator <(PgLogSequenceNumber value1, PgLogSequenceNumber value2) => value1._value < value2._value;

    /// <summary>Returns whether the first position is not before the second.</summary>
    /// <param name="value1">The first position.</param>
    /// <param name="value2">The second position.</param>
    /// <returns>True if it is.</returns>
    public static bool operator >=(PgLogSequenceNumber value1, PgLogSequenceNumber value2) => value1._value >= value2._value;

    /// <summary>Returns whether the first position is not after the second.</summary>
    /// <param name="value1">The first position.</param>
    /// <param name="value2">The second position.</param>
    /// <returns>True if it is.</returns>
    public static bool operator <=(PgLogSequenceNumber value1, PgLogSequenceNumber value2) => value1._value <= value2._value;

    /// <summary>Returns the number of bytes between two positions, whichever is first.</summary>
    /// <param name="first">The first position.</param>
    /// <param name="second">The second position.</param>
    /// <returns>The distance in bytes.</returns>
    public static ulong operator -(PgLogSequenceNumber first, PgLogSequenceNumber second) =>
        first._value < second._value ? second._value - first._value : first._value - second._value;

    /// <summary>Returns the position a number of bytes before. Fractions of a byte are rounded towards the beginning of the log.</summary>
    /// <param name="lsn">The position.</param>
    /// <param name="nbytes">The number of bytes; it may be negative.</param>
    /// <returns>The position.</returns>
    /// <exception cref="NotFiniteNumberException">The number is NaN or infinite.</exception>
    /// <exception cref="OverflowException">The result is not a position.</exception>
    public static PgLogSequenceNumber operator -(PgLogSequenceNumber lsn, double nbytes) => Move(lsn, -nbytes);

    /// <summary>Returns the position a number of bytes after. Fractions of a byte are rounded towards the beginning of the log.</summary>
    /// <param name="lsn">The position.</param>
    /// <param name="nbytes">The number of bytes; it may be negative.</param>
    /// <returns>The position.</returns>
    /// <exception cref="NotFiniteNumberException">The number is NaN or infinite.</exception>
    /// <exception cref="OverflowException">The result is not a position.</exception>
    public static PgLogSequenceNumber operator +(PgLogSequenceNumber lsn, double nbytes) => Move(lsn, nbytes);

    /// <summary>Reads a position in PostgreSQL's text format.</summary>
    /// <param name="s">Two hexadecimal numbers of up to 32 bits with a slash between them, such as <c>16/B374D848</c>.</param>
    /// <returns>The position.</returns>
    /// <exception cref="ArgumentNullException">The text is null.</exception>
    /// <exception cref="FormatException">The text has another format.</exception>
    public static PgLogSequenceNumber Parse(string s)
    {
        ArgumentNullException.ThrowIfNull(s);
        return Parse(s.AsSpan());
    }

    /// <summary>Reads a position in PostgreSQL's text format.</summary>
    /// <param name="s">Two hexadecimal numbers of up to 32 bits with a slash between them, such as <c>16/B374D848</c>.</param>
    /// <returns>The position.</returns>
    /// <exception cref="FormatException">The text has another format.</exception>
    public static PgLogSequenceNumber Parse(ReadOnlySpan<char> s) => TryParse(s, out var result)
        ? result
        : throw new FormatException($"The text of {s.Length} characters is not a log sequence number, such as 16/B374D848.");

    /// <summary>Reads a position in PostgreSQL's text format.</summary>
    /// <param name="s">Two hexadecimal numbers of up to 32 bits with a slash between them, such as <c>16/B374D848</c>.</param>
    /// <param name="result">The position, or <see cref="Invalid"/>.</param>
    /// <returns>False if the text is null or has another format.</returns>
    public static bool TryParse(string? s, out PgLogSequenceNumber result) => TryParse(s.AsSpan(), out result);

    /// <summary>Reads a position in PostgreSQL's text format.</summary>
    /// <param name="s">Two hexadecimal numbers of up to 32 bits with a slash between them, such as <c>16/B374D848</c>.</param>
    /// <param name="result">The position, or <see cref="Invalid"/>.</param>
    /// <returns>False if the text has another format.</returns>
    public static bool TryParse(ReadOnlySpan<char> s, out PgLogSequenceNumber result)
    {
        var slash = s.IndexOf('/');
        if (slash > 0
            && uint.TryParse(s[..slash], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var high)
            && uint.TryParse(s[(slash + 1)..], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var low))
        {
            result = new((ulong)high << 32 | low);
            return true;
        }

        result = Invalid;
        return false;
    }

    /// <summary>Returns the later of two positions.</summary>
    /// <param name="value1">The first position.</param>
    /// <param name="value2">The second position.</param>
    /// <returns>The later position.</returns>
    public static PgLogSequenceNumber Larger(PgLogSequenceNumber value1, PgLogSequenceNumber value2) => value1 > value2 ? value1 : value2;

    /// <summary>Returns the earlier of two positions.</summary>
    /// <param name="value1">The first position.</param>
    /// <param name="value2">The second position.</param>
    /// <returns>The earlier position.</returns>
    public static PgLogSequenceNumber Smaller(PgLogSequenceNumber value1, PgLogSequenceNumber value2) => value1 < value2 ? value1 : value2;

    /// <summary>Returns whether the positions are equal.</summary>
    /// <param name="other">The other position.</param>
    /// <returns>True if they are equal.</returns>
    public bool Equals(PgLogSequenceNumber other) => _value == other._value;

    /// <summary>Compares two positions.</summary>
    /// <param name="value">The other position.</param>
    /// <returns>A negative number if this position is before the other, 0 if they are equal, and otherwise a positive number.</returns>
    public int CompareTo(PgLogSequenceNumber value) => _value.CompareTo(value._value);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is PgLogSequenceNumber other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => _value.GetHashCode();

    /// <summary>Returns the position in PostgreSQL's text format, such as <c>16/B374D848</c>.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{_value >> 32:X}/{(uint)_value:X}");

    private static PgLogSequenceNumber Move(PgLogSequenceNumber lsn, double nbytes)
    {
        if (!double.IsFinite(nbytes))
            throw new NotFiniteNumberException("NaN and infinity are not numbers of bytes, by which a log sequence number can be moved.", nbytes);
        return new(checked((ulong)(lsn._value + (Int128)Math.Floor(nbytes))));
    }
}
