namespace Slipstream.PostgreSql.Codecs;

/// <summary>
/// Reads a date, time or interval that the server wrote with DateStyle ISO and IntervalStyle postgres. The first unexpected character sets
/// <see cref="Failed"/>; <see cref="End"/> reports it once.
/// </summary>
internal ref struct TextCursor(ReadOnlySpan<byte> text)
{
    // TimeSpan.MaxValue has 256,204,778 hours.
    private const int MaxHours = 256_204_777;

    private readonly ReadOnlySpan<byte> _text = text;
    private int _at;

    public bool Failed { get; private set; }

    /// <summary>Gets the next character, or zero at the end.</summary>
    public readonly byte Peek => _at < _text.Length ? _text[_at] : (byte)0;

    public readonly bool AtEnd => _at == _text.Length;

    /// <summary>True if a time had more hours than a <see cref="TimeSpan"/> can hold. An interval may have, and its ticks would overflow.</summary>
    public bool TooLong { get; private set; }

    public void Fail() => Failed = true;

    /// <summary>Takes <paramref name="expected"/> if it is next.</summary>
    public bool Take(char expected)
    {
        if (Peek != expected)
            return false;
        _at++;
        return true;
    }

    /// <summary>Takes <paramref name="expected"/> if it is next.</summary>
    public bool Take(ReadOnlySpan<byte> expected)
    {
        if (!_text[_at..].StartsWith(expected))
            return false;
        _at += expected.Length;
        return true;
    }

    public void Expect(char expected)
    {
        if (!Take(expected))
            Failed = true;
    }

    /// <summary>Reads an unsigned number of all digits that follow, at most nine.</summary>
    public int Number(int minDigits = 1)
    {
        var number = 0;
        var digits = 0;
        for (; digits < 9 && (uint)(Peek - '0') <= 9; digits++)
            number = number * 10 + (_text[_at++] - '0');
        if (digits < minDigits)
            Failed = true;
        return number;
    }

    /// <summary>Reads an unsigned number of all digits that follow, at most ten: a part of an interval.</summary>
    public long LongNumber()
    {
        var number = 0L;
        var digits = 0;
        for (; digits < 10 && (uint)(Peek - '0') <= 9; digits++)
            number = number * 10 + (_text[_at++] - '0');
        if (digits == 0)
            Failed = true;
        return number;
    }

    /// <summary>
    /// Reads "2026-11-21" and returns the ticks at midnight. A year has four or more digits. A date that .NET cannot hold has its own exception.
    /// </summary>
    public long Date()
    {
        var year = Number(minDigits: 4);
        Expect('-');
        var month = Number(minDigits: 2);
        Expect('-');
        var day = Number(minDigits: 2);
        if (_text.EndsWith(" BC"u8) || year > 9999)
            throw Dates.OutOfRange("date");
        if (Failed || year == 0 || month is 0 or > 12 || day == 0 || day > DateTime.DaysInMonth(year, month))
        {
            Failed = true;
            return 0;
        }

        return new DateTime(year, month, day).Ticks;
    }

    /// <summary>Reads "06:05:02.123456" and returns ticks. There may be more than 24 hours.</summary>
    public long Time()
    {
        long hours = Number(minDigits: 2);
        if (hours > MaxHours)
        {
            TooLong = true;
            hours = 0;
        }

        return hours * TimeSpan.TicksPerHour + AfterHours();
    }

    /// <summary>Reads ":05:02.123456", which follows the hours, and returns ticks.</summary>
    public long AfterHours()
    {
        Expect(':');
        var minutes = Number(minDigits: 2);
        Expect(':');
        var seconds = Number(minDigits: 2);
        if (minutes > 59 || seconds > 60)
            Failed = true;
        var ticks = minutes * TimeSpan.TicksPerMinute + seconds * TimeSpan.TicksPerSecond;
        if (!Take('.'))
            return ticks;

        var unit = TimeSpan.TicksPerSecond / 10;
        if ((uint)(Peek - '0') > 9)
            Failed = true;
        for (; (uint)(Peek - '0') <= 9; unit /= 10)
            ticks += (_text[_at++] - '0') * unit;
        return ticks;
    }

    /// <summary>Reads "+02", "-03:30" or "+00:19:32" and returns ticks east of Greenwich.</summary>
    public long Zone()
    {
        var west = Peek == '-';
        if (!west && Peek != '+')
            Failed = true;
        _at++;
        var ticks = Number(minDigits: 2) * TimeSpan.TicksPerHour;
        if (Take(':'))
            ticks += Number(minDigits: 2) * TimeSpan.TicksPerMinute;
        if (Take(':'))
            ticks += Number(minDigits: 2) * TimeSpan.TicksPerSecond;
        return west ? -ticks : ticks;
    }

    /// <exception cref="FormatException">The text has an unexpected character, or more characters follow.</exception>
    public readonly void End(string type)
    {
        if (Failed || TooLong || !AtEnd)
            throw new FormatException($"The server sent a value of type {type} as text that is not in DateStyle ISO and IntervalStyle postgres: " +
                "check whether the session, the role or the database sets another style.");
    }
}
