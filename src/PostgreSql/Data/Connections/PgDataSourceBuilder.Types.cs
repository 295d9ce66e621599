using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql;

/// <content>The mapping of .NET types to types of the database.</content>
public sealed partial class PgDataSourceBuilder
{
    private readonly TypeMappingBuilder _mapper = new();
    private readonly PgTypeLoadingOptionsBuilder _loading = new();

    internal TypeMappings Mappings => _mapper.Mappings;

    /// <summary>Gets or sets how names of .NET types and members become names of the database. Default: snake_case, as in "order_status".</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public IPgNameTranslator DefaultNameTranslator
    {
        get => _mapper.DefaultNameTranslator;
        set => _mapper.DefaultNameTranslator = value;
    }

    /// <summary>Maps an enumeration to an enumeration of the database: a value of one is read and sent as the value of the other with the same label.</summary>
    /// <typeparam name="TEnum">The enumeration. <see cref="PgNameAttribute"/> gives a member another label.</typeparam>
    /// <param name="pgName">The name of the type in the database; null for the name of <typeparamref name="TEnum"/>, translated.</param>
    /// <param name="nameTranslator">Translates the names of members; null for <see cref="DefaultNameTranslator"/>.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder MapEnum<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)] TEnum>(
        string? pgName = null, IPgNameTranslator? nameTranslator = null)
        where TEnum : struct, Enum
    {
        _mapper.MapEnum<TEnum>(pgName, nameTranslator);
        return this;
    }

    /// <summary>Maps an enumeration to an enumeration of the database.</summary>
    /// <param name="clrType">The enumeration.</param>
    /// <param name="pgName">The name of the type in the database; null for the name of the enumeration, translated.</param>
    /// <param name="nameTranslator">Translates the names of members; null for <see cref="DefaultNameTranslator"/>.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentException">The type is not an enumeration.</exception>
    [RequiresUnreferencedCode("The members of the type may have been removed: use MapEnum<TEnum>.")]
    [RequiresDynamicCode("The mapping of the type must be created at run time: use MapEnum<TEnum>.")]
    public PgDataSourceBuilder MapEnum(Type clrType, string? pgName = null, IPgNameTranslator? nameTranslator = null)
    {
        _mapper.MapEnum(clrType, pgName, nameTranslator);
        return this;
    }

    /// <summary>Removes the mapping of an enumeration.</summary>
    /// <typeparam name="TEnum">The enumeration.</typeparam>
    /// <param name="pgName">The name of the type in the database; null for the name of <typeparamref name="TEnum"/>, translated.</param>
    /// <param name="nameTranslator">Translates the name; null for <see cref="DefaultNameTranslator"/>.</param>
    /// <returns>False if there was no such mapping.</returns>
    public bool UnmapEnum<TEnum>(string? pgName = null, IPgNameTranslator? nameTranslator = null)
        where TEnum : struct, Enum => _mapper.Unmap(typeof(TEnum), pgName, nameTranslator);

    /// <summary>Removes the mapping of an enumeration.</summary>
    /// <param name="clrType">The enumeration.</param>
    /// <param name="pgName">The name of the type in the database; null for the name of the enumeration, translated.</param>
    /// <param name="nameTranslator">Translates the name; null for <see cref="DefaultNameTranslator"/>.</param>
    /// <returns>False if there was no such mapping.</returns>
    public bool UnmapEnum(Type clrType, string? pgName = null, IPgNameTranslator? nameTranslator = null) => _mapper.Unmap(clrType, pgName, nameTranslator);

    /// <summary>
    /// Maps a type to a composite type of the database: each field of the composite type has a property, a field or a parameter of the constructor with its
    /// name, translated.
    /// </summary>
    /// <typeparam name="T">The .NET type. <see cref="PgNameAttribute"/> gives a member another name.</typeparam>
    /// <param name="pgName">The name of the type in the database; null for the name of <typeparamref name="T"/>, translated.</param>
    /// <param name="nameTranslator">Translates the names of members; null for <see cref="DefaultNameTranslator"/>.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder MapComposite<
        [DynamicallyAccessedMembers(
            DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties
            | DynamicallyAccessedMemberTypes.PublicConstructors)] T>(string? pgName = null, IPgNameTranslator? nameTranslator = null)
        where T : notnull
    {
        _mapper.MapComposite<T>(pgName, nameTranslator);
        return this;
    }

    /// <summary>Maps a type to a composite type of the database.</summary>
    /// <param name="clrType">The .NET type.</param>
    /// <param name="pgName">The name of the type in the database; null for the name of the .NET type, translated.</param>
    /// <param name="nameTranslator">Translates the names of members; null for <see cref="DefaultNameTranslator"/>.</param>
    /// <returns>The builder.</returns>
    [RequiresUnreferencedCode("The members of the type may have been removed: use MapComposite<T>.")]
    [RequiresDynamicCode("The mapping of the type must be created at run time: use MapComposite<T>.")]
    public PgDataSourceBuilder MapComposite(Type clrType, string? pgName = null, IPgNameTranslator? nameTranslator = null)
    {
        _mapper.MapComposite(clrType, pgName, nameTranslator);
        return this;
    }

    /// <summary>Removes the mapping of a composite type.</summary>
    /// <typeparam name="T">The .NET type.</typeparam>
    /// <param name="pgName">The name of the type in the database; null for the name of <typeparamref name="T"/>, translated.</param>
    /// <param name="nameTranslator">Translates the name; null for <see cref="DefaultNameTranslator"/>.</param>
    /// <returns>False if there was no such mapping.</returns>
    public bool UnmapComposite<T>(string? pgName = null, IPgNameTranslator? nameTranslator = null) => _mapper.Unmap(typeof(T), pgName, nameTranslator);

    /// <summary>Removes the mapping of a composite type.</summary>
    /// <param name="clrType">The .NET type.</param>
    /// <param name="pgName">The name of the type in the database; null for the name of the .NET type, translated.</param>
    /// <param name="nameTranslator">Translates the name; null for <see cref="DefaultNameTranslator"/>.</param>
    /// <returns>False if there was no such mapping.</returns>
    public bool UnmapComposite(Type clrType, string? pgName = null, IPgNameTranslator? nameTranslator = null) => _mapper.Unmap(clrType, pgName, nameTranslator);

    /// <summary>
    /// Reads and writes a type of the database with a converter. Its arrays are converted, too. A type can have several .NET types: call the method once for
    /// each.
    /// </summary>
    /// <typeparam name="T">The .NET type.</typeparam>
    /// <param name="dataTypeName">
    /// The name of the type in the database, such as "geometry" or "timestamp with time zone". A name without a schema means the types of that name in all
    /// schemas.
    /// </param>
    /// <param name="converter">The converter.</param>
    /// <param name="isDefault">Whether GetValue returns the .NET type. If not, only GetFieldValue does.</param>
    /// <param name="isSent">Whether values of the .NET type are sent as this type of the database unless another is set.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder MapType<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)] T>(
        string dataTypeName, PgConverter<T> converter, bool isDefault = true, bool isSent = true)
        where T : notnull
    {
        ArgumentException.ThrowIfNullOrEmpty(dataTypeName);
        ArgumentNullException.ThrowIfNull(converter);
        _mapper.Mappings.Add(new(typeof(T), dataTypeName, _ => converter)
        {
            IsDefault = isDefault, IsSent = isSent, IsInAnySchema = true,
        });
        return this;
    }

    /// <summary>Reads and writes a type of the database through another .NET type that the driver already reads and writes.</summary>
    /// <typeparam name="TStored">The type that the driver reads and writes, such as <see cref="PgRange{T}"/>.</typeparam>
    /// <typeparam name="T">The .NET type.</typeparam>
    /// <param name="dataTypeName">The name of the type in the database.</param>
    /// <param name="read">Converts a value that was read.</param>
    /// <param name="write">Converts a value to be sent.</param>
    /// <param name="isDefault">Whether GetValue returns the .NET type. If not, only GetFieldValue does.</param>
    /// <param name="isSent">Whether values of the .NET type are sent as this type of the database unless another is set.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder MapType<
        TStored, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)] T>(
        string dataTypeName, Func<TStored, T> read, Func<T, TStored> write, bool isDefault = true, bool isSent = true)
        where T : notnull
    {
        ArgumentNullException.ThrowIfNull(read);
        ArgumentNullException.ThrowIfNull(write);
        return MapType(dataTypeName, new ProjectedConverter<TStored, T>(read, write), isDefault, isSent);
    }

    /// <summary>
    /// Registers arrays and lists of a nullable value type, such as <c>T?[]</c>, so that arrays with NULL can be read. The driver knows those of its own types.
    /// </summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder RegisterNullable<T>()
        where T : struct
    {
        ElementShapes.RegisterValue<T>();
        return this;
    }

    /// <summary>
    /// Registers ranges of a type, so that they can be read and sent as <see cref="PgRange{T}"/>. The driver knows the ranges of the types that PostgreSQL has.
    /// </summary>
    /// <typeparam name="T">The type of the bounds.</typeparam>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder RegisterRange<T>()
    {
        ElementShapes.RegisterRange<T>();
        return this;
    }

    /// <summary>
    /// Reads and writes json and jsonb as the types for which the options have a contract. With a source-generated
    /// <see cref="JsonSerializerOptions.TypeInfoResolver"/>, this needs no reflection.
    /// </summary>
    /// <param name="serializerOptions">The options.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder ConfigureJsonOptions(JsonSerializerOptions serializerOptions)
    {
        _mapper.ConfigureJsonOptions(serializerOptions);
        return this;
    }

    /// <summary>Reads and writes json and jsonb as any .NET type, by reflection.</summary>
    /// <param name="jsonbClrTypes">Types whose values are sent as jsonb unless another type is set; null for none.</param>
    /// <param name="jsonClrTypes">Types whose values are sent as json unless another type is set; null for none.</param>
    /// <returns>The builder.</returns>
    [RequiresUnreferencedCode("The members of the types may have been removed: use ConfigureJsonOptions with a source-generated context.")]
    [RequiresDynamicCode("The serializers of the types must be created at run time: use ConfigureJsonOptions with a source-generated context.")]
    public PgDataSourceBuilder EnableDynamicJson(Type[]? jsonbClrTypes = null, Type[]? jsonClrTypes = null)
    {
        _mapper.EnableDynamicJson(jsonbClrTypes, jsonClrTypes);
        return this;
    }

    /// <summary>Does nothing: composite values and records can always be read as tuples. It exists for programs that were written for Npgsql.</summary>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder EnableRecordsAsTuples() => this;

    /// <summary>Does nothing: types without a mapping can always be read. It exists for programs that were written for Npgsql.</summary>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder EnableUnmappedTypes() => this;

    /// <summary>Sets which types are loaded from the database when the first connection is opened.</summary>
    /// <param name="configureAction">Sets the options.</param>
    /// <returns>The builder.</returns>
    public PgDataSourceBuilder ConfigureTypeLoading(Action<PgTypeLoadingOptionsBuilder> configureAction)
    {
        ArgumentNullException.ThrowIfNull(configureAction);
        configureAction(_loading);
        return this;
    }

    IPgTypeMapper IPgTypeMapper.MapEnum<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)] TEnum>(
        string? pgName, IPgNameTranslator? nameTranslator) => MapEnum<TEnum>(pgName, nameTranslator);

    [RequiresUnreferencedCode("The members of the type may have been removed: use MapEnum<TEnum>.")]
    [RequiresDynamicCode("The mapping of the type must be created at run time: use MapEnum<TEnum>.")]
    IPgTypeMapper IPgTypeMapper.MapEnum(Type clrType, string? pgName, IPgNameTranslator? nameTranslator) => MapEnum(clrType, pgName, nameTranslator);

    IPgTypeMapper IPgTypeMapper.MapComposite<
        [DynamicallyAccessedMembers(
            DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties
            | DynamicallyAccessedMemberTypes.PublicConstructors)] T>(string? pgName, IPgNameTranslator? nameTranslator) =>
        MapComposite<T>(pgName, nameTranslator);

    [RequiresUnreferencedCode("The members of the type may have been removed: use MapComposite<T>.")]
    [RequiresDynamicCode("The mapping of the type must be created at run time: use MapComposite<T>.")]
    IPgTypeMapper IPgTypeMapper.MapComposite(Type clrType, string? pgName, IPgNameTranslator? nameTranslator) =>
        MapComposite(clrType, pgName, nameTranslator);

    IPgTypeMapper IPgTypeMapper.ConfigureJsonOptions(JsonSerializerOptions serializerOptions) => ConfigureJsonOptions(serializerOptions);

    [RequiresUnreferencedCode("The members of the types may have been removed: use ConfigureJsonOptions with a source-generated context.")]
    [RequiresDynamicCode("The serializers of the types must be created at run time: use ConfigureJsonOptions with a source-generated context.")]
    IPgTypeMapper IPgTypeMapper.EnableDynamicJson(Type[]? jsonbClrTypes, Type[]? jsonClrTypes) => EnableDynamicJson(jsonbClrTypes, jsonClrTypes);

    IPgTypeMapper IPgTypeMapper.EnableRecordsAsTuples() => EnableRecordsAsTuples();

    IPgTypeMapper IPgTypeMapper.EnableUnmappedTypes() => EnableUnmappedTypes();

    void IPgTypeMapper.Reset() => _mapper.Reset();

    // Those of the global mapper come first, so that the builder's own replace them.
    private TypeConfiguration Types => new(GlobalTypeMapper.Instance.With(_mapper.Mappings), _loading.Build);
}
