namespace Slipstream.PostgreSql.Protocol;

/// <summary>The object ids of the built-in types, which are the same in every server. Source: src/include/catalog/pg_type.dat.</summary>
internal static class TypeOid
{
    /// <summary>No type: the server infers it.</summary>
    public const uint Unspecified = 0;

    public const uint Bool = 16;
    public const uint Bytea = 17;

    /// <summary>"char", with the quotes: one byte.</summary>
    public const uint InternalChar = 18;

    public const uint Name = 19;
    public const uint Int8 = 20;
    public const uint Int2 = 21;
    public const uint Int4 = 23;
    public const uint Text = 25;
    public const uint Oid = 26;
    public const uint Xid = 28;
    public const uint Cid = 29;
    public const uint Json = 114;
    public const uint Xml = 142;
    public const uint Float4 = 700;
    public const uint Float8 = 701;
    public const uint Unknown = 705;
    public const uint Money = 790;
    public const uint BpChar = 1042;
    public const uint VarChar = 1043;
    public const uint Date = 1082;
    public const uint Time = 1083;
    public const uint Timestamp = 1114;
    public const uint TimestampTz = 1184;
    public const uint Interval = 1186;
    public const uint TimeTz = 1266;
    public const uint Bit = 1560;
    public const uint BitArray = 1561;
    public const uint Numeric = 1700;
    public const uint RefCursor = 1790;
    public const uint Record = 2249;
    public const uint Void = 2278;
    public const uint RecordArray = 2287;
    public const uint Uuid = 2950;
    public const uint Jsonb = 3802;

    /// <summary>Returns the type's name as SQL writes it, or null for a type that is not built in.</summary>
    public static string? NameOf(uint oid) => oid switch
    {
        Bool => "boolean",
        Bytea => "bytea",
        InternalChar => "\"char\"",
        Name => "name",
        Int8 => "bigint",
        Int2 => "smallint",
        Int4 => "integer",
        Text => "text",
        Oid => "oid",
        Xid => "xid",
        Cid => "cid",
        Json => "json",
        Xml => "xml",
        Float4 => "real",
        Float8 => "double precision",
        Unknown => "unknown",
        Money => "money",
        BpChar => "character",
        VarChar => "character varying",
        Date => "date",
        Time => "time without time zone",
        Timestamp => "timestamp without time zone",
        TimestampTz => "timestamp with time zone",
        Interval => "interval",
        TimeTz => "time with time zone",
        Numeric => "numeric",
        RefCursor => "refcursor",
        Record => "record",
        Void => "void",
        Uuid => "uuid",
        Jsonb => "jsonb",
        _ => TypeNames.WithoutCodec(oid),
    };
}
