using System.Diagnostics.CodeAnalysis;
using Slipstream.MySql.Conventions;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Codecs;

/// <summary>Describes a column's type: CLR type, name and <see cref="MySqlDbType"/>. The names are MySqlConnector's.</summary>
internal static class ColumnTypes
{
    private const uint TinyLength = byte.MaxValue;
    private const uint NormalLength = ushort.MaxValue;
    private const uint MediumLength = (1 << 24) - 1;

    [return: DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public static Type ClrType(ValueKind kind, CodecSettings settings) => kind switch
    {
        ValueKind.Boolean => typeof(bool),
        ValueKind.SByte => typeof(sbyte),
        ValueKind.Byte => typeof(byte),
        ValueKind.Int16 => typeof(short),
        ValueKind.UInt16 => typeof(ushort),
        ValueKind.Int32 or ValueKind.Year => typeof(int),
        ValueKind.UInt32 => typeof(uint),
        ValueKind.Int64 => typeof(long),
        ValueKind.UInt64 or ValueKind.Bit => typeof(ulong),
        ValueKind.Float => typeof(float),
        ValueKind.Double => typeof(double),
        ValueKind.Decimal => typeof(decimal),
        ValueKind.Date or ValueKind.DateTime => settings.AllowZeroDateTime ? typeof(MySqlDateTime) : typeof(DateTime),
        ValueKind.Time => typeof(TimeSpan),
        ValueKind.Text => typeof(string),
        ValueKind.Bytes => typeof(byte[]),
        ValueKind.Vector => ThisAssembly.Conventions.ReadsVectorsAsMemory ? typeof(ReadOnlyMemory<float>) : typeof(float[]),
        ValueKind.GuidText or ValueKind.GuidBytes => typeof(Guid),
        _ => typeof(object),
    };

    public static string Name(in Column column) => ThisAssembly.Conventions.NamesTypesCoarsely ? CoarseName(column) : FineName(column);

    // The names that MySqlConnector has for the types of the protocol.
    private static string CoarseName(in Column column) => FineName(column) switch
    {
        "BINARY" or "VARBINARY" or "TINYBLOB" or "MEDIUMBLOB" or "LONGBLOB" => "BLOB",
        "CHAR" => $"CHAR({column.Characters})",
        "TINYTEXT" or "TEXT" or "MEDIUMTEXT" or "LONGTEXT" => "VARCHAR",
        var name => name,
    };

    private static string FineName(in Column column) => column.Definition.Type switch
    {
        ColumnType.Tiny => column.Kind == ValueKind.Boolean ? "BOOL" : "TINYINT",
        ColumnType.Short => "SMALLINT",
        ColumnType.Int24 => "MEDIUMINT",
        ColumnType.Long => "INT",
        ColumnType.LongLong => "BIGINT",
        ColumnType.Year => "YEAR",
        ColumnType.Float => "FLOAT",
        ColumnType.Double => "DOUBLE",
        ColumnType.Decimal or ColumnType.NewDecimal => "DECIMAL",
        ColumnType.Bit => "BIT",
        ColumnType.Date or ColumnType.NewDate => "DATE",
        ColumnType.DateTime or ColumnType.DateTime2 => "DATETIME",
        ColumnType.Timestamp or ColumnType.Timestamp2 => "TIMESTAMP",
        ColumnType.Time or ColumnType.Time2 => "TIME",
        ColumnType.Json => "JSON",
        ColumnType.Enum => "ENUM",
        ColumnType.Set => "SET",
        ColumnType.Geometry => "GEOMETRY",
        ColumnType.Vector => "VECTOR",
        ColumnType.Null => "NULL",
        ColumnType.String when (column.Definition.Flags & ColumnFlags.Enum) != 0 => "ENUM",
        ColumnType.String when (column.Definition.Flags & ColumnFlags.Set) != 0 => "SET",
        ColumnType.String => column.Kind == ValueKind.GuidText ? $"CHAR({column.Characters})" : column.IsText ? "CHAR" : "BINARY",
        ColumnType.VarChar or ColumnType.VarString => column.IsText ? "VARCHAR" : "VARBINARY",
        ColumnType.TinyBlob or ColumnType.Blob or ColumnType.MediumBlob or ColumnType.LongBlob =>
            column.IsText ? TextName(column) : BlobName(column.Definition.Length),
        _ => column.IsText ? "VARCHAR" : "BLOB",
    };

    public static MySqlDbType DbType(in Column column)
    {
        var isUnsigned = column.Definition.IsUnsigned;
        switch (column.Kind)
        {
            case ValueKind.Boolean: return MySqlDbType.Bool;
            case ValueKind.GuidText or ValueKind.GuidBytes: return MySqlDbType.Guid;
        }

        return column.Definition.Type switch
        {
            ColumnType.Tiny => isUnsigned ? MySqlDbType.UByte : MySqlDbType.Byte,
            ColumnType.Short => isUnsigned ? MySqlDbType.UInt16 : MySqlDbType.Int16,
            ColumnType.Int24 => isUnsigned ? MySqlDbType.UInt24 : MySqlDbType.Int24,
            ColumnType.Long => isUnsigned ? MySqlDbType.UInt32 : MySqlDbType.Int32,
            ColumnType.LongLong => isUnsigned ? MySqlDbType.UInt64 : MySqlDbType.Int64,
            ColumnType.DateTime2 => MySqlDbType.DateTime,
            ColumnType.Timestamp2 => MySqlDbType.Timestamp,
            ColumnType.Time2 => MySqlDbType.Time,
            ColumnType.String when (column.Definition.Flags & ColumnFlags.Enum) != 0 => MySqlDbType.Enum,
            ColumnType.String when (column.Definition.Flags & ColumnFlags.Set) != 0 => MySqlDbType.Set,
            ColumnType.String => column.IsText ? MySqlDbType.String : MySqlDbType.Binary,
            ColumnType.VarChar or ColumnType.VarString => column.IsText ? MySqlDbType.VarChar : MySqlDbType.VarBinary,
            ColumnType.TinyBlob or ColumnType.Blob or ColumnType.MediumBlob or ColumnType.LongBlob =>
                column.IsText ? TextType(column) : BlobType(column.Definition.Length),
            // The numbers below 256 are those of the protocol.
            var other => (MySqlDbType)(int)other,
        };
    }

    /// <summary>Returns the column's type without the size of a TEXT or BLOB.</summary>
    public static MySqlDbType CoarseDbType(in Column column) => DbType(column) switch
    {
        MySqlDbType.TinyText or MySqlDbType.MediumText or MySqlDbType.LongText => MySqlDbType.Text,
        MySqlDbType.TinyBlob or MySqlDbType.MediumBlob or MySqlDbType.LongBlob => MySqlDbType.Blob,
        var type => type,
    };

    private static string TextName(in Column column) => TextType(column) switch
    {
        MySqlDbType.TinyText => "TINYTEXT",
        MySqlDbType.Text => "TEXT",
        MySqlDbType.MediumText => "MEDIUMTEXT",
        _ => "LONGTEXT",
    };

    private static string BlobName(uint length) => BlobType(length) switch
    {
        MySqlDbType.TinyBlob => "TINYBLOB",
        MySqlDbType.Blob => "BLOB",
        MySqlDbType.MediumBlob => "MEDIUMBLOB",
        _ => "LONGBLOB",
    };

    // All of them have the same type in the protocol; the length distinguishes them. For text, it is four times the column's bytes, or 2^32 − 1.
    private static MySqlDbType TextType(in Column column) => column.Characters switch
    {
        <= TinyLength => MySqlDbType.TinyText,
        <= NormalLength => MySqlDbType.Text,
        <= MediumLength => MySqlDbType.MediumText,
        _ => MySqlDbType.LongText,
    };

    private static MySqlDbType BlobType(uint length) => length switch
    {
        <= TinyLength => MySqlDbType.TinyBlob,
        <= NormalLength => MySqlDbType.Blob,
        <= MediumLength => MySqlDbType.MediumBlob,
        _ => MySqlDbType.LongBlob,
    };
}
