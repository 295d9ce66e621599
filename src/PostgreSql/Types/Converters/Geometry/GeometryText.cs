using System.Globalization;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// Reads the numbers and brackets of a geometric value in text. The first unexpected character sets <see cref="Failed"/>, and all later numbers are 0.
/// Source: PostgreSQL 18, 8.8 "Geometric Types".
/// </summary>
internal ref struct GeometryText(ReadOnlySpan<byte> text)
{
    private ReadOnlySpan<byte> _rest = text;

    public bool Failed { get; private set; }

    public readonly bool AtEnd => _rest.IsEmpty;

    /// <summary>Gets whether there is nothing wrong, and nothing left.</summary>
    public readonly bool IsComplete => !Failed && AtEnd;

    /// <summary>Takes a character if it is next.</summary>
    public bool Take(char expected)
    {
        if (Failed || AtEnd || _rest[0] != expected)
            return false;
        _rest = _rest[1..];
        return true;
    }

    public void Expect(char expected)
    {
        if (!Take(expected))
            Failed = true;
    }

    /// <summary>Reads a number, which ends before a comma or a bracket.</summary>
    public double Number()
    {
        var length = _rest.IndexOfAny(",)]}>"u8);
        if (Failed || !double.TryParse(_rest[..Math.Max(length, 0)], NumberStyles.Float, CultureInfo.InvariantCulture, out var number))
        {
            Failed = true;
            return 0;
        }

        _rest = _rest[length..];
        return number;
    }

    /// <summary>Reads "(1,2)".</summary>
    public PgPoint Point()
    {
        Expect('(');
        var x = Number();
        Expect(',');
        var y = Number();
        Expect(')');
        return new(x, y);
    }

    /// <summary>Reads "(1,2),(3,4)", at least one point.</summary>
    public List<PgPoint> Points()
    {
        List<PgPoint> points = [Point()];
        while (Take(','))
            points.Add(Point());
        return points;
    }
}
