using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Design;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Design;

/// <summary>Writes annotations as calls of methods into snapshots and scaffolded contexts.</summary>
internal sealed class MySqlAnnotationCodeGenerator(AnnotationCodeGeneratorDependencies dependencies) : AnnotationCodeGenerator(dependencies)
{
    private static readonly MethodInfo AutoIncrementColumns = ((Func<ModelBuilder, ModelBuilder>)MySqlModelBuilderExtensions.AutoIncrementColumns).Method;
    private static readonly MethodInfo UseGuidCollation = ((Func<ModelBuilder, string?, ModelBuilder>)MySqlModelBuilderExtensions.UseGuidCollation).Method;

    private static readonly MethodInfo HasModelCharSet =
        ((Func<ModelBuilder, string?, DelegationModes?, ModelBuilder>)MySqlModelBuilderExtensions.HasCharSet).Method;

    private static readonly MethodInfo HasTableCharSet =
        ((Func<EntityTypeBuilder, string?, DelegationModes?, EntityTypeBuilder>)MySqlEntityTypeBuilderExtensions.HasCharSet).Method;

    private static readonly MethodInfo UseTableCollation =
        ((Func<EntityTypeBuilder, string?, DelegationModes?, EntityTypeBuilder>)MySqlEntityTypeBuilderExtensions.UseCollation).Method;

    private static readonly MethodInfo HasColumnCharSet = ((Func<PropertyBuilder, string?, PropertyBuilder>)MySqlPropertyBuilderExtensions.HasCharSet).Method;
    private static readonly MethodInfo UseIdentity = ((Func<PropertyBuilder, PropertyBuilder>)MySqlPropertyBuilderExtensions.UseMySqlIdentityColumn).Method;
    private static readonly MethodInfo UseComputed = ((Func<PropertyBuilder, PropertyBuilder>)MySqlPropertyBuilderExtensions.UseMySqlComputedColumn).Method;
    private static readonly MethodInfo IsFullText = ((Func<IndexBuilder, bool, string?, IndexBuilder>)MySqlIndexBuilderExtensions.IsFullText).Method;
    private static readonly MethodInfo IsSpatial = ((Func<IndexBuilder, bool, IndexBuilder>)MySqlIndexBuilderExtensions.IsSpatial).Method;

    private static readonly MethodInfo IsVector =
        ((Func<IndexBuilder, bool, MySqlVectorDistance?, int?, IndexBuilder>)MySqlIndexBuilderExtensions.IsVector).Method;

    private static readonly MethodInfo HasReferenceSystem =
        ((Func<PropertyBuilder, int?, PropertyBuilder>)MySqlPropertyBuilderExtensions.HasSpatialReferenceSystem).Method;

    private static readonly MethodInfo HasIndexPrefix = ((Func<IndexBuilder, int[], IndexBuilder>)MySqlIndexBuilderExtensions.HasPrefixLength).Method;
    private static readonly MethodInfo HasKeyPrefix = ((Func<KeyBuilder, int[], KeyBuilder>)MySqlKeyBuilderExtensions.HasPrefixLength).Method;

    protected override MethodCallCodeFragment? GenerateFluentApi(IModel model, IAnnotation annotation) => (annotation.Name, annotation.Value) switch
    {
        (MySqlAnnotationNames.ValueGenerationStrategy, MySqlValueGenerationStrategy.SequenceHiLo) =>
            SequenceCalls.Call(SequenceCalls.UseModelHiLo, model, MySqlAnnotationNames.HiLoSequenceName, MySqlAnnotationNames.HiLoSequenceSchema),
        (MySqlAnnotationNames.ValueGenerationStrategy, MySqlValueGenerationStrategy.Sequence) =>
            SequenceCalls.Call(SequenceCalls.UseKeySequences, model, MySqlAnnotationNames.SequenceNameSuffix, MySqlAnnotationNames.SequenceSchema),
        (MySqlAnnotationNames.ValueGenerationStrategy, MySqlValueGenerationStrategy.IdentityColumn) => new(AutoIncrementColumns),
        (MySqlAnnotationNames.CharSet, string charSet) when model[MySqlAnnotationNames.CharSetDelegation] is null => new(HasModelCharSet, charSet),
        (MySqlAnnotationNames.GuidCollation, string collation) => new(UseGuidCollation, collation),
        _ => base.GenerateFluentApi(model, annotation),
    };

