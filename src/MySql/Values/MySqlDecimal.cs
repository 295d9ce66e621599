using System.Globalization;

namespace Slipstream.MySql;

/// <summary>A DECIMAL with all its digits: up to 65, where <see cref="decimal"/> holds 28.</summary>
public readonly struct MySqlDecimal : IEquatable<MySqlDecimal>
{
    private const int MostDigits = 65;
    private readonly string? _text;

    /// <summary>Keeps a number as the server wrote it.</summary>
    /// <exception cref="FormatException">The text is not a number as the server writes DECIMAL.</exception>
    internal MySqlDecimal(string text) => _text = IsNumber(text) ? text : throw new FormatException($"A DECIMAL column holds {text.Length} characters that are not a number.");

    /// <summary>Gets the value as a <see cref="decimal"/>. Digits beyond its precision are rounded.</summary>
    /// <exception cref="OverflowException">It has more digits than a decimal can hold.</exception>
    public decimal Value => decimal.Parse(ToString(), NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture);

    /// <summary>The nearest double.</summary>
    public double ToDouble() => double.Parse(ToString(), NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture);

    /// <summary>All digits, as the server wrote them.</summary>
    public override string ToString() => _text ?? "0";

    /// <summary>Whether both have the same digits as the server wrote them.</summary>
    public bool Equals(MySqlDecimal other) => ToString() == other.ToString();

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is MySqlDecimal other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => ToString().GetHashCode(StringComparison.Ordinal);

    /// <summary>Whether both have the same digits as the server wrote them.</summary>
    public static bool operator ==(MySqlDecimal left, MySqlDecimal right) => left.Equals(right);

    /// <summary>Whether their digits differ.</summary>
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

        // 66: a leading zero before the point is not one of the 65.
        return digits is > 0 and <= MostDigits + 1 && points <= 1;
    }
}
