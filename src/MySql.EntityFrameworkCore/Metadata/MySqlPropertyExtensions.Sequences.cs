using Microsoft.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore;

public static partial class MySqlPropertyExtensions
{
    /// <summary>Whether the program makes the values from blocks of a sequence. The complete model says so of the property itself.</summary>
    internal static bool UsesHiLo(IReadOnlyProperty property) => Set(property) == MySqlValueGenerationStrategy.SequenceHiLo;

    /// <summary>Returns the name of the sequence from which the program takes blocks of values, if the property uses HiLo.</summary>
    /// <param name="property">The property.</param>
    /// <returns>The name: the property's, or the model's.</returns>
    public static string? GetHiLoSequenceName(this IReadOnlyProperty property)
    {
        ArgumentNullException.ThrowIfNull(property);
        return property[MySqlAnnotationNames.HiLoSequenceName] as string
            ?? property.DeclaringType.Model[MySqlAnnotationNames.HiLoSequenceName] as string;
    }

    /// <summary>Returns the sequence from which the program takes blocks of values, if the property uses HiLo.</summary>
    /// <param name="property">The property.</param>
    /// <returns>The sequence, or null.</returns>
    public static IReadOnlySequence? FindHiLoSequence(this IReadOnlyProperty property) => property.GetHiLoSequenceName() is { } name
        ? property.DeclaringType.Model.FindSequence(
            name,
            property[MySqlAnnotationNames.HiLoSequenceName] is null
                ? property.DeclaringType.Model[MySqlAnnotationNames.HiLoSequenceSchema] as string
                : property[MySqlAnnotationNames.HiLoSequenceSchema] as string)
        : null;

    /// <summary>Returns the name of the sequence that generates the column's values, if the property uses a sequence.</summary>
    /// <param name="property">The property.</param>
    /// <returns>The name. Null in a model that is still being built, if no name was set.</returns>
    public static string? GetSequenceName(this IReadOnlyProperty property)
    {
        ArgumentNullException.ThrowIfNull(property);
        return property[MySqlAnnotationNames.SequenceName] as string;
    }

    /// <summary>Returns the sequence that generates the column's values, if the property uses a sequence.</summary>
    /// <param name="property">The property.</param>
    /// <returns>The sequence, or null.</returns>
    public static IReadOnlySequence? FindSequence(this IReadOnlyProperty property) => property.GetSequenceName() is { } name
        ? property.DeclaringType.Model.FindSequence(name, property[MySqlAnnotationNames.SequenceSchema] as string)
        : null;
}
