using Microsoft.EntityFrameworkCore.Diagnostics;

namespace Microsoft.EntityFrameworkCore;

/// <summary>Functions of MySQL and MariaDB for queries: as <c>EF.Functions.DateDiffDay(a, b)</c>.</summary>
public static partial class MySqlDbFunctionsExtensions
{
    /// <summary>Counts the whole years between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffYear(this DbFunctions _, DateTime startDate, DateTime endDate) =>
        throw OnlyInQueries(nameof(DateDiffYear));

    /// <summary>Counts the whole years between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffYear(this DbFunctions _, DateTime? startDate, DateTime? endDate) =>
        throw OnlyInQueries(nameof(DateDiffYear));

    /// <summary>Counts the whole years between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffYear(this DbFunctions _, DateTimeOffset startDate, DateTimeOffset endDate) =>
        throw OnlyInQueries(nameof(DateDiffYear));

    /// <summary>Counts the whole years between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffYear(this DbFunctions _, DateTimeOffset? startDate, DateTimeOffset? endDate) =>
        throw OnlyInQueries(nameof(DateDiffYear));

    /// <summary>Counts the whole years between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffYear(this DbFunctions _, DateOnly startDate, DateOnly endDate) =>
        throw OnlyInQueries(nameof(DateDiffYear));

    /// <summary>Counts the whole years between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffYear(this DbFunctions _, DateOnly? startDate, DateOnly? endDate) =>
        throw OnlyInQueries(nameof(DateDiffYear));

    /// <summary>Counts the whole months between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffMonth(this DbFunctions _, DateTime startDate, DateTime endDate) =>
        throw OnlyInQueries(nameof(DateDiffMonth));

    /// <summary>Counts the whole months between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffMonth(this DbFunctions _, DateTime? startDate, DateTime? endDate) =>
        throw OnlyInQueries(nameof(DateDiffMonth));

    /// <summary>Counts the whole months between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffMonth(this DbFunctions _, DateTimeOffset startDate, DateTimeOffset endDate) =>
        throw OnlyInQueries(nameof(DateDiffMonth));

    /// <summary>Counts the whole months between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffMonth(this DbFunctions _, DateTimeOffset? startDate, DateTimeOffset? endDate) =>
        throw OnlyInQueries(nameof(DateDiffMonth));

    /// <summary>Counts the whole months between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffMonth(this DbFunctions _, DateOnly startDate, DateOnly endDate) =>
        throw OnlyInQueries(nameof(DateDiffMonth));

    /// <summary>Counts the whole months between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffMonth(this DbFunctions _, DateOnly? startDate, DateOnly? endDate) =>
        throw OnlyInQueries(nameof(DateDiffMonth));

    /// <summary>Counts the whole days between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffDay(this DbFunctions _, DateTime startDate, DateTime endDate) =>
        throw OnlyInQueries(nameof(DateDiffDay));

    /// <summary>Counts the whole days between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffDay(this DbFunctions _, DateTime? startDate, DateTime? endDate) =>
        throw OnlyInQueries(nameof(DateDiffDay));

    /// <summary>Counts the whole days between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffDay(this DbFunctions _, DateTimeOffset startDate, DateTimeOffset endDate) =>
        throw OnlyInQueries(nameof(DateDiffDay));

    /// <summary>Counts the whole days between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffDay(this DbFunctions _, DateTimeOffset? startDate, DateTimeOffset? endDate) =>
        throw OnlyInQueries(nameof(DateDiffDay));

    /// <summary>Counts the whole days between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffDay(this DbFunctions _, DateOnly startDate, DateOnly endDate) =>
        throw OnlyInQueries(nameof(DateDiffDay));

    /// <summary>Counts the whole days between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffDay(this DbFunctions _, DateOnly? startDate, DateOnly? endDate) =>
        throw OnlyInQueries(nameof(DateDiffDay));

    /// <summary>Counts the whole hours between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffHour(this DbFunctions _, DateTime startDate, DateTime endDate) =>
        throw OnlyInQueries(nameof(DateDiffHour));