    protected override MethodCallCodeFragment? GenerateFluentApi(IEntityType entityType, IAnnotation annotation) => (annotation.Name, annotation.Value) switch
    {
        (MySqlAnnotationNames.CharSet, string charSet) when entityType[MySqlAnnotationNames.CharSetDelegation] is null => new(HasTableCharSet, charSet),
        (RelationalAnnotationNames.Collation, string collation) when entityType[MySqlAnnotationNames.CollationDelegation] is null =>
            new(UseTableCollation, collation),
        _ => base.GenerateFluentApi(entityType, annotation),
    };

    protected override MethodCallCodeFragment? GenerateFluentApi(IProperty property, IAnnotation annotation) => (annotation.Name, annotation.Value) switch
    {
        (MySqlAnnotationNames.ValueGenerationStrategy, MySqlValueGenerationStrategy.IdentityColumn) => new(UseIdentity),
        (MySqlAnnotationNames.ValueGenerationStrategy, MySqlValueGenerationStrategy.ComputedColumn) => new(UseComputed),
        (MySqlAnnotationNames.ValueGenerationStrategy, MySqlValueGenerationStrategy.SequenceHiLo) =>
            SequenceCalls.Call(SequenceCalls.UseHiLo, property, MySqlAnnotationNames.HiLoSequenceName, MySqlAnnotationNames.HiLoSequenceSchema),
        (MySqlAnnotationNames.ValueGenerationStrategy, MySqlValueGenerationStrategy.Sequence) =>
            SequenceCalls.Call(SequenceCalls.UseSequence, property, MySqlAnnotationNames.SequenceName, MySqlAnnotationNames.SequenceSchema),
        (MySqlAnnotationNames.CharSet, string charSet) => new(HasColumnCharSet, charSet),
        (MySqlAnnotationNames.SpatialReferenceSystemId, int srid) => new(HasReferenceSystem, srid),
        _ => base.GenerateFluentApi(property, annotation),
    };

    protected override MethodCallCodeFragment? GenerateFluentApi(IKey key, IAnnotation annotation) => annotation is
    { Name: MySqlAnnotationNames.IndexPrefixLength, Value: int[] lengths }
        ? new(HasKeyPrefix, [lengths])
        : base.GenerateFluentApi(key, annotation);

    public override IReadOnlyList<MethodCallCodeFragment> GenerateFluentApiCalls(IModel model, IDictionary<string, IAnnotation> annotations) =>
        SequenceCalls.WithoutArguments(base.GenerateFluentApiCalls(model, annotations), annotations);

    public override IReadOnlyList<MethodCallCodeFragment> GenerateFluentApiCalls(IProperty property, IDictionary<string, IAnnotation> annotations) =>
        SequenceCalls.WithoutArguments(base.GenerateFluentApiCalls(property, annotations), annotations);

    public override IReadOnlyList<MethodCallCodeFragment> GenerateFluentApiCalls(IEntityType entityType, IDictionary<string, IAnnotation> annotations) =>
        TemporalCalls.Take(entityType, annotations) is { } call
            ? [.. base.GenerateFluentApiCalls(entityType, annotations), call]
            : base.GenerateFluentApiCalls(entityType, annotations);

    // These are arguments of the calls.
    protected override bool IsHandledByConvention(IIndex index, IAnnotation annotation) => annotation.Name switch
    {
        MySqlAnnotationNames.FullTextParser => index[MySqlAnnotationNames.FullTextIndex] is true,
        MySqlAnnotationNames.VectorDistance or MySqlAnnotationNames.VectorNeighbors => index[MySqlAnnotationNames.VectorIndex] is true,
        _ => base.IsHandledByConvention(index, annotation),
    };

    protected override MethodCallCodeFragment? GenerateFluentApi(IIndex index, IAnnotation annotation) => (annotation.Name, annotation.Value) switch
    {
        (MySqlAnnotationNames.FullTextIndex, true) => index[MySqlAnnotationNames.FullTextParser] is string parser
            ? new(IsFullText, true, parser)
            : new(IsFullText),
        (MySqlAnnotationNames.SpatialIndex, true) => new(IsSpatial),
        (MySqlAnnotationNames.VectorIndex, true) => new(
            IsVector, true,
            index[MySqlAnnotationNames.VectorDistance] is string distance ? Enum.Parse<MySqlVectorDistance>(distance, ignoreCase: true) : null,
            index[MySqlAnnotationNames.VectorNeighbors]),
        (MySqlAnnotationNames.IndexPrefixLength, int[] lengths) => new(HasIndexPrefix, [lengths]),
        _ => base.GenerateFluentApi(index, annotation),
    };
}
