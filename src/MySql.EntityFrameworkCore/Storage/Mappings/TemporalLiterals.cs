using System.Globalization;

namespace Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

/// <summary>Writes literals of dates and times.</summary>
internal static class TemporalLiterals
{
    // time(6): MySQL Reference Manual, "The TIME Type".
    private static readonly TimeSpan Longest = new(838, 59, 59);

    public static string Timestamp(DateTime value, int? precision) =>
        $"TIMESTAMP '{value.ToString("yyyy-MM-dd HH:mm:ss" + Fraction(precision), CultureInfo.InvariantCulture)}'";

    public static string Time(TimeSpan value, int? precision)
    {
        if (value.Duration() > Longest)
            throw new ArgumentOutOfRangeException(
                nameof(value), value, $"The type time holds -838:59:59 to 838:59:59, not {value}. Map the property to a number of ticks, for example.");
        var rest = value.Duration();
        var fraction = Fraction(precision);
        var sign = value < TimeSpan.Zero ? "-" : "";
        var digits = fraction.Length == 0 ? "" : new DateTime(rest.Ticks).ToString(fraction, CultureInfo.InvariantCulture);
        return string.Create(CultureInfo.InvariantCulture, $"TIME '{sign}{(int)rest.TotalHours:00}:{rest.Minutes:00}:{rest.Seconds:00}{digits}'");
    }

    private static string Fraction(int? precision) => precision switch
    {
        0 => "",
        > 0 and < 6 => "." + new string('f', precision.Value),
        _ => ".ffffff",
    };
}