    /// <summary>Counts the whole hours between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffHour(this DbFunctions _, DateTime? startDate, DateTime? endDate) =>
        throw OnlyInQueries(nameof(DateDiffHour));

    /// <summary>Counts the whole hours between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffHour(this DbFunctions _, DateTimeOffset startDate, DateTimeOffset endDate) =>
        throw OnlyInQueries(nameof(DateDiffHour));

    /// <summary>Counts the whole hours between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffHour(this DbFunctions _, DateTimeOffset? startDate, DateTimeOffset? endDate) =>
        throw OnlyInQueries(nameof(DateDiffHour));

    /// <summary>Counts the whole hours between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffHour(this DbFunctions _, DateOnly startDate, DateOnly endDate) =>
        throw OnlyInQueries(nameof(DateDiffHour));

    /// <summary>Counts the whole hours between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffHour(this DbFunctions _, DateOnly? startDate, DateOnly? endDate) =>
        throw OnlyInQueries(nameof(DateDiffHour));

    /// <summary>Counts the whole minutes between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffMinute(this DbFunctions _, DateTime startDate, DateTime endDate) =>
        throw OnlyInQueries(nameof(DateDiffMinute));

    /// <summary>Counts the whole minutes between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffMinute(this DbFunctions _, DateTime? startDate, DateTime? endDate) =>
        throw OnlyInQueries(nameof(DateDiffMinute));

    /// <summary>Counts the whole minutes between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffMinute(this DbFunctions _, DateTimeOffset startDate, DateTimeOffset endDate) =>
        throw OnlyInQueries(nameof(DateDiffMinute));

    /// <summary>Counts the whole minutes between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffMinute(this DbFunctions _, DateTimeOffset? startDate, DateTimeOffset? endDate) =>
        throw OnlyInQueries(nameof(DateDiffMinute));

    /// <summary>Counts the whole minutes between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffMinute(this DbFunctions _, DateOnly startDate, DateOnly endDate) =>
        throw OnlyInQueries(nameof(DateDiffMinute));

    /// <summary>Counts the whole minutes between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffMinute(this DbFunctions _, DateOnly? startDate, DateOnly? endDate) =>
        throw OnlyInQueries(nameof(DateDiffMinute));

    /// <summary>Counts the whole seconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffSecond(this DbFunctions _, DateTime startDate, DateTime endDate) =>
        throw OnlyInQueries(nameof(DateDiffSecond));

    /// <summary>Counts the whole seconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffSecond(this DbFunctions _, DateTime? startDate, DateTime? endDate) =>
        throw OnlyInQueries(nameof(DateDiffSecond));

    /// <summary>Counts the whole seconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffSecond(this DbFunctions _, DateTimeOffset startDate, DateTimeOffset endDate) =>
        throw OnlyInQueries(nameof(DateDiffSecond));

    /// <summary>Counts the whole seconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffSecond(this DbFunctions _, DateTimeOffset? startDate, DateTimeOffset? endDate) =>
        throw OnlyInQueries(nameof(DateDiffSecond));

    /// <summary>Counts the whole seconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffSecond(this DbFunctions _, DateOnly startDate, DateOnly endDate) =>
        throw OnlyInQueries(nameof(DateDiffSecond));

    /// <summary>Counts the whole seconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffSecond(this DbFunctions _, DateOnly? startDate, DateOnly? endDate) =>
        throw OnlyInQueries(nameof(DateDiffSecond));

    /// <summary>Counts the whole milliseconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffMillisecond(this DbFunctions _, DateTime startDate, DateTime endDate) =>
        throw OnlyInQueries(nameof(DateDiffMillisecond));

    /// <summary>Counts the whole milliseconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffMillisecond(this DbFunctions _, DateTime? startDate, DateTime? endDate) =>
        throw OnlyInQueries(nameof(DateDiffMillisecond));

    /// <summary>Counts the whole milliseconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffMillisecond(this DbFunctions _, DateTimeOffset startDate, DateTimeOffset endDate) =>
        throw OnlyInQueries(nameof(DateDiffMillisecond));

    /// <summary>Counts the whole milliseconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffMillisecond(this DbFunctions _, DateTimeOffset? startDate, DateTimeOffset? endDate) =>
        throw OnlyInQueries(nameof(DateDiffMillisecond));

