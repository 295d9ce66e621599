using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Metadata;

/// <summary>The sequences of keys, by the names that EF Core's other providers give to them.</summary>
internal static class SequenceNames
{
    public const string HiLo = "EntityFrameworkHiLoSequence";
    public const string Suffix = "Sequence";

    private const int BlockSize = 10;

    /// <summary>Adds the sequence that gives blocks, if the model does not have it.</summary>
    public static void AddHiLo(IMutableModel model, string name, string? schema)
    {
        if (model.FindSequence(name, schema) is null)
            model.AddSequence(name, schema).IncrementBy = BlockSize;
    }

    /// <summary>Returns the name of the sequence that makes a column's values: the property's, or by the root of its hierarchy.</summary>
    public static string Of(IReadOnlyProperty property) => property.GetSequenceName()
        ?? Root(property.DeclaringType).ShortName() + (property.DeclaringType.Model[MySqlAnnotationNames.SequenceNameSuffix] as string ?? Suffix);

    /// <summary>Returns the schema of that sequence.</summary>
    public static string? SchemaOf(IReadOnlyProperty property) => property.GetSequenceName() is null
        ? property.DeclaringType.Model[MySqlAnnotationNames.SequenceSchema] as string
        : property[MySqlAnnotationNames.SequenceSchema] as string;

    private static IReadOnlyTypeBase Root(IReadOnlyTypeBase type) => type is IReadOnlyEntityType entityType ? entityType.GetRootType() : type;
}
