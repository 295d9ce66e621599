using System.Diagnostics.CodeAnalysis;

namespace Microsoft.EntityFrameworkCore;

/// <summary>Functions of MySQL and MariaDB for queries, on values of any type, for example <c>EF.Functions.Hex(a)</c>.</summary>
public static class MySqlServerFunctionsExtensions
{
    /// <summary>Returns the hexadecimal digits of a value: HEX. For a text, the digits of its bytes; for a number, those of the nearest integer.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="_">The functions.</param>
    /// <param name="value">The value.</param>
    /// <returns>The digits; null if the value is null.</returns>
    [return: NotNullIfNotNull(nameof(value))]
    public static string? Hex<T>(this DbFunctions _, T value) => throw OnlyInQueries(nameof(Hex));

    /// <summary>Returns the text whose bytes are these hexadecimal digits: UNHEX.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="value">The digits.</param>
    /// <returns>The text; null if the value is null or does not consist of digits.</returns>
    [return: NotNullIfNotNull(nameof(value))]
    public static string? Unhex(this DbFunctions _, string? value) => throw OnlyInQueries(nameof(Unhex));

    /// <summary>Converts radians to degrees: DEGREES.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="radians">The angle.</param>
    /// <returns>The angle in degrees.</returns>
    public static double Degrees(this DbFunctions _, double radians) => throw OnlyInQueries(nameof(Degrees));

    /// <inheritdoc cref="Degrees(DbFunctions, double)"/>
    public static float Degrees(this DbFunctions _, float radians) => throw OnlyInQueries(nameof(Degrees));

    /// <summary>Converts degrees to radians: RADIANS.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="degrees">The angle.</param>
    /// <returns>The angle in radians.</returns>
    public static double Radians(this DbFunctions _, double degrees) => throw OnlyInQueries(nameof(Radians));

    /// <inheritdoc cref="Radians(DbFunctions, double)"/>
    public static float Radians(this DbFunctions _, float degrees) => throw OnlyInQueries(nameof(Radians));

    /// <summary>Compares a value of any type, as text, with a pattern: LIKE. The column's collation determines whether upper and lower case differ.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="_">The functions.</param>
    /// <param name="matchExpression">The value.</param>
    /// <param name="pattern">The pattern: <c>%</c> is any text, <c>_</c> one character.</param>
    /// <returns>Whether the value matches the pattern.</returns>
    public static bool Like<T>(this DbFunctions _, T matchExpression, string? pattern) => throw OnlyInQueries(nameof(Like));

    /// <inheritdoc cref="Like{T}(DbFunctions, T, string)"/>
    /// <param name="_">The functions.</param>
    /// <param name="matchExpression">The value.</param>
    /// <param name="pattern">The pattern: <c>%</c> is any text, <c>_</c> one character.</param>
    /// <param name="escapeCharacter">The character after which <c>%</c> and <c>_</c> are themselves.</param>
    public static bool Like<T>(this DbFunctions _, T matchExpression, string? pattern, string? escapeCharacter) => throw OnlyInQueries(nameof(Like));

    /// <summary>Converts a point in time from the time zone <paramref name="fromTimeZone"/> to another zone: CONVERT_TZ.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="dateTime">The point in time.</param>
    /// <param name="fromTimeZone">A time zone, such as <c>+01:00</c> or <c>Europe/Berlin</c>.</param>
    /// <param name="toTimeZone">A time zone, such as <c>+01:00</c> or <c>Europe/Berlin</c>.</param>
    /// <returns>The point in time; null if an argument is null, or if the server's time zone tables do not have the zone.</returns>
    public static DateTime? ConvertTimeZone(this DbFunctions _, DateTime dateTime, string? fromTimeZone, string? toTimeZone) =>
        throw OnlyInQueries(nameof(ConvertTimeZone));

    /// <summary>Converts a point in time from the time zone <paramref name="fromTimeZone"/> to another zone: CONVERT_TZ.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="dateTime">The point in time.</param>
    /// <param name="fromTimeZone">A time zone, such as <c>+01:00</c> or <c>Europe/Berlin</c>.</param>
    /// <param name="toTimeZone">A time zone, such as <c>+01:00</c> or <c>Europe/Berlin</c>.</param>
    /// <returns>The point in time; null if an argument is null, or if the server's time zone tables do not have the zone.</returns>
    public static DateTime? ConvertTimeZone(this DbFunctions _, DateTime? dateTime, string? fromTimeZone, string? toTimeZone) =>
        throw OnlyInQueries(nameof(ConvertTimeZone));

