using System.Collections.Frozen;
using System.Data;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql;

/// <summary>Converts between object ids, <see cref="PgDbType"/> and <see cref="DbType"/>.</summary>
internal static class ParameterTypes
{
    // Obsolete for programs.
    private const PgDbType Abstime = (PgDbType)33;

    private const PgDbType Flags = PgDbType.Array | PgDbType.Range | PgDbType.Multirange;

    // The types that are no scalars, by their names in pg_type.
    private static readonly FrozenDictionary<PgDbType, string> Names = new Dictionary<PgDbType, string>
    {
        [PgDbType.Box] = "box", [PgDbType.Circle] = "circle", [PgDbType.Line] = "line", [PgDbType.LSeg] = "lseg", [PgDbType.Money] = "money",
        [PgDbType.Path] = "path", [PgDbType.Point] = "point", [PgDbType.Polygon] = "polygon", [PgDbType.Inet] = "inet", [PgDbType.Bit] = "bit",
        [PgDbType.Oidvector] = "oidvector", [PgDbType.MacAddr] = "macaddr", [PgDbType.Varbit] = "varbit", [PgDbType.Cidr] = "cidr",
        [PgDbType.TsVector] = "tsvector", [PgDbType.TsQuery] = "tsquery", [PgDbType.Regtype] = "regtype", [PgDbType.Int2Vector] = "int2vector",
        [PgDbType.Tid] = "tid", [PgDbType.MacAddr8] = "macaddr8", [PgDbType.Regconfig] = "regconfig", [PgDbType.JsonPath] = "jsonpath",
        [PgDbType.PgLsn] = "pg_lsn", [PgDbType.Xid8] = "xid8",
        [PgDbType.Hstore] = "hstore", [PgDbType.Geometry] = "geometry", [PgDbType.Citext] = "citext", [PgDbType.Geography] = "geography",
        [PgDbType.LTree] = "ltree", [PgDbType.LQuery] = "lquery", [PgDbType.LTxtQuery] = "ltxtquery", [PgDbType.Cube] = "cube",
        [Abstime] = "abstime",
    }.ToFrozenDictionary();

    private static readonly FrozenDictionary<string, PgDbType> ByName = Names.ToFrozenDictionary(static pair => pair.Value, static pair => pair.Key);

    /// <summary>Returns the object id of a type.</summary>
    /// <exception cref="NotSupportedException">The database does not have the type.</exception>
    public static uint ToOid(PgDbType type, TypeCatalogue types) => ScalarOid(type) is { } scalar ? scalar : RareOid(type, types);

    /// <summary>Returns the object id of the type of that name.</summary>
    /// <exception cref="NotSupportedException">The database does not have the type.</exception>
    public static uint OidOf(string name, TypeCatalogue types) => types.Find(name) is not 0 and var oid
        ? oid
        : throw new NotSupportedException($"The database has no type '{name}': check the name and its schema, create the type or its extension, and call "
            + "ReloadTypes.");

    /// <summary>Returns whether the driver writes the type itself, without the types of the database.</summary>
    public static bool IsScalar(PgDbType type) => ScalarOid(type) is not null;

    /// <summary>Returns whether the driver writes the type of that name itself.</summary>
    public static bool IsScalar(string name) => ColumnKinds.Of(TypeCatalogue.BuiltIn.Find(name)) != ColumnKind.Other;

    /// <summary>Returns whether the type is one of an extension, whose object id differs between databases.</summary>
    public static bool IsNamed(PgDbType type) => (type & ~Flags) is PgDbType.Hstore or PgDbType.Geometry or PgDbType.Citext or PgDbType.Geography
        or PgDbType.LTree or PgDbType.LQuery or PgDbType.LTxtQuery or PgDbType.Cube or Abstime;

    /// <summary>
    /// Returns the name of the type as SQL writes it; "unknown" if the server infers the type, and null if only a database may have the type, such as a range
    /// of text.
    /// </summary>
    public static string? NameOf(PgDbType type)
    {
        if (type == PgDbType.Unknown)
            return "unknown";
        if ((type & PgDbType.Array) != 0)
            return NameOf(type & ~PgDbType.Array) is { } element ? element + "[]" : null;
        if ((type & PgDbType.Range) != 0)
            return TypeCatalogue.BuiltIn.Describe(ToOid(type & ~PgDbType.Range, TypeCatalogue.BuiltIn)).Range?.Name;
        if ((type & PgDbType.Multirange) != 0)
            return TypeCatalogue.BuiltIn.Describe(ToOid(type & ~PgDbType.Multirange, TypeCatalogue.BuiltIn)).Range?.Multirange?.Name;
        return IsNamed(type) ? Names[type] : TypeCatalogue.BuiltIn.Get(ToOid(type, TypeCatalogue.BuiltIn)).Name;
    }

