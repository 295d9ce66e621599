using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Design;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Design;

/// <summary>The calls of methods that say which sequence makes values.</summary>
internal static class SequenceCalls
{
    public static readonly MethodInfo UseModelHiLo = ((Func<ModelBuilder, string?, string?, ModelBuilder>)MySqlModelBuilderExtensions.UseHiLo).Method;

    public static readonly MethodInfo UseKeySequences =
        ((Func<ModelBuilder, string?, string?, ModelBuilder>)MySqlModelBuilderExtensions.UseKeySequences).Method;

    public static readonly MethodInfo UseHiLo = ((Func<PropertyBuilder, string?, string?, PropertyBuilder>)MySqlPropertyBuilderExtensions.UseHiLo).Method;

    public static readonly MethodInfo UseSequence =
        ((Func<PropertyBuilder, string?, string?, PropertyBuilder>)MySqlPropertyBuilderExtensions.UseSequence).Method;

    /// <summary>A call with the name and the schema that an annotatable has.</summary>
    public static MethodCallCodeFragment Call(MethodInfo method, IAnnotatable annotatable, string nameAnnotation, string schemaAnnotation) =>
        (annotatable[nameAnnotation], annotatable[schemaAnnotation]) switch
        {
            (null, null) => new(method),
            var (name, schema) when schema is null => new(method, name),
            var (name, schema) => new(method, name, schema),
        };

    /// <summary>Removes the annotations that are arguments of one of the calls.</summary>
    public static IReadOnlyList<MethodCallCodeFragment> WithoutArguments(
        IReadOnlyList<MethodCallCodeFragment> calls, IDictionary<string, IAnnotation> annotations)
    {
        if (calls.Any(static call => call.Method is nameof(MySqlPropertyBuilderExtensions.UseHiLo) or nameof(MySqlPropertyBuilderExtensions.UseSequence)
                or nameof(MySqlModelBuilderExtensions.UseKeySequences)))
            foreach (var name in Arguments)
                annotations.Remove(name);
        return calls;
    }

    private static readonly string[] Arguments =
    [
        MySqlAnnotationNames.HiLoSequenceName, MySqlAnnotationNames.HiLoSequenceSchema, MySqlAnnotationNames.SequenceName,
        MySqlAnnotationNames.SequenceNameSuffix, MySqlAnnotationNames.SequenceSchema,
    ];
}