    /// <summary>Converts a point in time from the time zone <paramref name="fromTimeZone"/> to another zone: CONVERT_TZ.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="dateOnly">The point in time.</param>
    /// <param name="fromTimeZone">A time zone, such as <c>+01:00</c> or <c>Europe/Berlin</c>.</param>
    /// <param name="toTimeZone">A time zone, such as <c>+01:00</c> or <c>Europe/Berlin</c>.</param>
    /// <returns>The point in time; null if an argument is null, or if the server's time zone tables do not have the zone.</returns>
    public static DateOnly? ConvertTimeZone(this DbFunctions _, DateOnly dateOnly, string? fromTimeZone, string? toTimeZone) =>
        throw OnlyInQueries(nameof(ConvertTimeZone));

    /// <summary>Converts a point in time from the time zone <paramref name="fromTimeZone"/> to another zone: CONVERT_TZ.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="dateOnly">The point in time.</param>
    /// <param name="fromTimeZone">A time zone, such as <c>+01:00</c> or <c>Europe/Berlin</c>.</param>
    /// <param name="toTimeZone">A time zone, such as <c>+01:00</c> or <c>Europe/Berlin</c>.</param>
    /// <returns>The point in time; null if an argument is null, or if the server's time zone tables do not have the zone.</returns>
    public static DateOnly? ConvertTimeZone(this DbFunctions _, DateOnly? dateOnly, string? fromTimeZone, string? toTimeZone) =>
        throw OnlyInQueries(nameof(ConvertTimeZone));

    /// <summary>Converts a point in time from the session's time zone to another zone: CONVERT_TZ.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="dateTime">The point in time.</param>
    /// <param name="toTimeZone">A time zone, such as <c>+01:00</c> or <c>Europe/Berlin</c>.</param>
    /// <returns>The point in time; null if an argument is null, or if the server's time zone tables do not have the zone.</returns>
    public static DateTime? ConvertTimeZone(this DbFunctions _, DateTime dateTime, string? toTimeZone) => throw OnlyInQueries(nameof(ConvertTimeZone));

    /// <summary>Converts a point in time from the session's time zone to another zone: CONVERT_TZ.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="dateTime">The point in time.</param>
    /// <param name="toTimeZone">A time zone, such as <c>+01:00</c> or <c>Europe/Berlin</c>.</param>
    /// <returns>The point in time; null if an argument is null, or if the server's time zone tables do not have the zone.</returns>
    public static DateTime? ConvertTimeZone(this DbFunctions _, DateTime? dateTime, string? toTimeZone) => throw OnlyInQueries(nameof(ConvertTimeZone));

    /// <summary>Converts a point in time from UTC to another zone: CONVERT_TZ.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="dateTimeOffset">The point in time.</param>
    /// <param name="toTimeZone">A time zone, such as <c>+01:00</c> or <c>Europe/Berlin</c>.</param>
    /// <returns>The point in time; null if an argument is null, or if the server's time zone tables do not have the zone.</returns>
    public static DateTime? ConvertTimeZone(this DbFunctions _, DateTimeOffset dateTimeOffset, string? toTimeZone) =>
        throw OnlyInQueries(nameof(ConvertTimeZone));

    /// <summary>Converts a point in time from UTC to another zone: CONVERT_TZ.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="dateTimeOffset">The point in time.</param>
    /// <param name="toTimeZone">A time zone, such as <c>+01:00</c> or <c>Europe/Berlin</c>.</param>
    /// <returns>The point in time; null if an argument is null, or if the server's time zone tables do not have the zone.</returns>
    public static DateTime? ConvertTimeZone(this DbFunctions _, DateTimeOffset? dateTimeOffset, string? toTimeZone) =>
        throw OnlyInQueries(nameof(ConvertTimeZone));

    /// <summary>Converts a point in time from the session's time zone to another zone: CONVERT_TZ.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="dateOnly">The point in time.</param>
    /// <param name="toTimeZone">A time zone, such as <c>+01:00</c> or <c>Europe/Berlin</c>.</param>
    /// <returns>The point in time; null if an argument is null, or if the server's time zone tables do not have the zone.</returns>
    public static DateOnly? ConvertTimeZone(this DbFunctions _, DateOnly dateOnly, string? toTimeZone) => throw OnlyInQueries(nameof(ConvertTimeZone));

    /// <summary>Converts a point in time from the session's time zone to another zone: CONVERT_TZ.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="dateOnly">The point in time.</param>
    /// <param name="toTimeZone">A time zone, such as <c>+01:00</c> or <c>Europe/Berlin</c>.</param>
    /// <returns>The point in time; null if an argument is null, or if the server's time zone tables do not have the zone.</returns>
    public static DateOnly? ConvertTimeZone(this DbFunctions _, DateOnly? dateOnly, string? toTimeZone) => throw OnlyInQueries(nameof(ConvertTimeZone));

    private static InvalidOperationException OnlyInQueries(string name) => MySqlDbFunctionsExtensions.OnlyInQueries(name);
}