    /// <summary>Returns the type of that name; <see cref="PgDbType.Unknown"/> if it has no member.</summary>
    public static PgDbType FromName(string name)
    {
        if (TypeCatalogue.BuiltIn.Find(name) is not 0 and var oid)
            return FromOid(oid);
        if (name.EndsWith("[]", StringComparison.Ordinal) && FromName(name[..^2]) is not PgDbType.Unknown and var element)
            return element | PgDbType.Array;
        return ByName.GetValueOrDefault(name, PgDbType.Unknown);
    }

    private static uint RareOid(PgDbType type, TypeCatalogue types)
    {
        if ((type & PgDbType.Array) != 0)
            return types.Describe(ToOid(type & ~PgDbType.Array, types)).Array?.OID ?? throw Unsupported(type);
        if ((type & PgDbType.Range) != 0)
            return types.Describe(ToOid(type & ~PgDbType.Range, types)).Range?.OID ?? throw Unsupported(type);
        if ((type & PgDbType.Multirange) != 0)
            return types.Describe(ToOid(type & ~PgDbType.Multirange, types)).Range?.Multirange?.OID ?? throw Unsupported(type);
        return Names.TryGetValue(type, out var name) ? OidOf(name, types) : throw Unsupported(type);
    }

    private static NotSupportedException Unsupported(PgDbType type) => new($"The database has no type {type}: use another type, or set DataTypeName.");

    private static uint? ScalarOid(PgDbType type) => type switch
    {
        PgDbType.Bigint => TypeOid.Int8,
        PgDbType.Boolean => TypeOid.Bool,
        PgDbType.Bytea => TypeOid.Bytea,
        PgDbType.Char => TypeOid.BpChar,
        PgDbType.Date => TypeOid.Date,
        PgDbType.Double => TypeOid.Float8,
        PgDbType.Integer => TypeOid.Int4,
        PgDbType.Numeric => TypeOid.Numeric,
        PgDbType.Real => TypeOid.Float4,
        PgDbType.Smallint => TypeOid.Int2,
        PgDbType.Text => TypeOid.Text,
        PgDbType.Time => TypeOid.Time,
        PgDbType.Timestamp => TypeOid.Timestamp,
        PgDbType.Varchar => TypeOid.VarChar,
        PgDbType.Refcursor => TypeOid.RefCursor,
        PgDbType.TimestampTz => TypeOid.TimestampTz,
        PgDbType.Uuid => TypeOid.Uuid,
        PgDbType.Xml => TypeOid.Xml,
        PgDbType.Interval => TypeOid.Interval,
        PgDbType.TimeTz => TypeOid.TimeTz,
        PgDbType.Name => TypeOid.Name,
        PgDbType.Json => TypeOid.Json,
        PgDbType.Jsonb => TypeOid.Jsonb,
        PgDbType.InternalChar => TypeOid.InternalChar,
        PgDbType.Oid => TypeOid.Oid,
        PgDbType.Xid => TypeOid.Xid,
        PgDbType.Cid => TypeOid.Cid,
        PgDbType.Unknown => TypeOid.Unspecified,
        _ => null,
    };

