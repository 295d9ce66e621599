using Microsoft.EntityFrameworkCore.ChangeTracking;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.ValueConversion;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Storage;

/// <summary>
/// Finds the mapping of a CLR type, a type of the database, or both. The defaults are those of Pomelo's provider, so that migrations continue.
/// </summary>
internal sealed class MySqlTypeMappingSource : RelationalTypeMappingSource
{
    // A row holds 65,535 bytes, and a character of utf8mb4 up to four.
    private const int LongestVarchar = 16383;
    private const int LongestVarbinary = 65532;
    private const int DefaultKeyLength = 255;
    private const int DefaultPrecision = 6;

    private static readonly MySqlBoolTypeMapping Bool = new("tinyint");
    private static readonly MySqlBoolTypeMapping Bit1 = new("bit");
    private static readonly SByteTypeMapping SByte = new("tinyint");
    private static readonly ByteTypeMapping Byte = new("tinyint unsigned");
    private static readonly ShortTypeMapping Short = new("smallint");
    private static readonly UShortTypeMapping UShort = new("smallint unsigned");
    private static readonly IntTypeMapping Int = new("int");
    private static readonly UIntTypeMapping UInt = new("int unsigned");
    private static readonly LongTypeMapping Long = new("bigint");
    private static readonly ULongTypeMapping ULong = new("bigint unsigned");
    private static readonly MySqlDecimalTypeMapping Decimal = new("decimal");
    private static readonly MySqlDoubleTypeMapping Double = new("double");
    private static readonly MySqlFloatTypeMapping Float = new("float");
    private static readonly MySqlDateOnlyTypeMapping DateOnly = new();
    private static readonly MySqlDateTimeTypeMapping DateTime = new("datetime", DefaultPrecision);
    private static readonly MySqlDateTimeTypeMapping Date = new("date");
    private static readonly MySqlDateTimeTypeMapping Timestamp = new("timestamp", DefaultPrecision);
    private static readonly MySqlDateTimeOffsetTypeMapping DateTimeOffset = new("datetime", DefaultPrecision);
    private static readonly MySqlDateTimeOffsetTypeMapping TimestampOffset = new("timestamp", DefaultPrecision);
    private static readonly MySqlTimeSpanTypeMapping TimeSpan = new("time", DefaultPrecision);
    private static readonly MySqlTimeOnlyTypeMapping TimeOnly = new("time", DefaultPrecision);
    private static readonly MySqlByteArrayTypeMapping LongBlob = new("longblob");

    // A row version of bytes is a timestamp, as in Pomelo's provider: its bytes are the ticks.
    private static readonly RelationalTypeMapping BytesRowVersion =
        (RelationalTypeMapping)Timestamp.WithComposedConverter(new RowVersionConverter(), new ArrayStructuralComparer<byte>());

    private static readonly HashSet<string> Sized = new(StringComparer.OrdinalIgnoreCase)
    {
        "char", "nchar", "varchar", "nvarchar", "binary", "varbinary",
    };

    // The first mapping of a row is the one for an unknown CLR type.
    private readonly Dictionary<string, RelationalTypeMapping[]> _byStoreType;
    private readonly Dictionary<Type, RelationalTypeMapping> _byClrType;
    private readonly GuidMappings _guids;
    private readonly bool _noBackslashEscapes;
    private readonly bool _limitsKeys;

