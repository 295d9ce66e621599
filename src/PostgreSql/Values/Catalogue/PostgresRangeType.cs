namespace Slipstream.PostgreSql;

/// <summary>A type of ranges.</summary>
public sealed class PostgresRangeType : PostgresType
{
    internal PostgresRangeType(string ns, string name, uint oid, PostgresType subtype)
        : base(ns, name, name, oid)
    {
        Subtype = subtype;
        subtype.Range ??= this;
    }

    /// <summary>Gets the type of the bounds.</summary>
    public PostgresType Subtype { get; }

    /// <summary>Gets the type of multiranges of this type; null if there is none (before PostgreSQL 14).</summary>
    public PostgresMultirangeType? Multirange { get; internal set; }
}

/// <summary>A type of multiranges.</summary>
public sealed class PostgresMultirangeType : PostgresType
{
    internal PostgresMultirangeType(string ns, string name, uint oid, PostgresRangeType subrange)
        : base(ns, name, name, oid)
    {
        Subrange = subrange;
        subrange.Multirange ??= this;
    }

    /// <summary>Gets the type of the ranges.</summary>
    public PostgresRangeType Subrange { get; }
}
