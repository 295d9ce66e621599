using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql;

/// <summary>Collects mappings of .NET types to types of the database.</summary>
internal sealed class TypeMappingBuilder
{
    private JsonSerializerOptions? _json;

    // The types that EnableDynamicJson named; null if it was not called. Its caller has accepted what reflection needs.
    private Type[]? _dynamicJson;

    /// <summary>Gets the mappings so far.</summary>
    public TypeMappings Mappings { get; } = new();

    /// <summary>Gets or sets how names of .NET types and members become names of the database.</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public IPgNameTranslator DefaultNameTranslator
    {
        get;
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            field = value;
        }
    } = new PgSnakeCaseNameTranslator();

    public void MapEnum<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)] TEnum>(
        string? pgName, IPgNameTranslator? nameTranslator)
        where TEnum : struct, Enum
    {
        var translator = nameTranslator ?? DefaultNameTranslator;
        var converter = new EnumConverter<TEnum>(translator);
        Mappings.Add(new(typeof(TEnum), pgName ?? NameOf(typeof(TEnum), translator), _ => converter) { YieldsToEarlier = true });
    }

    /// <exception cref="ArgumentException">The type is not an enumeration.</exception>
    [RequiresUnreferencedCode("The members of the type may have been removed: use MapEnum<TEnum>.")]
    [RequiresDynamicCode("The mapping of the type must be created at run time: use MapEnum<TEnum>.")]
    public void MapEnum(Type clrType, string? pgName, IPgNameTranslator? nameTranslator)
    {
        ArgumentNullException.ThrowIfNull(clrType);
        if (!clrType.IsEnum)
            throw new ArgumentException($"{clrType.Name} is not an enumeration.", nameof(clrType));
        Invoke(nameof(MapEnum), clrType, pgName, nameTranslator);
    }

    public void MapComposite<
        [DynamicallyAccessedMembers(
            DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties
            | DynamicallyAccessedMemberTypes.PublicConstructors)] T>(string? pgName, IPgNameTranslator? nameTranslator)
        where T : notnull
    {
        var translator = nameTranslator ?? DefaultNameTranslator;
        ElementShapes.Register<T>();
        ElementShapes.RegisterRange<T>();
        Mappings.Add(new(
            typeof(T), pgName ?? NameOf(typeof(T), translator), type => type is CompositeType composite
                ? CompositeConverter<T>.Create(composite, translator)
                : throw new InvalidOperationException($"{typeof(T).Name} cannot be mapped to {type.Name}, which is not a composite type."))
        {
            YieldsToEarlier = true,
        });
    }

    [RequiresUnreferencedCode("The members of the type may have been removed: use MapComposite<T>.")]
    [RequiresDynamicCode("The mapping of the type must be created at run time: use MapComposite<T>.")]
    public void MapComposite(Type clrType, string? pgName, IPgNameTranslator? nameTranslator)
    {
        ArgumentNullException.ThrowIfNull(clrType);
        Invoke(nameof(MapComposite), clrType, pgName, nameTranslator);
    }

    /// <summary>Removes a mapping.</summary>
    /// <returns>False if there was none.</returns>
    public bool Unmap(Type clrType, string? pgName, IPgNameTranslator? nameTranslator)
    {
        ArgumentNullException.ThrowIfNull(clrType);
        return Mappings.Remove(clrType, pgName ?? NameOf(clrType, nameTranslator ?? DefaultNameTranslator));
    }

    public void ConfigureJsonOptions(JsonSerializerOptions serializerOptions)
    {
        ArgumentNullException.ThrowIfNull(serializerOptions);
        _json = serializerOptions;
        if (_dynamicJson is not null)
            Mappings.Json = new SerializerJsonMapping(WithReflection(serializerOptions), _dynamicJson);
        else if (serializerOptions.TypeInfoResolver is not null)
            Mappings.Json = new SerializerJsonMapping(serializerOptions);
    }

    [RequiresUnreferencedCode("The members of the types may have been removed: use ConfigureJsonOptions with a source-generated context.")]
    [RequiresDynamicCode("The serializers of the types must be created at run time: use ConfigureJsonOptions with a source-generated context.")]
    public void EnableDynamicJson(Type[]? jsonbClrTypes, Type[]? jsonClrTypes)
    {
        _dynamicJson = [.. jsonbClrTypes ?? [], .. jsonClrTypes ?? []];
        Mappings.Json = new SerializerJsonMapping(WithReflection(_json), _dynamicJson);
        foreach (var type in jsonbClrTypes ?? [])
            Mappings.Add(new(type, "jsonb", static _ => null) { IsDefault = false });
        foreach (var type in jsonClrTypes ?? [])
            Mappings.Add(new(type, "json", static _ => null) { IsDefault = false });
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "EnableDynamicJson was called, which requires the same.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "EnableDynamicJson was called, which requires the same.")]
    private static JsonSerializerOptions WithReflection(JsonSerializerOptions? configured)
    {
        var options = configured is null ? new JsonSerializerOptions() : new JsonSerializerOptions(configured);
        options.TypeInfoResolver ??= new DefaultJsonTypeInfoResolver();
        return options;
    }

    /// <summary>Removes all mappings.</summary>
    public void Reset()
    {
        Mappings.Clear();
        _json = null;
        _dynamicJson = null;
        DefaultNameTranslator = new PgSnakeCaseNameTranslator();
    }

    private static string NameOf(Type type, IPgNameTranslator translator) =>
        type.GetCustomAttribute<PgNameAttribute>()?.PgName ?? translator.TranslateTypeName(type.Name);

    [RequiresUnreferencedCode("The members of the type may have been removed.")]
    [RequiresDynamicCode("The mapping of the type must be created at run time.")]
    private void Invoke(string name, Type clrType, string? pgName, IPgNameTranslator? nameTranslator)
    {
        foreach (var method in typeof(TypeMappingBuilder).GetMethods())
        {
            if (method.Name != name || !method.IsGenericMethodDefinition)
                continue;
            method.MakeGenericMethod(clrType).Invoke(this, BindingFlags.DoNotWrapExceptions, null, [pgName, nameTranslator], null);
            return;
        }

        throw new MissingMethodException(nameof(TypeMappingBuilder), name);
    }
}