    /// <summary>Returns the type of an object id; <see cref="PgDbType.Unknown"/> if it has no member.</summary>
    public static PgDbType FromOid(uint oid) => oid switch
    {
        TypeOid.Int8 => PgDbType.Bigint,
        TypeOid.Bool => PgDbType.Boolean,
        TypeOid.Bytea => PgDbType.Bytea,
        TypeOid.BpChar => PgDbType.Char,
        TypeOid.Date => PgDbType.Date,
        TypeOid.Float8 => PgDbType.Double,
        TypeOid.Int4 => PgDbType.Integer,
        TypeOid.Numeric => PgDbType.Numeric,
        TypeOid.Float4 => PgDbType.Real,
        TypeOid.Int2 => PgDbType.Smallint,
        TypeOid.Text => PgDbType.Text,
        TypeOid.Time => PgDbType.Time,
        TypeOid.Timestamp => PgDbType.Timestamp,
        TypeOid.VarChar => PgDbType.Varchar,
        TypeOid.RefCursor => PgDbType.Refcursor,
        TypeOid.TimestampTz => PgDbType.TimestampTz,
        TypeOid.Uuid => PgDbType.Uuid,
        TypeOid.Xml => PgDbType.Xml,
        TypeOid.Interval => PgDbType.Interval,
        TypeOid.TimeTz => PgDbType.TimeTz,
        TypeOid.Name => PgDbType.Name,
        TypeOid.Json => PgDbType.Json,
        TypeOid.Jsonb => PgDbType.Jsonb,
        TypeOid.InternalChar => PgDbType.InternalChar,
        TypeOid.Oid => PgDbType.Oid,
        TypeOid.Xid => PgDbType.Xid,
        TypeOid.Cid => PgDbType.Cid,
        _ => FromRareOid(oid),
    };

    private static PgDbType FromRareOid(uint oid)
    {
        if (!BuiltInTypes.All.TryGetValue(oid, out var type))
            return PgDbType.Unknown;
        var flag = type.Category switch
        {
            TypeCategory.Array => PgDbType.Array,
            TypeCategory.Range => PgDbType.Range,
            TypeCategory.Multirange => PgDbType.Multirange,
            _ => default,
        };
        if (flag == default)
            return ByName.GetValueOrDefault(type.Name, PgDbType.Unknown);
        var inner = FromOid(type.Related);
        // A multirange is one of the range's bounds.
        return inner == PgDbType.Unknown ? PgDbType.Unknown : (flag == PgDbType.Multirange ? inner & ~PgDbType.Range : inner) | flag;
    }

    /// <summary>Returns the type for a <see cref="DbType"/>; null if it follows from the value.</summary>
    public static PgDbType? FromDbType(DbType type) => type switch
    {
        DbType.AnsiString or DbType.AnsiStringFixedLength or DbType.String or DbType.StringFixedLength => PgDbType.Text,
        DbType.Binary => PgDbType.Bytea,
        DbType.Boolean => PgDbType.Boolean,
        DbType.Byte or DbType.SByte or DbType.Int16 => PgDbType.Smallint,
        DbType.UInt16 or DbType.Int32 => PgDbType.Integer,
        DbType.UInt32 or DbType.Int64 => PgDbType.Bigint,
        DbType.UInt64 or DbType.Decimal or DbType.Currency or DbType.VarNumeric => PgDbType.Numeric,
        DbType.Single => PgDbType.Real,
        DbType.Double => PgDbType.Double,
        DbType.Date => PgDbType.Date,
        DbType.DateTime or DbType.DateTimeOffset => PgDbType.TimestampTz,
        DbType.DateTime2 => PgDbType.Timestamp,
        DbType.Time => PgDbType.Time,
        DbType.Guid => PgDbType.Uuid,
        DbType.Xml => PgDbType.Xml,
        DbType.Object => null,
        _ => throw new NotSupportedException($"Parameters of DbType.{type} are not supported: use another DbType, or send the value as a string with "
            + "PgDbType.Unknown and a cast in SQL."),
    };

    public static DbType ToDbType(PgDbType type) => type switch
    {
        PgDbType.Bigint => DbType.Int64,
        PgDbType.Boolean => DbType.Boolean,
        PgDbType.Bytea => DbType.Binary,
        PgDbType.Char or PgDbType.Text or PgDbType.Varchar or PgDbType.Name or PgDbType.Citext => DbType.String,
        PgDbType.Money => DbType.Currency,
        PgDbType.Date => DbType.Date,
        PgDbType.Double => DbType.Double,
        PgDbType.Integer => DbType.Int32,
        PgDbType.Numeric => DbType.Decimal,
        PgDbType.Real => DbType.Single,
        PgDbType.Smallint => DbType.Int16,
        PgDbType.Time => DbType.Time,
        PgDbType.Timestamp => DbType.DateTime2,
        PgDbType.TimestampTz => DbType.DateTime,
        PgDbType.Uuid => DbType.Guid,
        PgDbType.Xml => DbType.Xml,
        _ => DbType.Object,
    };
}
