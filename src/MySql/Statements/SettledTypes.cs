using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Statements;

/// <summary>
/// The types that MySQL chooses for a statement's parameters at PREPARE and reports. MySQL converts a value of another kind before it compares or stores the
/// value, but does not convert a literal of the same text: <c>int_column = ?</c> with 'abc' warns, <c>year_column >= ?</c> with 5 finds other rows,
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

    /// <summary>Returns whether the server uses a value of that type unconverted. NULL is always accepted.</summary>
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
            // Bytes that are not valid text in the column's character set cause error 3854 as a literal, but only find nothing as a parameter.
            ColumnType.VarString or ColumnType.LongBlob => IsText(type) || (_areBytes[parameter] && IsBytes(type)),
            ColumnType.Json => IsText(type),
            ColumnType.DateTime or ColumnType.Date => type is ColumnType.DateTime or ColumnType.Timestamp or ColumnType.Date,
            ColumnType.Time => type == ColumnType.Time,
            // YEAR and BIT have comparison rules of their own.
            _ => false,
        };
    }

    private static bool IsInteger(ColumnType type) => type is ColumnType.Tiny or ColumnType.Short or ColumnType.Long or ColumnType.LongLong;

    private static bool IsText(ColumnType type) => type is ColumnType.VarString or ColumnType.String or ColumnType.VarChar;

    private static bool IsBytes(ColumnType type) => type is ColumnType.Blob or ColumnType.TinyBlob or ColumnType.MediumBlob or ColumnType.LongBlob;
}
