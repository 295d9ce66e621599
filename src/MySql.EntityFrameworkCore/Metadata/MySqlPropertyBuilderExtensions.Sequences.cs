using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore;

public static partial class MySqlPropertyBuilderExtensions
{
    /// <summary>
    /// Lets the program generate the values, from blocks that it takes from a sequence of MariaDB (HiLo): keys are known before the row is inserted, and a
    /// block costs one round trip.
    /// </summary>
    /// <param name="propertyBuilder">The builder of the property.</param>
    /// <param name="name">The name of the sequence. Null: EntityFrameworkHiLoSequence. If the model does not have it, it is added, with blocks of 10.</param>
    /// <param name="schema">The schema of the sequence, if the options translate schemas.</param>
    /// <returns>The builder.</returns>
    public static PropertyBuilder UseHiLo(this PropertyBuilder propertyBuilder, string? name = null, string? schema = null)
    {
        ArgumentNullException.ThrowIfNull(propertyBuilder);
        name ??= SequenceNames.HiLo;
        var property = propertyBuilder.Metadata;
        SequenceNames.AddHiLo(property.DeclaringType.Model, name, schema);
        property.SetValueGenerationStrategy(MySqlValueGenerationStrategy.SequenceHiLo);
        property.SetOrRemoveAnnotation(MySqlAnnotationNames.HiLoSequenceName, name);
        property.SetOrRemoveAnnotation(MySqlAnnotationNames.HiLoSequenceSchema, schema);
        property.RemoveAnnotation(MySqlAnnotationNames.SequenceName);
        property.RemoveAnnotation(MySqlAnnotationNames.SequenceSchema);
        return propertyBuilder.ValueGeneratedOnAdd();
    }

    /// <inheritdoc cref="UseHiLo(PropertyBuilder, string?, string?)"/>
    /// <typeparam name="TProperty">The property's type.</typeparam>
    /// <param name="propertyBuilder">The builder of the property.</param>
    /// <param name="name">The name of the sequence. Null: EntityFrameworkHiLoSequence. If the model does not have it, it is added, with blocks of 10.</param>
    /// <param name="schema">The schema of the sequence, if the options translate schemas.</param>
    public static PropertyBuilder<TProperty> UseHiLo<TProperty>(
        this PropertyBuilder<TProperty> propertyBuilder, string? name = null, string? schema = null) =>
        (PropertyBuilder<TProperty>)UseHiLo((PropertyBuilder)propertyBuilder, name, schema);

    /// <summary>Lets a sequence of MariaDB generate the values: its next value is the column's default.</summary>
    /// <param name="propertyBuilder">The builder of the property.</param>
    /// <param name="name">
    /// The name of the sequence. Null: the name of the entity type, followed by the model's suffix, which is Sequence. If the model does not have it, it is
    /// added.
    /// </param>
    /// <param name="schema">The schema of the sequence, if the options translate schemas.</param>
    /// <returns>The builder.</returns>
    public static PropertyBuilder UseSequence(this PropertyBuilder propertyBuilder, string? name = null, string? schema = null)
    {
        ArgumentNullException.ThrowIfNull(propertyBuilder);
        var property = propertyBuilder.Metadata;
        property.SetValueGenerationStrategy(MySqlValueGenerationStrategy.Sequence);
        property.SetOrRemoveAnnotation(MySqlAnnotationNames.SequenceName, name);
        property.SetOrRemoveAnnotation(MySqlAnnotationNames.SequenceSchema, schema);
        property.RemoveAnnotation(MySqlAnnotationNames.HiLoSequenceName);
        property.RemoveAnnotation(MySqlAnnotationNames.HiLoSequenceSchema);
        return propertyBuilder.ValueGeneratedOnAdd();
    }

    /// <inheritdoc cref="UseSequence(PropertyBuilder, string?, string?)"/>
    /// <typeparam name="TProperty">The property's type.</typeparam>
    /// <param name="propertyBuilder">The builder of the property.</param>
    /// <param name="name">
    /// The name of the sequence. Null: the name of the entity type, followed by the model's suffix, which is Sequence. If the model does not have it, it is
    /// added.
    /// </param>
    /// <param name="schema">The schema of the sequence, if the options translate schemas.</param>
    public static PropertyBuilder<TProperty> UseSequence<TProperty>(
        this PropertyBuilder<TProperty> propertyBuilder, string? name = null, string? schema = null) =>
        (PropertyBuilder<TProperty>)UseSequence((PropertyBuilder)propertyBuilder, name, schema);
}
