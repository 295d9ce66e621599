using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Statements;

/// <summary>
/// The types that MySQL settles on for a statement's parameters when it is prepared, and tells. A value of another kind is converted before it is compared or
/// stored, where a literal of the same text would not be: <c>int_column = ?</c> with 'abc' warns, <c>year_column >= ?</c> with 5 finds other rows,
/// <c>varchar_column = ?</c> with a time has other digits. ("PREPARE Statement", dev.mysql.com: derived parameter types, since 8.0.22.)
/// </summary>
internal sealed class SettledTypes
{
    private readonly ColumnType[] _types;
    private readonly bool[] _areBytes;

    public SettledTypes(ResultMetadata parameters)
    {
        _types = new ColumnType[parameters.Columns.Length];
        _areBytes = new bool[_types.Length];
        for (var i = 0; i < _types.Length; i++)
        {
            ref readonly var column = ref parameters.Columns[i];
            (_types[i], _areBytes[i]) = (column.Definition.Type, !column.IsText);
        }
    }

    /// <summary>Whether a value of that type is taken as what it is; NULL always is.</summary>
    public bool Takes(ushort wireType, int parameter)
    {
        var type = (ColumnType)(wireType & byte.MaxValue);
        if (type == ColumnType.Null)
            return true;
        return parameter < _types.Length && _types[parameter] switch
        {
            ColumnType.LongLong => IsInteger(type),
            ColumnType.NewDecimal => IsInteger(type) || type == ColumnType.NewDecimal,
            ColumnType.Double => IsInteger(type) || type is ColumnType.NewDecimal or ColumnType.Float or ColumnType.Double,
            // Bytes that are no text of the column's character set are error 3854 as a literal, and find nothing as a parameter.
            ColumnType.VarString or ColumnType.LongBlob => IsText(type) || (_areBytes[parameter] && IsBytes(type)),
            ColumnType.Json => IsText(type),
            ColumnType.DateTime or ColumnType.Date => type is ColumnType.DateTime or ColumnType.Timestamp or ColumnType.Date,
            ColumnType.Time => type == ColumnType.Time,
            // YEAR and BIT compare in ways of their own.
            _ => false,
        };
    }

    private static bool IsInteger(ColumnType type) => type is ColumnType.Tiny or ColumnType.Short or ColumnType.Long or ColumnType.LongLong;

    private static bool IsText(ColumnType type) => type is ColumnType.VarString or ColumnType.String or ColumnType.VarChar;

    private static bool IsBytes(ColumnType type) => type is ColumnType.Blob or ColumnType.TinyBlob or ColumnType.MediumBlob or ColumnType.LongBlob;
}
