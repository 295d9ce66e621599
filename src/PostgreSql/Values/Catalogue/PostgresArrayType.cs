namespace Slipstream.PostgreSql;

/// <summary>A type of arrays.</summary>
public sealed class PostgresArrayType : PostgresType
{
    internal PostgresArrayType(string ns, string internalName, uint oid, PostgresType element)
        : base(ns, element.Name + "[]", internalName, oid)
    {
        Element = element;
        element.Array ??= this;
    }

    /// <summary>Gets the type of the elements.</summary>
    public PostgresType Element { get; }
}
