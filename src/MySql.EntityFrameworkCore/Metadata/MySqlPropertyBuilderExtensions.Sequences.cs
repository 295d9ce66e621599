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
        SequenceNames.AddHiLo(propertyBuilder.Metadata.DeclaringType.Model, name, schema);
        return Use(propertyBuilder, MySqlValueGenerationStrategy.SequenceHiLo, hiLo: (name, schema));
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
        return Use(propertyBuilder, MySqlValueGenerationStrategy.Sequence, sequence: (name, schema));
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

    // A property has the arguments of one strategy only.
    private static PropertyBuilder Use(
        PropertyBuilder builder, MySqlValueGenerationStrategy strategy, (string? Name, string? Schema) hiLo = default,
        (string? Name, string? Schema) sequence = default)
    {
        var property = builder.Metadata;
        property.SetValueGenerationStrategy(strategy);
        property.SetOrRemoveAnnotation(MySqlAnnotationNames.HiLoSequenceName, hiLo.Name);
        property.SetOrRemoveAnnotation(MySqlAnnotationNames.HiLoSequenceSchema, hiLo.Schema);
        property.SetOrRemoveAnnotation(MySqlAnnotationNames.SequenceName, sequence.Name);
        property.SetOrRemoveAnnotation(MySqlAnnotationNames.SequenceSchema, sequence.Schema);
        return builder.ValueGeneratedOnAdd();
    }
}
