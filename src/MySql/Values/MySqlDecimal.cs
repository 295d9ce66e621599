using System.Globalization;

namespace Slipstream.MySql;

/// <summary>A DECIMAL with all its digits: up to 65. A <see cref="decimal"/> holds 28.</summary>
public readonly struct MySqlDecimal : IEquatable<MySqlDecimal>
{
    private const int MaxDigits = 65;
    private readonly string? _text;

    /// <summary>Stores a number in the server's format.</summary>
    /// <exception cref="FormatException">The text is not a DECIMAL in the server's format.</exception>
    internal MySqlDecimal(string text) => _text = IsNumber(text) ? text : throw new FormatException($"A DECIMAL column contains {text.Length} characters "
        + "that are not a number.");

    /// <summary>Gets the value as a <see cref="decimal"/>. Digits beyond its precision are rounded.</summary>
    /// <exception cref="OverflowException">The value is out of the range of a decimal.</exception>
    public decimal Value => decimal.Parse(ToString(), NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture);

    /// <summary>Returns the nearest double.</summary>
    /// <returns>The number.</returns>
    public double ToDouble() => double.Parse(ToString(), NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture);

    /// <summary>Returns all digits in the server's format.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => _text ?? "0";

    /// <summary>Returns whether both have the same digits in the server's format.</summary>
    /// <param name="other">The other value.</param>
    /// <returns>True if they are equal.</returns>
    public bool Equals(MySqlDecimal other) => ToString() == other.ToString();

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is MySqlDecimal other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => ToString().GetHashCode(StringComparison.Ordinal);

    /// <summary>Returns whether both have the same digits in the server's format.</summary>
    /// <param name="left">The left value.</param>
    /// <param name="right">The right value.</param>
    /// <returns>True if they are equal.</returns>
    public static bool operator ==(MySqlDecimal left, MySqlDecimal right) => left.Equals(right);

    /// <summary>Returns whether their digits differ.</summary>
    /// <param name="left">The left value.</param>
    /// <param name="right">The right value.</param>
    /// <returns>True if they differ.</returns>
    public static bool operator !=(MySqlDecimal left, MySqlDecimal right) => !left.Equals(right);

    private static bool IsNumber(string text)
    {
        var digits = 0;
        var points = 0;
        for (var at = text.StartsWith('-') ? 1 : 0; at < text.Length; at++)
        {
            if (char.IsAsciiDigit(text[at]))
                digits++;
            else if (text[at] == '.')
                points++;
            else
                return false;
        }

        // 66 digits: a leading zero before the point does not count as one of the 65.
        return digits is > 0 and <= MaxDigits + 1 && points <= 1;
    }
}