    public MySqlTypeMappingSource(
        TypeMappingSourceDependencies dependencies, RelationalTypeMappingSourceDependencies relationalDependencies, MySqlSingletonOptions options)
        : base(dependencies, relationalDependencies)
    {
        (_noBackslashEscapes, _limitsKeys) = (options.Values.NoBackslashEscapes, options.Values.LimitKeyedOrIndexedStringColumnLength);
        _guids = new(options.Values.GuidFormat);
        var text = String("longtext");
        RelationalTypeMapping[] blob = [LongBlob, _guids.Binary];
        _byClrType = new()
        {
            [typeof(bool)] = Bool,
            [typeof(sbyte)] = SByte,
            [typeof(byte)] = Byte,
            [typeof(short)] = Short,
            [typeof(ushort)] = UShort,
            [typeof(int)] = Int,
            [typeof(uint)] = UInt,
            [typeof(long)] = Long,
            [typeof(ulong)] = ULong,
            [typeof(decimal)] = Decimal,
            [typeof(double)] = Double,
            [typeof(float)] = Float,
            [typeof(DateOnly)] = DateOnly,
            [typeof(DateTime)] = DateTime,
            [typeof(DateTimeOffset)] = DateTimeOffset,
            [typeof(TimeSpan)] = TimeSpan,
            [typeof(TimeOnly)] = TimeOnly,
            [typeof(Guid)] = _guids.Default,
            [typeof(JsonTypePlaceholder)] = new MySqlJsonTypeMapping("json", options.Values.NoBackslashEscapes),
        };
        _byStoreType = new(StringComparer.OrdinalIgnoreCase)
        {
            ["bool"] = [Bool],
            ["boolean"] = [Bool],
            ["bit"] = [ULong, Bit1],
            ["tinyint"] = [SByte, Bool],
            ["tinyint unsigned"] = [Byte, Bool],
            ["smallint"] = [Short],
            ["smallint unsigned"] = [UShort],
            ["mediumint"] = [Int],
            ["mediumint unsigned"] = [UInt],
            ["int"] = [Int],
            ["integer"] = [Int],
            ["int unsigned"] = [UInt],
            ["integer unsigned"] = [UInt],
            ["bigint"] = [Long],
            ["bigint unsigned"] = [ULong],
            ["decimal"] = [Decimal],
            ["decimal unsigned"] = [Decimal],
            ["numeric"] = [Decimal],
            ["dec"] = [Decimal],
            ["fixed"] = [Decimal],
            ["double"] = [Double],
            ["double precision"] = [Double],
            ["double unsigned"] = [Double],
            ["real"] = [Double],
            ["float"] = [Float, Double],
            ["float unsigned"] = [Float, Double],
            ["date"] = [DateOnly, Date],
            ["datetime"] = [DateTime, DateTimeOffset],
            ["timestamp"] = [Timestamp, TimestampOffset, BytesRowVersion],
            ["time"] = [TimeOnly, TimeSpan],
            ["year"] = [Short, Int],
            ["char"] = [text, _guids.Char],
            ["nchar"] = [text],
            ["varchar"] = [text, _guids.Char],
            ["nvarchar"] = [text],
            ["tinytext"] = [text],
            ["text"] = [text],
            ["mediumtext"] = [text],
            ["longtext"] = [text],
            ["enum"] = [text],
            ["set"] = [text],
            ["json"] = [text, _byClrType[typeof(JsonTypePlaceholder)]],
            ["inet4"] = [text],
            ["inet6"] = [text],
            ["uuid"] = [_guids.Uuid],
            ["binary"] = blob,
            ["varbinary"] = blob,
            ["tinyblob"] = [LongBlob],
            ["blob"] = [LongBlob],
            ["mediumblob"] = [LongBlob],
            ["longblob"] = [LongBlob],
            ["vector"] = [MySqlVectorTypeMapping.Default, MySqlVectorTypeMapping.OfMemory],
        };
    }

    protected override RelationalTypeMapping? FindMapping(in RelationalTypeMappingInfo mappingInfo) =>
        base.FindMapping(mappingInfo) ?? (FindOwn(mappingInfo) is { } own ? WithPrecisionOfName(own, mappingInfo).Clone(mappingInfo) : null);

#pragma warning disable EF1001 // the only hook for the mapping of collections
    // EF Core takes a text for a collection of characters, and expects that the type of a JSON document exists under any name.
    protected override RelationalTypeMapping? FindCollectionMapping(
        RelationalTypeMappingInfo info, Type modelType, Type? providerType, CoreTypeMapping? elementMapping) =>
        info.StoreTypeNameBase is { } name
        && (!_byStoreType.TryGetValue(name.Trim(), out var mappings) || !Array.Exists(mappings, static one => one.ClrType == typeof(string)))
            ? null
            : base.FindCollectionMapping(info, modelType, providerType, elementMapping);
#pragma warning restore EF1001

