using System.Data;
using System.Numerics;
using System.Text;
using Slipstream.MySql.Conventions;

namespace Slipstream.MySql;

/// <summary>Converts between <see cref="MySqlDbType"/>, <see cref="DbType"/> and CLR types of parameters.</summary>
internal static class ParameterTypes
{
    /// <summary>The type of a parameter that has neither a type nor a value.</summary>
    public const MySqlDbType Unknown = MySqlDbType.VarChar;

    private static readonly Dictionary<Type, MySqlDbType> ByClrType = new()
    {
        [typeof(bool)] = MySqlDbType.Bool,
        [typeof(sbyte)] = MySqlDbType.Byte,
        [typeof(byte)] = MySqlDbType.UByte,
        [typeof(short)] = MySqlDbType.Int16,
        [typeof(ushort)] = MySqlDbType.UInt16,
        [typeof(int)] = MySqlDbType.Int32,
        [typeof(uint)] = MySqlDbType.UInt32,
        [typeof(long)] = MySqlDbType.Int64,
        [typeof(ulong)] = MySqlDbType.UInt64,
        [typeof(float)] = MySqlDbType.Float,
        [typeof(double)] = MySqlDbType.Double,
        [typeof(decimal)] = MySqlDbType.NewDecimal,
        [typeof(BigInteger)] = MySqlDbType.NewDecimal,
        [typeof(MySqlDecimal)] = MySqlDbType.NewDecimal,
        [typeof(string)] = MySqlDbType.VarChar,
        [typeof(char)] = MySqlDbType.VarChar,
        [typeof(char[])] = MySqlDbType.VarChar,
        [typeof(StringBuilder)] = MySqlDbType.VarChar,
        [typeof(Memory<char>)] = MySqlDbType.VarChar,
        [typeof(ReadOnlyMemory<char>)] = MySqlDbType.VarChar,
        [typeof(byte[])] = MySqlDbType.Blob,
        [typeof(ArraySegment<byte>)] = MySqlDbType.Blob,
        [typeof(Memory<byte>)] = MySqlDbType.Blob,
        [typeof(ReadOnlyMemory<byte>)] = MySqlDbType.Blob,
        [typeof(float[])] = MySqlDbType.Vector,
        [typeof(Memory<float>)] = MySqlDbType.Vector,
        [typeof(ReadOnlyMemory<float>)] = MySqlDbType.Vector,
        [typeof(MySqlGeometry)] = MySqlDbType.Geometry,
        [typeof(Guid)] = MySqlDbType.Guid,
        [typeof(DateTime)] = MySqlDbType.DateTime,
        [typeof(DateTimeOffset)] = MySqlDbType.DateTime,
        [typeof(MySqlDateTime)] = MySqlDbType.DateTime,
        [typeof(DateOnly)] = MySqlDbType.Date,
        [typeof(TimeOnly)] = MySqlDbType.Time,
        [typeof(TimeSpan)] = MySqlDbType.Time,
    };

    private static readonly HashSet<Type> UnknownToMySqlConnector =
    [
        typeof(BigInteger), typeof(ArraySegment<byte>), typeof(Memory<byte>), typeof(ReadOnlyMemory<byte>), typeof(float[]), typeof(Memory<float>),
        typeof(ReadOnlyMemory<float>), typeof(MySqlDateTime),
    ];

    /// <summary>Returns the type for a value's CLR type; <see cref="Unknown"/> for other CLR types.</summary>
    public static MySqlDbType Of(Type? type)
    {
        if (type is null)
            return Unknown;
        if (ByClrType.TryGetValue(type, out var known))
            return ThisAssembly.Conventions.KnowsFewerParameterTypes && UnknownToMySqlConnector.Contains(type) ? Unknown : known;
        if (Nullable.GetUnderlyingType(type) is { } underlying)
            return Of(underlying);
        if (type.IsEnum)
            return Of(type.GetEnumUnderlyingType());
        return typeof(Stream).IsAssignableFrom(type) && !ThisAssembly.Conventions.KnowsFewerParameterTypes ? MySqlDbType.Blob : Unknown;
    }

    /// <summary>Returns the general type for a MySQL type.</summary>
    public static DbType ToDbType(MySqlDbType type) => type switch
    {
        MySqlDbType.Bool => DbType.Boolean,
        MySqlDbType.Byte => DbType.SByte,
        MySqlDbType.UByte => DbType.Byte,
        MySqlDbType.Int16 => DbType.Int16,
        MySqlDbType.UInt16 => DbType.UInt16,
        MySqlDbType.Int24 or MySqlDbType.Int32 or MySqlDbType.Year => DbType.Int32,
        MySqlDbType.UInt24 or MySqlDbType.UInt32 => DbType.UInt32,
        MySqlDbType.Int64 => DbType.Int64,
        MySqlDbType.UInt64 or MySqlDbType.Bit => DbType.UInt64,
        MySqlDbType.Float => DbType.Single,
        MySqlDbType.Double => DbType.Double,
        MySqlDbType.Decimal or MySqlDbType.NewDecimal => DbType.Decimal,
        MySqlDbType.Timestamp or MySqlDbType.DateTime => DbType.DateTime,
        MySqlDbType.Date or MySqlDbType.Newdate => DbType.Date,
        MySqlDbType.Time => DbType.Time,
        MySqlDbType.Guid => DbType.Guid,
        MySqlDbType.TinyBlob or MySqlDbType.MediumBlob or MySqlDbType.LongBlob or MySqlDbType.Blob or MySqlDbType.Binary or MySqlDbType.VarBinary
            or MySqlDbType.Geometry => DbType.Binary,
        MySqlDbType.String => DbType.StringFixedLength,
        MySqlDbType.Vector or MySqlDbType.Null => DbType.Object,
        _ => DbType.String,
    };

    /// <summary>Returns the MySQL type for a general type. Null for <see cref="DbType.Object"/>, which means that the value determines the type.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The type is not a member of the enumeration.</exception>
    public static MySqlDbType? FromDbType(DbType type) => type switch
    {
        DbType.Boolean => MySqlDbType.Bool,
        DbType.SByte => MySqlDbType.Byte,
        DbType.Byte => MySqlDbType.UByte,
        DbType.Int16 => MySqlDbType.Int16,
        DbType.UInt16 => MySqlDbType.UInt16,
        DbType.Int32 => MySqlDbType.Int32,
        DbType.UInt32 => MySqlDbType.UInt32,
        DbType.Int64 => MySqlDbType.Int64,
        DbType.UInt64 => MySqlDbType.UInt64,
        DbType.Single => MySqlDbType.Float,
        DbType.Double => MySqlDbType.Double,
        DbType.Decimal or DbType.Currency or DbType.VarNumeric => MySqlDbType.NewDecimal,
        DbType.DateTime or DbType.DateTime2 or DbType.DateTimeOffset => MySqlDbType.DateTime,
        DbType.Date => MySqlDbType.Date,
        DbType.Time => MySqlDbType.Time,
        DbType.Guid => MySqlDbType.Guid,
        DbType.Binary => MySqlDbType.Blob,
        DbType.StringFixedLength or DbType.AnsiStringFixedLength => MySqlDbType.String,
        DbType.String or DbType.AnsiString or DbType.Xml => MySqlDbType.VarChar,
        DbType.Object => null,
        _ => throw new ArgumentOutOfRangeException(nameof(type), type, "The parameter's DbType is not a member of the enumeration."),
    };
}