    /// <summary>Counts the whole milliseconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffMillisecond(this DbFunctions _, DateOnly startDate, DateOnly endDate) =>
        throw OnlyInQueries(nameof(DateDiffMillisecond));

    /// <summary>Counts the whole milliseconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffMillisecond(this DbFunctions _, DateOnly? startDate, DateOnly? endDate) =>
        throw OnlyInQueries(nameof(DateDiffMillisecond));

    /// <summary>Counts the whole microseconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffMicrosecond(this DbFunctions _, DateTime startDate, DateTime endDate) =>
        throw OnlyInQueries(nameof(DateDiffMicrosecond));

    /// <summary>Counts the whole microseconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffMicrosecond(this DbFunctions _, DateTime? startDate, DateTime? endDate) =>
        throw OnlyInQueries(nameof(DateDiffMicrosecond));

    /// <summary>Counts the whole microseconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffMicrosecond(this DbFunctions _, DateTimeOffset startDate, DateTimeOffset endDate) =>
        throw OnlyInQueries(nameof(DateDiffMicrosecond));

    /// <summary>Counts the whole microseconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffMicrosecond(this DbFunctions _, DateTimeOffset? startDate, DateTimeOffset? endDate) =>
        throw OnlyInQueries(nameof(DateDiffMicrosecond));

    /// <summary>Counts the whole microseconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first.</returns>
    public static int DateDiffMicrosecond(this DbFunctions _, DateOnly startDate, DateOnly endDate) =>
        throw OnlyInQueries(nameof(DateDiffMicrosecond));

    /// <summary>Counts the whole microseconds between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int? DateDiffMicrosecond(this DbFunctions _, DateOnly? startDate, DateOnly? endDate) =>
        throw OnlyInQueries(nameof(DateDiffMicrosecond));

    /// <summary>Computes the standard deviation of a sample: STDDEV_SAMP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? StandardDeviationSample(this DbFunctions _, IEnumerable<byte> values) =>
        throw OnlyInQueries(nameof(StandardDeviationSample));

    /// <summary>Computes the standard deviation of a sample: STDDEV_SAMP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? StandardDeviationSample(this DbFunctions _, IEnumerable<short> values) =>
        throw OnlyInQueries(nameof(StandardDeviationSample));

    /// <summary>Computes the standard deviation of a sample: STDDEV_SAMP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? StandardDeviationSample(this DbFunctions _, IEnumerable<int> values) =>
        throw OnlyInQueries(nameof(StandardDeviationSample));

    /// <summary>Computes the standard deviation of a sample: STDDEV_SAMP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? StandardDeviationSample(this DbFunctions _, IEnumerable<long> values) =>
        throw OnlyInQueries(nameof(StandardDeviationSample));

    /// <summary>Computes the standard deviation of a sample: STDDEV_SAMP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? StandardDeviationSample(this DbFunctions _, IEnumerable<float> values) =>
        throw OnlyInQueries(nameof(StandardDeviationSample));

    /// <summary>Computes the standard deviation of a sample: STDDEV_SAMP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? StandardDeviationSample(this DbFunctions _, IEnumerable<double> values) =>
        throw OnlyInQueries(nameof(StandardDeviationSample));

    /// <summary>Computes the standard deviation of a sample: STDDEV_SAMP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? StandardDeviationSample(this DbFunctions _, IEnumerable<decimal> values) =>
        throw OnlyInQueries(nameof(StandardDeviationSample));

    /// <summary>Computes the standard deviation of a population: STDDEV_POP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? StandardDeviationPopulation(this DbFunctions _, IEnumerable<byte> values) =>
        throw OnlyInQueries(nameof(StandardDeviationPopulation));

    /// <summary>Computes the standard deviation of a population: STDDEV_POP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? StandardDeviationPopulation(this DbFunctions _, IEnumerable<short> values) =>
        throw OnlyInQueries(nameof(StandardDeviationPopulation));

    /// <summary>Computes the standard deviation of a population: STDDEV_POP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? StandardDeviationPopulation(this DbFunctions _, IEnumerable<int> values) =>
        throw OnlyInQueries(nameof(StandardDeviationPopulation));

