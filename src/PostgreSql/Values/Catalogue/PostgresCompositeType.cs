namespace Slipstream.PostgreSql;

/// <summary>A composite type: the row of a table, or a type that CREATE TYPE has made.</summary>
public sealed class PostgresCompositeType : PostgresType
{
    private readonly Func<IReadOnlyList<Field>> _fields;

    // A table's column may have an array of the table's own type, so the fields are looked up later.
    internal PostgresCompositeType(string ns, string name, uint oid, Func<IReadOnlyList<Field>> fields)
        : base(ns, name, name, oid) => _fields = fields;

    /// <summary>Gets the fields, in their order.</summary>
    public IReadOnlyList<Field> Fields => field ??= _fields();

    /// <summary>A field of a composite type.</summary>
    public sealed class Field
    {
        internal Field(string name, PostgresType type)
        {
            Name = name;
            Type = type;
        }

        /// <summary>Gets the field's name.</summary>
        public string Name { get; }

        /// <summary>Gets the field's type.</summary>
        public PostgresType Type { get; }

        /// <summary>Returns the name and the type.</summary>
        /// <returns>The text.</returns>
        public override string ToString() => $"{Name}: {Type}";
    }
}
