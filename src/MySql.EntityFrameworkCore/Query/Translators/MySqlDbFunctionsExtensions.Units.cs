namespace Microsoft.EntityFrameworkCore;

// The units between two dates that are seldom asked for.
public static partial class MySqlDbFunctionsExtensions
{
    /// <summary>Counts the whole weeks between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int DateDiffWeek(this DbFunctions _, DateTime startDate, DateTime endDate) => throw OnlyInQueries(nameof(DateDiffWeek));

    /// <inheritdoc cref="DateDiffWeek(DbFunctions, DateTime, DateTime)"/>
    public static int? DateDiffWeek(this DbFunctions _, DateTime? startDate, DateTime? endDate) => throw OnlyInQueries(nameof(DateDiffWeek));

    /// <inheritdoc cref="DateDiffWeek(DbFunctions, DateTime, DateTime)"/>
    public static int DateDiffWeek(this DbFunctions _, DateTimeOffset startDate, DateTimeOffset endDate) => throw OnlyInQueries(nameof(DateDiffWeek));

    /// <inheritdoc cref="DateDiffWeek(DbFunctions, DateTime, DateTime)"/>
    public static int? DateDiffWeek(this DbFunctions _, DateTimeOffset? startDate, DateTimeOffset? endDate) => throw OnlyInQueries(nameof(DateDiffWeek));

    /// <inheritdoc cref="DateDiffWeek(DbFunctions, DateTime, DateTime)"/>
    public static int DateDiffWeek(this DbFunctions _, DateOnly startDate, DateOnly endDate) => throw OnlyInQueries(nameof(DateDiffWeek));

    /// <inheritdoc cref="DateDiffWeek(DbFunctions, DateTime, DateTime)"/>
    public static int? DateDiffWeek(this DbFunctions _, DateOnly? startDate, DateOnly? endDate) => throw OnlyInQueries(nameof(DateDiffWeek));

    /// <summary>Counts the whole quarters of a year between two dates: TIMESTAMPDIFF.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int DateDiffQuarter(this DbFunctions _, DateTime startDate, DateTime endDate) => throw OnlyInQueries(nameof(DateDiffQuarter));

    /// <inheritdoc cref="DateDiffQuarter(DbFunctions, DateTime, DateTime)"/>
    public static int? DateDiffQuarter(this DbFunctions _, DateTime? startDate, DateTime? endDate) => throw OnlyInQueries(nameof(DateDiffQuarter));

    /// <inheritdoc cref="DateDiffQuarter(DbFunctions, DateTime, DateTime)"/>
    public static int DateDiffQuarter(this DbFunctions _, DateTimeOffset startDate, DateTimeOffset endDate) => throw OnlyInQueries(nameof(DateDiffQuarter));

    /// <inheritdoc cref="DateDiffQuarter(DbFunctions, DateTime, DateTime)"/>
    public static int? DateDiffQuarter(this DbFunctions _, DateTimeOffset? startDate, DateTimeOffset? endDate) => throw OnlyInQueries(nameof(DateDiffQuarter));

    /// <inheritdoc cref="DateDiffQuarter(DbFunctions, DateTime, DateTime)"/>
    public static int DateDiffQuarter(this DbFunctions _, DateOnly startDate, DateOnly endDate) => throw OnlyInQueries(nameof(DateDiffQuarter));

    /// <inheritdoc cref="DateDiffQuarter(DbFunctions, DateTime, DateTime)"/>
    public static int? DateDiffQuarter(this DbFunctions _, DateOnly? startDate, DateOnly? endDate) => throw OnlyInQueries(nameof(DateDiffQuarter));

    /// <summary>Counts the ticks (100 ns) between two dates: TIMESTAMPDIFF in microseconds, multiplied by 10. More than an int can hold is an error.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int DateDiffTick(this DbFunctions _, DateTime startDate, DateTime endDate) => throw OnlyInQueries(nameof(DateDiffTick));

    /// <inheritdoc cref="DateDiffTick(DbFunctions, DateTime, DateTime)"/>
    public static int? DateDiffTick(this DbFunctions _, DateTime? startDate, DateTime? endDate) => throw OnlyInQueries(nameof(DateDiffTick));

    /// <inheritdoc cref="DateDiffTick(DbFunctions, DateTime, DateTime)"/>
    public static int DateDiffTick(this DbFunctions _, DateTimeOffset startDate, DateTimeOffset endDate) => throw OnlyInQueries(nameof(DateDiffTick));

    /// <inheritdoc cref="DateDiffTick(DbFunctions, DateTime, DateTime)"/>
    public static int? DateDiffTick(this DbFunctions _, DateTimeOffset? startDate, DateTimeOffset? endDate) => throw OnlyInQueries(nameof(DateDiffTick));

    /// <inheritdoc cref="DateDiffTick(DbFunctions, DateTime, DateTime)"/>
    public static int DateDiffTick(this DbFunctions _, DateOnly startDate, DateOnly endDate) => throw OnlyInQueries(nameof(DateDiffTick));

    /// <inheritdoc cref="DateDiffTick(DbFunctions, DateTime, DateTime)"/>
    public static int? DateDiffTick(this DbFunctions _, DateOnly? startDate, DateOnly? endDate) => throw OnlyInQueries(nameof(DateDiffTick));

    /// <summary>Counts the nanoseconds between two dates: TIMESTAMPDIFF in microseconds, multiplied by 1000. More than an int can hold is an error.</summary>
    /// <param name="_">The functions.</param>
    /// <param name="startDate">The first date.</param>
    /// <param name="endDate">The second date.</param>
    /// <returns>The number, which is negative if the second date is before the first; null if a date is null.</returns>
    public static int DateDiffNanosecond(this DbFunctions _, DateTime startDate, DateTime endDate) => throw OnlyInQueries(nameof(DateDiffNanosecond));

    /// <inheritdoc cref="DateDiffNanosecond(DbFunctions, DateTime, DateTime)"/>
    public static int? DateDiffNanosecond(this DbFunctions _, DateTime? startDate, DateTime? endDate) => throw OnlyInQueries(nameof(DateDiffNanosecond));

    /// <inheritdoc cref="DateDiffNanosecond(DbFunctions, DateTime, DateTime)"/>
    public static int DateDiffNanosecond(this DbFunctions _, DateTimeOffset startDate, DateTimeOffset endDate) =>
        throw OnlyInQueries(nameof(DateDiffNanosecond));

    /// <inheritdoc cref="DateDiffNanosecond(DbFunctions, DateTime, DateTime)"/>
    public static int? DateDiffNanosecond(this DbFunctions _, DateTimeOffset? startDate, DateTimeOffset? endDate) =>
        throw OnlyInQueries(nameof(DateDiffNanosecond));

    /// <inheritdoc cref="DateDiffNanosecond(DbFunctions, DateTime, DateTime)"/>
    public static int DateDiffNanosecond(this DbFunctions _, DateOnly startDate, DateOnly endDate) => throw OnlyInQueries(nameof(DateDiffNanosecond));

    /// <inheritdoc cref="DateDiffNanosecond(DbFunctions, DateTime, DateTime)"/>
    public static int? DateDiffNanosecond(this DbFunctions _, DateOnly? startDate, DateOnly? endDate) => throw OnlyInQueries(nameof(DateDiffNanosecond));
}
