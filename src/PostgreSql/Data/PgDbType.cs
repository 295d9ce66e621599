using System.Diagnostics.CodeAnalysis;

namespace Slipstream.PostgreSql;

/// <summary>PostgreSQL's types as a parameter can have them. Names and numbers equal those of Npgsql's NpgsqlDbType.</summary>
[SuppressMessage("Naming", "CA1720:Identifier contains type name", Justification = "The names are the database's.")]
public enum PgDbType
{
    Bigint = 1,
    Boolean = 2,
    Bytea = 4,
    Char = 6,
    Date = 7,
    Double = 8,
    Integer = 9,
    Numeric = 13,
    Real = 17,
    Smallint = 18,
    Text = 19,
    Time = 20,
    Timestamp = 21,
    Varchar = 22,
    Refcursor = 23,
    TimestampTz = 26,
    Uuid = 27,
    Xml = 28,
    Interval = 30,
    TimeTz = 31,
    Name = 32,
    Json = 35,
    Jsonb = 36,
    InternalChar = 38,

    /// <summary>The server infers the type; the value is sent as text. For types that are not here: enumerations, arrays, inet, citext, …</summary>
    Unknown = 40,

    Oid = 41,
    Xid = 42,
    Cid = 43,
}
