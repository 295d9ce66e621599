namespace Slipstream.PostgreSql;

/// <summary>A domain: a type with constraints over another type.</summary>
public sealed class PostgresDomainType : PostgresType
{
    internal PostgresDomainType(string ns, string name, uint oid, PostgresType baseType, bool isNotNull)
        : base(ns, name, name, oid)
    {
        BaseType = baseType;
        NotNull = isNotNull;
    }

    /// <summary>Gets the type that the domain is based on.</summary>
    public PostgresType BaseType { get; }

    /// <summary>Gets whether the domain does not allow NULL.</summary>
    public bool NotNull { get; }
}
