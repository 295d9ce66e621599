using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql;

/// <summary>The mappings of all data sources that are created later. It is thread-safe.</summary>
internal sealed class GlobalTypeMapper : IPgTypeMapper
{
    private readonly Lock _gate = new();
    private readonly TypeMappingBuilder _mapper = new();

    private GlobalTypeMapper()
    {
    }

    public static GlobalTypeMapper Instance { get; } = new();

    /// <summary>Returns a copy of the mappings, with others added to them.</summary>
    /// <param name="own">The others; null for none.</param>
    public TypeMappings With(TypeMappings? own)
    {
        lock (_gate)
        {
            var all = _mapper.Mappings.Clone();
            if (own is not null)
                all.AddAll(own);
            return all;
        }
    }

    /// <summary>Gets the types of a data source that is created without a builder.</summary>
    public TypeConfiguration Configuration => new(With(null), null);

    public IPgNameTranslator DefaultNameTranslator
    {
        get
        {
            lock (_gate)
                return _mapper.DefaultNameTranslator;
        }
        set
        {
            lock (_gate)
                _mapper.DefaultNameTranslator = value;
        }
    }

    public IPgTypeMapper MapEnum<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)] TEnum>(
        string? pgName = null, IPgNameTranslator? nameTranslator = null)
        where TEnum : struct, Enum
    {
        lock (_gate)
            _mapper.MapEnum<TEnum>(pgName, nameTranslator);
        return this;
    }

    [RequiresUnreferencedCode("The members of the type may have been removed: use MapEnum<TEnum>.")]
    [RequiresDynamicCode("The mapping of the type must be created at run time: use MapEnum<TEnum>.")]
    public IPgTypeMapper MapEnum(Type clrType, string? pgName = null, IPgNameTranslator? nameTranslator = null)
    {
        lock (_gate)
            _mapper.MapEnum(clrType, pgName, nameTranslator);
        return this;
    }

    public bool UnmapEnum<TEnum>(string? pgName = null, IPgNameTranslator? nameTranslator = null)
        where TEnum : struct, Enum => Unmap(typeof(TEnum), pgName, nameTranslator);

    public bool UnmapEnum(Type clrType, string? pgName = null, IPgNameTranslator? nameTranslator = null) => Unmap(clrType, pgName, nameTranslator);

    public IPgTypeMapper MapComposite<
        [DynamicallyAccessedMembers(
            DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties
            | DynamicallyAccessedMemberTypes.PublicConstructors)] T>(string? pgName = null, IPgNameTranslator? nameTranslator = null)
        where T : notnull
    {
        lock (_gate)
            _mapper.MapComposite<T>(pgName, nameTranslator);
        return this;
    }

    [RequiresUnreferencedCode("The members of the type may have been removed: use MapComposite<T>.")]
    [RequiresDynamicCode("The mapping of the type must be created at run time: use MapComposite<T>.")]
    public IPgTypeMapper MapComposite(Type clrType, string? pgName = null, IPgNameTranslator? nameTranslator = null)
    {
        lock (_gate)
            _mapper.MapComposite(clrType, pgName, nameTranslator);
        return this;
    }

    public bool UnmapComposite<T>(string? pgName = null, IPgNameTranslator? nameTranslator = null) => Unmap(typeof(T), pgName, nameTranslator);

    public bool UnmapComposite(Type clrType, string? pgName = null, IPgNameTranslator? nameTranslator = null) => Unmap(clrType, pgName, nameTranslator);

    public IPgTypeMapper ConfigureJsonOptions(JsonSerializerOptions serializerOptions)
    {
        lock (_gate)
            _mapper.ConfigureJsonOptions(serializerOptions);
        return this;
    }

    [RequiresUnreferencedCode("The members of the types may have been removed: use ConfigureJsonOptions with a source-generated context.")]
    [RequiresDynamicCode("The serializers of the types must be created at run time: use ConfigureJsonOptions with a source-generated context.")]
    public IPgTypeMapper EnableDynamicJson(Type[]? jsonbClrTypes = null, Type[]? jsonClrTypes = null)
    {
        lock (_gate)
            _mapper.EnableDynamicJson(jsonbClrTypes, jsonClrTypes);
        return this;
    }

    public IPgTypeMapper EnableRecordsAsTuples() => this;

    public IPgTypeMapper EnableUnmappedTypes() => this;

    public void Reset()
    {
        lock (_gate)
            _mapper.Reset();
    }

    private bool Unmap(Type clrType, string? pgName, IPgNameTranslator? nameTranslator)
    {
        lock (_gate)
            return _mapper.Unmap(clrType, pgName, nameTranslator);
    }
}
