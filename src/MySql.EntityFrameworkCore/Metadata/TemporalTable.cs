using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Metadata;

/// <summary>
/// The period of a temporal table. Its columns are TIMESTAMPs, which the server shows in the time zone of the session, with the same text twice when a clock is
/// put back. The number of seconds since 1970 is the same in every time zone, so SQL reads and compares that.
/// </summary>
internal sealed record TemporalTable(string StartColumn, string EndColumn)
{
    public const string DefaultStart = "PeriodStart";
    public const string DefaultEnd = "PeriodEnd";
    public const string ColumnType = "timestamp(6)";
    public const string RowStart = "ROW START";
    public const string RowEnd = "ROW END";

    /// <summary>Returns the period of a table of the model; null if it is not temporal.</summary>
    public static TemporalTable? Of(ITableBase? table) => table is ITable ? Of((IAnnotatable)table) : null;

    /// <summary>Returns the period that annotations of a table or an operation name; null if they name none.</summary>
    public static TemporalTable? Of(IAnnotatable annotatable) =>
        annotatable[MySqlAnnotationNames.IsTemporal] is true && annotatable[MySqlAnnotationNames.PeriodStartColumnName] is string start
        && annotatable[MySqlAnnotationNames.PeriodEndColumnName] is string end
            ? new(start, end)
            : null;

    /// <summary>Returns the period that the entity types of a table give to it; null if none of them is temporal.</summary>
    public static TemporalTable? OfEntityTypes(ITable table)
    {
        var identifier = StoreObjectIdentifier.Table(table.Name, table.Schema);
        foreach (var mapping in table.EntityTypeMappings)
            if (mapping.TypeBase is IEntityType { BaseType: null } type && type.IsTemporal()
                && type.FindProperty(type.GetPeriodStartPropertyName()!)?.GetColumnName(identifier) is { } start
                && type.FindProperty(type.GetPeriodEndPropertyName()!)?.GetColumnName(identifier) is { } end)
                return new(start, end);
        return null;
    }

    public bool Has(string column) => column == StartColumn || column == EndColumn;

    /// <summary>The moment in a column of the period, in UTC.</summary>
    public static string Moment(string column) => $"DATE_ADD(TIMESTAMP '1970-01-01 00:00:00', INTERVAL UNIX_TIMESTAMP({column}) SECOND)";
}
