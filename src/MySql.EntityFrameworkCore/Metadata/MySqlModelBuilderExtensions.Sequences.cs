using Microsoft.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Microsoft.EntityFrameworkCore;

public static partial class MySqlModelBuilderExtensions
{
    /// <summary>
    /// Lets the program generate the values of numeric keys that are generated on add, from blocks that it takes from a sequence of MariaDB (HiLo).
    /// </summary>
    /// <param name="modelBuilder">The builder of the model.</param>
    /// <param name="name">The name of the sequence. Null: EntityFrameworkHiLoSequence. If the model does not have it, it is added, with blocks of 10.</param>
    /// <param name="schema">The schema of the sequence, if the options translate schemas.</param>
    /// <returns>The builder.</returns>
    public static ModelBuilder UseHiLo(this ModelBuilder modelBuilder, string? name = null, string? schema = null)
    {
        ArgumentNullException.ThrowIfNull(modelBuilder);
        name ??= SequenceNames.HiLo;
        SequenceNames.AddHiLo(modelBuilder.Model, name, schema);
        return Use(modelBuilder, MySqlValueGenerationStrategy.SequenceHiLo, hiLo: (name, schema));
    }

    /// <summary>
    /// Lets sequences of MariaDB generate the values of numeric keys that are generated on add: one sequence for each hierarchy of entity types.
    /// </summary>
    /// <param name="modelBuilder">The builder of the model.</param>
    /// <param name="nameSuffix">The suffix that the name of a sequence has after the name of the entity type. Null: Sequence.</param>
    /// <param name="schema">The schema of the sequences, if the options translate schemas.</param>
    /// <returns>The builder.</returns>
    public static ModelBuilder UseKeySequences(this ModelBuilder modelBuilder, string? nameSuffix = null, string? schema = null)
    {
        ArgumentNullException.ThrowIfNull(modelBuilder);
        return Use(modelBuilder, MySqlValueGenerationStrategy.Sequence, sequences: (nameSuffix ?? SequenceNames.Suffix, schema));
    }

    // A model has the arguments of one strategy only.
    private static ModelBuilder Use(
        ModelBuilder builder, MySqlValueGenerationStrategy strategy, (string? Name, string? Schema) hiLo = default,
        (string? Suffix, string? Schema) sequences = default)
    {
        var model = builder.Model;
        model.SetAnnotation(MySqlAnnotationNames.ValueGenerationStrategy, strategy);
        model.SetOrRemoveAnnotation(MySqlAnnotationNames.HiLoSequenceName, hiLo.Name);
        model.SetOrRemoveAnnotation(MySqlAnnotationNames.HiLoSequenceSchema, hiLo.Schema);
        model.SetOrRemoveAnnotation(MySqlAnnotationNames.SequenceNameSuffix, sequences.Suffix);
        model.SetOrRemoveAnnotation(MySqlAnnotationNames.SequenceSchema, sequences.Schema);
        return builder;
    }
}
