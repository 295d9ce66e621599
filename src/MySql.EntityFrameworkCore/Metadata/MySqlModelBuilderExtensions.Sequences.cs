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
        var model = modelBuilder.Model;
        name ??= SequenceNames.HiLo;
        SequenceNames.AddHiLo(model, name, schema);
        model.SetAnnotation(MySqlAnnotationNames.ValueGenerationStrategy, MySqlValueGenerationStrategy.SequenceHiLo);
        model.SetOrRemoveAnnotation(MySqlAnnotationNames.HiLoSequenceName, name);
        model.SetOrRemoveAnnotation(MySqlAnnotationNames.HiLoSequenceSchema, schema);
        model.RemoveAnnotation(MySqlAnnotationNames.SequenceNameSuffix);
        model.RemoveAnnotation(MySqlAnnotationNames.SequenceSchema);
        return modelBuilder;
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
        var model = modelBuilder.Model;
        model.SetAnnotation(MySqlAnnotationNames.ValueGenerationStrategy, MySqlValueGenerationStrategy.Sequence);
        model.SetOrRemoveAnnotation(MySqlAnnotationNames.SequenceNameSuffix, nameSuffix ?? SequenceNames.Suffix);
        model.SetOrRemoveAnnotation(MySqlAnnotationNames.SequenceSchema, schema);
        model.RemoveAnnotation(MySqlAnnotationNames.HiLoSequenceName);
        model.RemoveAnnotation(MySqlAnnotationNames.HiLoSequenceSchema);
        return modelBuilder;
    }
}
