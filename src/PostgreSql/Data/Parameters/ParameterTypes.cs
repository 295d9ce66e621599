using System.Data;
using Slipstream.PostgreSql.Protocol;

namespace Slipstream.PostgreSql;

/// <summary>Converts between object ids, <see cref="PgDbType"/> and <see cref="DbType"/>.</summary>
internal static class ParameterTypes
{
    public static uint ToOid(PgDbType type) => type switch
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
        _ => throw new NotSupportedException($"Parameters of the type {type} are not supported yet: send the value as a string with PgDbType.Unknown and a "
            + "cast in SQL."),
    };

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
        _ => PgDbType.Unknown,
    };

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
        PgDbType.Char or PgDbType.Text or PgDbType.Varchar or PgDbType.Name => DbType.String,
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
