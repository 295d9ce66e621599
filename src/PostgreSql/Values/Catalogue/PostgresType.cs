namespace Slipstream.PostgreSql;

/// <summary>A type of the database, as pg_type describes it.</summary>
public abstract class PostgresType
{
    private protected PostgresType(string ns, string name, string internalName, uint oid)
    {
        Namespace = ns;
        Name = name;
        InternalName = internalName;
        OID = oid;
    }

    /// <summary>Gets the type's object id. Those of types that are not built in differ between databases.</summary>
    public uint OID { get; }

    /// <summary>Gets the name of the schema that contains the type.</summary>
    public string Namespace { get; }

    /// <summary>Gets the name as SQL writes it, without its schema: "integer", "integer[]", "mood".</summary>
    public string Name { get; }

    /// <summary>Gets the name in pg_type: "int4", "_int4", "mood".</summary>
    public string InternalName { get; }

    /// <summary>Gets the name with its schema: "pg_catalog.integer", "public.mood".</summary>
    public string FullName => $"{Namespace}.{Name}";

    /// <summary>Gets the name to show: without its schema if the type is built in.</summary>
    public string DisplayName => Namespace is "pg_catalog" or "" ? Name : FullName;

    /// <summary>Gets the type of arrays of this type; null if there is none.</summary>
    public PostgresArrayType? Array { get; internal set; }

    /// <summary>Gets the type of ranges of this type; null if there is none.</summary>
    public PostgresRangeType? Range { get; internal set; }

    /// <summary>Returns <see cref="DisplayName"/>.</summary>
    /// <returns>The name.</returns>
    public override string ToString() => DisplayName;
}

/// <summary>A base type, such as integer, text or hstore.</summary>
public sealed class PostgresBaseType : PostgresType
{
    internal PostgresBaseType(string ns, string name, string internalName, uint oid)
        : base(ns, name, internalName, oid)
    {
    }
}

/// <summary>A type that the driver does not know, because it was created after the types were loaded, or because types are not loaded.</summary>
public sealed class UnknownBackendType : PostgresType
{
    internal UnknownBackendType(string name, uint oid)
        : base("", name, name, oid)
    {
    }
}
