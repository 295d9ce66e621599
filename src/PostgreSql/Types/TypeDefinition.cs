using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>The category of a type: pg_type.typtype, with arrays as a category of their own.</summary>
internal enum TypeCategory : byte
{
    Base = (byte)'b',
    Enum = (byte)'e',
    Composite = (byte)'c',
    Domain = (byte)'d',
    Range = (byte)'r',
    Multirange = (byte)'m',
    Pseudo = (byte)'p',
    Array = (byte)'a',
}

/// <summary>A row of pg_type, with what the codecs need from other catalogues. Source: PostgreSQL 18, 52.64 "pg_type".</summary>
/// <param name="Oid">The object id.</param>
/// <param name="Schema">The name of the schema.</param>
/// <param name="Name">The name in pg_type.</param>
/// <param name="Category">The category.</param>
/// <param name="Related">Object id of an array's element, a range's subtype, a multirange's range or a domain's base type; otherwise 0.</param>
internal sealed record TypeDefinition(uint Oid, string Schema, string Name, TypeCategory Category, uint Related)
{
    /// <summary>The character between the elements of most arrays.</summary>
    public const byte UsualDelimiter = (byte)',';

    /// <summary>Gets the character between the elements of an array in text: pg_type.typdelim of the element's type.</summary>
    public byte Delimiter { get; init; } = UsualDelimiter;

    /// <summary>Gets the labels of an enumeration, in order.</summary>
    public List<string> Labels { get; } = [];

    /// <summary>Gets the names and types of a composite type's fields, in order.</summary>
    public List<(string Name, uint Oid)> Fields { get; } = [];

    /// <summary>Gets the name as SQL writes it, if it differs from the name in pg_type.</summary>
    public string? SqlName { get; init; }

    /// <summary>Gets or sets whether a domain does not allow NULL.</summary>
    public bool IsNotNull { get; init; }
}