    // "datetime" without a precision has none, and is not the default of a DateTime.
    private static RelationalTypeMapping WithPrecisionOfName(RelationalTypeMapping mapping, in RelationalTypeMappingInfo info) =>
        info.StoreTypeNameBase is not null && mapping is { StoreTypePostfix: StoreTypePostfix.Precision, Precision: DefaultPrecision }
            ? mapping.WithPrecisionAndScale(info.Precision, null)
            : mapping;

    private RelationalTypeMapping? FindOwn(in RelationalTypeMappingInfo info)
    {
        if (info.StoreTypeNameBase is { } name)
            return FindByStoreType(name.Trim(), info);
        if (info.ClrType is not { } clrType || (info.ElementTypeMapping is not null && clrType != typeof(string)))
            return null;
        if (clrType == typeof(string))
            return FindString(info);
        if (clrType == typeof(byte[]))
            return info.IsRowVersion == true ? BytesRowVersion : FindBytes(info);
        return _byClrType.GetValueOrDefault(clrType);
    }

    private RelationalTypeMapping? FindByStoreType(string name, in RelationalTypeMappingInfo info)
    {
        if (!_byStoreType.TryGetValue(name, out var mappings))
            return null;
        if (info.ClrType == typeof(Guid) && info.Size == 32 && name.Equals("char", StringComparison.OrdinalIgnoreCase))
            return _guids.Char32;
        if (info.ClrType is { } clrType)
            return WithSize(Array.Find(mappings, mapping => mapping.ClrType == clrType), name, info);
        return (name.ToUpperInvariant(), info.Size) switch
        {
            ("TINYINT", 1) => Bool,
            ("BIT", 1 or null) => Bit1,
            ("CHAR", 36) => _guids.Char,
            _ => mappings[0],
        };
    }

    // "varchar" without a length is not a type: the length is that of HasMaxLength.
    private RelationalTypeMapping? WithSize(RelationalTypeMapping? mapping, string name, in RelationalTypeMappingInfo info) =>
        info.Size is not > 0 || !Sized.Contains(name)
            ? mapping
            : mapping switch
            {
                MySqlStringTypeMapping { Converter: null } => new MySqlStringTypeMapping(name, info.Size, noBackslashEscapes: _noBackslashEscapes),
                MySqlByteArrayTypeMapping { Converter: null } => new MySqlByteArrayTypeMapping(name, info.Size),
                _ => mapping,
            };

    private MySqlStringTypeMapping FindString(in RelationalTypeMappingInfo info)
    {
        // HasMaxLength(-1): without a limit.
        var size = info.Size ?? (info.IsKeyOrIndex && _limitsKeys ? DefaultKeyLength : null);
        return size is > LongestVarchar or < 0 or null
            ? String("longtext")
            : new(info.IsFixedLength == true ? "char" : "varchar", size, info.IsFixedLength == true, _noBackslashEscapes);
    }

    private static MySqlByteArrayTypeMapping FindBytes(in RelationalTypeMappingInfo info)
    {
        var size = info.Size ?? (info.IsKeyOrIndex ? DefaultKeyLength : null);
        return size is > LongestVarbinary or < 0 or null
            ? LongBlob
            : new(info.IsFixedLength == true ? "binary" : "varbinary", size, info.IsFixedLength == true);
    }

    private MySqlStringTypeMapping String(string storeType) => new(storeType, noBackslashEscapes: _noBackslashEscapes);

    // A number in the order of its bytes. Compiled models contain these expressions as code: it can call only public methods, and names only System.
    private sealed class RowVersionConverter() : ValueConverter<byte[], DateTime>(
        static bytes => new DateTime(Convert.ToInt64(Convert.ToHexString(bytes), 16)),
        static value => Convert.FromHexString(Convert.ToString(value.Ticks, 16).PadLeft(16, '0')));
}
