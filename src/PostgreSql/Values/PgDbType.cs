using System.Diagnostics.CodeAnalysis;

namespace Slipstream.PostgreSql;

/// <summary>PostgreSQL's types for a parameter. Names and numbers equal those of Npgsql's NpgsqlDbType.</summary>
[SuppressMessage("Naming", "CA1720:Identifier contains type name", Justification = "The names are the database's.")]
public enum PgDbType
{
    /// <summary>PostgreSQL's bigint.</summary>
    Bigint = 1,
    /// <summary>PostgreSQL's boolean.</summary>
    Boolean = 2,
    /// <summary>PostgreSQL's bytea.</summary>
    Bytea = 4,
    /// <summary>PostgreSQL's character.</summary>
    Char = 6,
    /// <summary>PostgreSQL's date.</summary>
    Date = 7,
    /// <summary>PostgreSQL's double precision.</summary>
    Double = 8,
    /// <summary>PostgreSQL's integer.</summary>
    Integer = 9,
    /// <summary>PostgreSQL's numeric.</summary>
    Numeric = 13,
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
    /// <summary>PostgreSQL's timestamp with time zone.</summary>
    TimestampTz = 26,
    /// <summary>PostgreSQL's uuid.</summary>
    Uuid = 27,
    /// <summary>PostgreSQL's xml.</summary>
    Xml = 28,
    /// <summary>PostgreSQL's interval.</summary>
    Interval = 30,
    /// <summary>PostgreSQL's time with time zone.</summary>
    TimeTz = 31,
    /// <summary>PostgreSQL's name.</summary>
    Name = 32,
    /// <summary>PostgreSQL's json.</summary>
    Json = 35,
    /// <summary>PostgreSQL's jsonb.</summary>
    Jsonb = 36,
    /// <summary>PostgreSQL's "char".</summary>
    InternalChar = 38,

    /// <summary>
    /// The server infers the type; the value is sent as text. Use it for types without a name here, such as enumerations, arrays, inet and citext.
    /// </summary>
    Unknown = 40,

    /// <summary>PostgreSQL's oid.</summary>
    Oid = 41,
    /// <summary>PostgreSQL's xid.</summary>
    Xid = 42,
    /// <summary>PostgreSQL's cid.</summary>
    Cid = 43,
}
