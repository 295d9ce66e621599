using System.Diagnostics.CodeAnalysis;

namespace Slipstream.PostgreSql;

/// <summary>
/// PostgreSQL's types for a parameter. Names and numbers equal those of Npgsql's NpgsqlDbType. Combine a type with <see cref="Array"/>,
/// <see cref="Range"/> or <see cref="Multirange"/>; <see cref="PgParameter.DataTypeName"/> names a type that is missing here.
/// </summary>
[Flags]
[SuppressMessage("Design", "CA1069", Justification = "Each range has its own name.")]
[SuppressMessage("Usage", "CA2217", Justification = "The numbers of the base types are not flags.")]
[SuppressMessage("Naming", "CA1720:Identifier contains type name", Justification = "The names are the database's.")]
public enum PgDbType
{
    /// <summary>PostgreSQL's bigint.</summary>
    Bigint = 1,
    /// <summary>PostgreSQL's boolean.</summary>
    Boolean = 2,
    /// <summary>PostgreSQL's box.</summary>
    Box = 3,
    /// <summary>PostgreSQL's bytea.</summary>
    Bytea = 4,
    /// <summary>PostgreSQL's circle.</summary>
    Circle = 5,
    /// <summary>PostgreSQL's character.</summary>
    Char = 6,
    /// <summary>PostgreSQL's date.</summary>
    Date = 7,
    /// <summary>PostgreSQL's double precision.</summary>
    Double = 8,
    /// <summary>PostgreSQL's integer.</summary>
    Integer = 9,
    /// <summary>PostgreSQL's line.</summary>
    Line = 10,
    /// <summary>PostgreSQL's lseg.</summary>
    LSeg = 11,
    /// <summary>PostgreSQL's money.</summary>
    Money = 12,
    /// <summary>PostgreSQL's numeric.</summary>
    Numeric = 13,
    /// <summary>PostgreSQL's path.</summary>
    Path = 14,
    /// <summary>PostgreSQL's point.</summary>
    Point = 15,
    /// <summary>PostgreSQL's polygon.</summary>
    Polygon = 16,
    /// <summary>PostgreSQL's real.</summary>
    Real = 17,
    /// <summary>PostgreSQL's smallint.</summary>
    Smallint = 18,
    /// <summary>PostgreSQL's text.</summary>
    Text = 19,
    /// <summary>PostgreSQL's time without time zone.</summary>
    Time = 20,
    /// <summary>PostgreSQL's timestamp without time zone.</summary>
    Timestamp = 21,
    /// <summary>PostgreSQL's character varying.</summary>
    Varchar = 22,
    /// <summary>PostgreSQL's refcursor.</summary>
    Refcursor = 23,
    /// <summary>PostgreSQL's inet.</summary>
    Inet = 24,
    /// <summary>PostgreSQL's bit.</summary>
    Bit = 25,
    /// <summary>PostgreSQL's timestamp with time zone.</summary>
    TimestampTz = 26,
    /// <summary>PostgreSQL's uuid.</summary>
    Uuid = 27,
    /// <summary>PostgreSQL's xml.</summary>
    Xml = 28,
    /// <summary>PostgreSQL's oidvector.</summary>
    Oidvector = 29,
    /// <summary>PostgreSQL's interval.</summary>
    Interval = 30,
    /// <summary>PostgreSQL's time with time zone.</summary>
    TimeTz = 31,
    /// <summary>PostgreSQL's name.</summary>
    Name = 32,
    /// <summary>The abstime of PostgreSQL before version 12: no server has it now.</summary>
    [Obsolete("PostgreSQL 12 removed the type abstime. Use TimestampTz.")]
    Abstime = 33,
    /// <summary>PostgreSQL's macaddr.</summary>
    MacAddr = 34,
    /// <summary>PostgreSQL's json.</summary>
    Json = 35,
    /// <summary>PostgreSQL's jsonb.</summary>
    Jsonb = 36,
    /// <summary>PostgreSQL's hstore, of the extension of that name.</summary>
    Hstore = 37,
    /// <summary>PostgreSQL's "char".</summary>
    InternalChar = 38,
    /// <summary>PostgreSQL's bit varying.</summary>
    Varbit = 39,
    /// <summary>The server infers the type; the value is sent as text.</summary>
    Unknown = 40,
    /// <summary>PostgreSQL's oid.</summary>
    Oid = 41,
    /// <summary>PostgreSQL's xid.</summary>
    Xid = 42,
    /// <summary>PostgreSQL's cid.</summary>
    Cid = 43,
    /// <summary>PostgreSQL's cidr.</summary>
    Cidr = 44,
    /// <summary>PostgreSQL's tsvector.</summary>
    TsVector = 45,
    /// <summary>PostgreSQL's tsquery.</summary>
    TsQuery = 46,
    /// <summary>PostgreSQL's regtype.</summary>
    Regtype = 49,
    /// <summary>PostgreSQL's geometry, of the extension PostGIS.</summary>
    Geometry = 50,
    /// <summary>PostgreSQL's citext, of the extension of that name.</summary>
    Citext = 51,
    /// <summary>PostgreSQL's int2vector.</summary>
    Int2Vector = 52,
    /// <summary>PostgreSQL's tid.</summary>
    Tid = 53,
    /// <summary>PostgreSQL's macaddr8.</summary>
    MacAddr8 = 54,
    /// <summary>PostgreSQL's geography, of the extension PostGIS.</summary>
    Geography = 55,
    /// <summary>PostgreSQL's regconfig.</summary>
    Regconfig = 56,
    /// <summary>PostgreSQL's jsonpath.</summary>
    JsonPath = 57,
    /// <summary>PostgreSQL's pg_lsn.</summary>
    PgLsn = 59,
    /// <summary>PostgreSQL's ltree, of the extension of that name.</summary>
    LTree = 60,
    /// <summary>PostgreSQL's lquery, of the extension ltree.</summary>
    LQuery = 61,
    /// <summary>PostgreSQL's ltxtquery, of the extension ltree.</summary>
    LTxtQuery = 62,
    /// <summary>PostgreSQL's cube, of the extension of that name.</summary>
    Cube = 63,
    /// <summary>PostgreSQL's xid8.</summary>
    Xid8 = 64,
    /// <summary>PostgreSQL's int8multirange.</summary>
    BigIntMultirange = 536870913,
    /// <summary>PostgreSQL's datemultirange.</summary>
    DateMultirange = 536870919,
    /// <summary>PostgreSQL's int4multirange.</summary>
    IntegerMultirange = 536870921,
    /// <summary>PostgreSQL's nummultirange.</summary>
    NumericMultirange = 536870925,
    /// <summary>PostgreSQL's tsmultirange.</summary>
    TimestampMultirange = 536870933,
    /// <summary>PostgreSQL's tstzmultirange.</summary>
    TimestampTzMultirange = 536870938,
    /// <summary>PostgreSQL's int8range.</summary>
    BigIntRange = 1073741825,
    /// <summary>PostgreSQL's daterange.</summary>
    DateRange = 1073741831,
    /// <summary>PostgreSQL's int4range.</summary>
    IntegerRange = 1073741833,
    /// <summary>PostgreSQL's numrange.</summary>
    NumericRange = 1073741837,
    /// <summary>PostgreSQL's tsrange.</summary>
    TimestampRange = 1073741845,
    /// <summary>PostgreSQL's tstzrange.</summary>
    TimestampTzRange = 1073741850,
    /// <summary>A flag: multiranges of the type, such as <c>Multirange | Integer</c>.</summary>
    Multirange = 0x20000000,
    /// <summary>A flag: ranges of the type, such as <c>Range | Integer</c>.</summary>
    Range = 0x40000000,
    /// <summary>A flag: arrays of the type, such as <c>Array | Integer</c>.</summary>
    Array = int.MinValue,
}
