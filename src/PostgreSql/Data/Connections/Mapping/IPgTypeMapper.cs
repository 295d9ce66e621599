using System.Diagnostics.CodeAnalysis;
using System.Text.Json;

namespace Slipstream.PostgreSql;

/// <summary>Maps .NET types to types of the database: of one data source (<see cref="PgDataSourceBuilder"/>), or of all that are created later
/// (<see cref="PgConnection.GlobalTypeMapper"/>).</summary>
public interface IPgTypeMapper
{
    /// <summary>Gets or sets how names of .NET types and members become names of the database. Default: snake_case, as in "order_status".</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    IPgNameTranslator DefaultNameTranslator { get; set; }

    /// <inheritdoc cref="PgDataSourceBuilder.MapEnum{TEnum}"/>
    IPgTypeMapper MapEnum<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)] TEnum>(
        string? pgName = null, IPgNameTranslator? nameTranslator = null)
        where TEnum : struct, Enum;

    /// <inheritdoc cref="PgDataSourceBuilder.MapEnum(Type, string, IPgNameTranslator)"/>
    [RequiresUnreferencedCode("The members of the type may have been removed: use MapEnum<TEnum>.")]
    [RequiresDynamicCode("The mapping of the type must be created at run time: use MapEnum<TEnum>.")]
    IPgTypeMapper MapEnum(Type clrType, string? pgName = null, IPgNameTranslator? nameTranslator = null);

    /// <inheritdoc cref="PgDataSourceBuilder.UnmapEnum{TEnum}"/>
    bool UnmapEnum<TEnum>(string? pgName = null, IPgNameTranslator? nameTranslator = null)
        where TEnum : struct, Enum;

    /// <inheritdoc cref="PgDataSourceBuilder.UnmapEnum(Type, string, IPgNameTranslator)"/>
    bool UnmapEnum(Type clrType, string? pgName = null, IPgNameTranslator? nameTranslator = null);

    /// <inheritdoc cref="PgDataSourceBuilder.MapComposite{T}"/>
    IPgTypeMapper MapComposite<
        [DynamicallyAccessedMembers(
            DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties
            | DynamicallyAccessedMemberTypes.PublicConstructors)] T>(string? pgName = null, IPgNameTranslator? nameTranslator = null)
        where T : notnull;

    /// <inheritdoc cref="PgDataSourceBuilder.MapComposite(Type, string, IPgNameTranslator)"/>
    [RequiresUnreferencedCode("The members of the type may have been removed: use MapComposite<T>.")]
    [RequiresDynamicCode("The mapping of the type must be created at run time: use MapComposite<T>.")]
    IPgTypeMapper MapComposite(Type clrType, string? pgName = null, IPgNameTranslator? nameTranslator = null);

    /// <inheritdoc cref="PgDataSourceBuilder.UnmapComposite{T}"/>
    bool UnmapComposite<T>(string? pgName = null, IPgNameTranslator? nameTranslator = null);

    /// <inheritdoc cref="PgDataSourceBuilder.UnmapComposite(Type, string, IPgNameTranslator)"/>
    bool UnmapComposite(Type clrType, string? pgName = null, IPgNameTranslator? nameTranslator = null);

    /// <inheritdoc cref="PgDataSourceBuilder.ConfigureJsonOptions"/>
    IPgTypeMapper ConfigureJsonOptions(JsonSerializerOptions serializerOptions);

    /// <inheritdoc cref="PgDataSourceBuilder.EnableDynamicJson"/>
    [RequiresUnreferencedCode("The members of the types may have been removed: use ConfigureJsonOptions with a source-generated context.")]
    [RequiresDynamicCode("The serializers of the types must be created at run time: use ConfigureJsonOptions with a source-generated context.")]
    IPgTypeMapper EnableDynamicJson(Type[]? jsonbClrTypes = null, Type[]? jsonClrTypes = null);

    /// <inheritdoc cref="PgDataSourceBuilder.EnableRecordsAsTuples"/>
    IPgTypeMapper EnableRecordsAsTuples();

    /// <inheritdoc cref="PgDataSourceBuilder.EnableUnmappedTypes"/>
    IPgTypeMapper EnableUnmappedTypes();

    /// <summary>Removes all mappings that were added, and sets the name translator to its default.</summary>
    void Reset();
}
