using System.Globalization;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>Which versions of the rows of a temporal table a query reads.</summary>
/// <param name="Kind">The kind of question.</param>
/// <param name="From">The moment, or the first one, in UTC.</param>
/// <param name="To">The last moment, in UTC.</param>
internal sealed record TemporalOperation(TemporalKind Kind, DateTime From = default, DateTime To = default)
{
    /// <summary>The name of the annotation of a table in a query.</summary>
    public const string Annotation = "MySql:TemporalOperation";

    /// <summary>Returns what a query reads of a table; null for the present.</summary>
    public static TemporalOperation? Of(TableExpressionBase table) => table.FindAnnotation(Annotation)?.Value as TemporalOperation;

    /// <summary>Returns whether a query reads several versions of a row from the table. The primary key does not tell them apart.</summary>
    public static bool HasVersions(TableExpressionBase table) => Of(table) is { Kind: not TemporalKind.AsOf };

    /// <summary>A moment in UTC. A moment without a time zone is one in UTC already.</summary>
    public static DateTime Utc(DateTime moment) =>
        moment.Kind == DateTimeKind.Local ? moment.ToUniversalTime() : DateTime.SpecifyKind(moment, DateTimeKind.Utc);

    /// <summary>The condition for a version; null for all of them. SQL's own words would compare in the time zone of the session.</summary>
    /// <param name="start">The column of the moment from which a version is the current one.</param>
    /// <param name="end">The column of the moment until which it was.</param>
    public string? Condition(string start, string end) => Kind switch
    {
        TemporalKind.AsOf => $"{Seconds(start)} <= {Seconds(From)} AND {Seconds(end)} > {Seconds(From)}",
        TemporalKind.FromTo => $"{Seconds(start)} < {Seconds(To)} AND {Seconds(end)} > {Seconds(From)}",
        TemporalKind.Between => $"{Seconds(start)} <= {Seconds(To)} AND {Seconds(end)} > {Seconds(From)}",
        TemporalKind.ContainedIn => $"{Seconds(start)} >= {Seconds(From)} AND {Seconds(end)} <= {Seconds(To)}",
        _ => null,
    };

    private static string Seconds(string column) => $"UNIX_TIMESTAMP({column})";

    // Exact: a tick is the seventh digit.
    private static string Seconds(DateTime moment) =>
        ((decimal)(moment.Ticks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerSecond).ToString("0.0000000", CultureInfo.InvariantCulture);
}

/// <summary>The kinds of questions about versions.</summary>
internal enum TemporalKind
{
    /// <summary>The versions that were the current ones at a moment.</summary>
    AsOf,

    /// <summary>All versions.</summary>
    All,

    /// <summary>Those that were the current ones at some time from a moment to another one, which does not belong to it.</summary>
    FromTo,

    /// <summary>Those that were the current ones at some time from a moment to another one, which belongs to it.</summary>
    Between,

    /// <summary>Those that became the current ones and were replaced in that time.</summary>
    ContainedIn,
}