    /// <summary>Computes the standard deviation of a population: STDDEV_POP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? StandardDeviationPopulation(this DbFunctions _, IEnumerable<long> values) =>
        throw OnlyInQueries(nameof(StandardDeviationPopulation));

    /// <summary>Computes the standard deviation of a population: STDDEV_POP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? StandardDeviationPopulation(this DbFunctions _, IEnumerable<float> values) =>
        throw OnlyInQueries(nameof(StandardDeviationPopulation));

    /// <summary>Computes the standard deviation of a population: STDDEV_POP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? StandardDeviationPopulation(this DbFunctions _, IEnumerable<double> values) =>
        throw OnlyInQueries(nameof(StandardDeviationPopulation));

    /// <summary>Computes the standard deviation of a population: STDDEV_POP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? StandardDeviationPopulation(this DbFunctions _, IEnumerable<decimal> values) =>
        throw OnlyInQueries(nameof(StandardDeviationPopulation));

    /// <summary>Computes the variance of a sample: VAR_SAMP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? VarianceSample(this DbFunctions _, IEnumerable<byte> values) =>
        throw OnlyInQueries(nameof(VarianceSample));

    /// <summary>Computes the variance of a sample: VAR_SAMP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? VarianceSample(this DbFunctions _, IEnumerable<short> values) =>
        throw OnlyInQueries(nameof(VarianceSample));

    /// <summary>Computes the variance of a sample: VAR_SAMP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? VarianceSample(this DbFunctions _, IEnumerable<int> values) =>
        throw OnlyInQueries(nameof(VarianceSample));

    /// <summary>Computes the variance of a sample: VAR_SAMP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? VarianceSample(this DbFunctions _, IEnumerable<long> values) =>
        throw OnlyInQueries(nameof(VarianceSample));

    /// <summary>Computes the variance of a sample: VAR_SAMP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? VarianceSample(this DbFunctions _, IEnumerable<float> values) =>
        throw OnlyInQueries(nameof(VarianceSample));

    /// <summary>Computes the variance of a sample: VAR_SAMP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? VarianceSample(this DbFunctions _, IEnumerable<double> values) =>
        throw OnlyInQueries(nameof(VarianceSample));

    /// <summary>Computes the variance of a sample: VAR_SAMP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? VarianceSample(this DbFunctions _, IEnumerable<decimal> values) =>
        throw OnlyInQueries(nameof(VarianceSample));

    /// <summary>Computes the variance of a population: VAR_POP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? VariancePopulation(this DbFunctions _, IEnumerable<byte> values) =>
        throw OnlyInQueries(nameof(VariancePopulation));

    /// <summary>Computes the variance of a population: VAR_POP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? VariancePopulation(this DbFunctions _, IEnumerable<short> values) =>
        throw OnlyInQueries(nameof(VariancePopulation));

    /// <summary>Computes the variance of a population: VAR_POP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? VariancePopulation(this DbFunctions _, IEnumerable<int> values) =>
        throw OnlyInQueries(nameof(VariancePopulation));

    /// <summary>Computes the variance of a population: VAR_POP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? VariancePopulation(this DbFunctions _, IEnumerable<long> values) =>
        throw OnlyInQueries(nameof(VariancePopulation));

    /// <summary>Computes the variance of a population: VAR_POP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? VariancePopulation(this DbFunctions _, IEnumerable<float> values) =>
        throw OnlyInQueries(nameof(VariancePopulation));

    /// <summary>Computes the variance of a population: VAR_POP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? VariancePopulation(this DbFunctions _, IEnumerable<double> values) =>
        throw OnlyInQueries(nameof(VariancePopulation));

    /// <summary>Computes the variance of a population: VAR_POP.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="values">The values.</param>
    /// <returns>The number, or null for too few values.</returns>
    public static double? VariancePopulation(this DbFunctions _, IEnumerable<decimal> values) =>
        throw OnlyInQueries(nameof(VariancePopulation));

    internal static InvalidOperationException OnlyInQueries(string name) =>
        new($"EF.Functions.{name} has a meaning inside a query only, where the server computes it.");
}
