namespace Slipstream.PostgreSql;

/// <summary>An enumeration.</summary>
public sealed class PostgresEnumType : PostgresType
{
    internal PostgresEnumType(string ns, string name, uint oid, IReadOnlyList<string> labels)
        : base(ns, name, name, oid) => Labels = labels;

    /// <summary>Gets the labels, in the order of the enumeration.</summary>
    public IReadOnlyList<string> Labels { get; }
}
