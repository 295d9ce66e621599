using Microsoft.EntityFrameworkCore.Scaffolding.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Scaffolding;

/// <summary>Reads the periods of temporal tables of MariaDB. They are no columns of the table: the model adds its own properties for them.</summary>
internal static class TemporalTableReader
{
    // MariaDB documentation, "System-Versioned Tables": the invisible columns of a table that was created without columns of its own.
    private const string ImplicitStart = "row_start";
    private const string ImplicitEnd = "row_end";

    /// <summary>Notes that a table is temporal.</summary>
    public static void SetTemporal(DatabaseTable table)
    {
        table[MySqlAnnotationNames.IsTemporal] = true;
        Set(table, MySqlAnnotationNames.PeriodStartPropertyName, TemporalTable.DefaultStart, MySqlAnnotationNames.PeriodStartColumnName, ImplicitStart);
        Set(table, MySqlAnnotationNames.PeriodEndPropertyName, TemporalTable.DefaultEnd, MySqlAnnotationNames.PeriodEndColumnName, ImplicitEnd);
    }

    /// <summary>Notes a column of the period, by a row of information_schema.COLUMNS. Returns false for every other column.</summary>
    public static bool TakePeriodColumn(DatabaseTable table, string?[] row)
    {
        if (table[MySqlAnnotationNames.IsTemporal] is not true)
            return false;
        switch (row[9])
        {
            case TemporalTable.RowStart:
                Set(table, MySqlAnnotationNames.PeriodStartPropertyName, row[1]!, MySqlAnnotationNames.PeriodStartColumnName, row[1]!);
                return true;
            case TemporalTable.RowEnd:
                Set(table, MySqlAnnotationNames.PeriodEndPropertyName, row[1]!, MySqlAnnotationNames.PeriodEndColumnName, row[1]!);
                return true;
            default:
                return false;
        }
    }

    /// <summary>Whether a column is one of the period.</summary>
    public static bool IsPeriodColumn(DatabaseTable table, string? column) => column is not null && TemporalTable.Of(table)?.Has(column) == true;

    private static void Set(DatabaseTable table, string propertyAnnotation, string property, string columnAnnotation, string column)
    {
        table[propertyAnnotation] = property;
        table[columnAnnotation] = column;
    }
}
