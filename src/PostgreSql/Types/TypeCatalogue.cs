using System.Collections.Concurrent;
using System.Collections;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// The types of a database: the built-in ones, and those that were loaded from it. The sessions of a data source share it. A reload creates another catalogue.
/// </summary>
internal sealed class TypeCatalogue
{
    /// <summary>The smallest object id that a user's object may have (FirstNormalObjectId).</summary>
    public const uint FirstNormalOid = 16384;

    // A hostile server may describe a domain over itself.
    private const int MaxDepth = 32;

    private readonly Lock _gate = new();
    private readonly TypeMappings _mappings;
    private readonly Dictionary<uint, TypeDefinition> _loaded;
    private readonly ConcurrentDictionary<uint, DataType> _types = new();
    private readonly ConcurrentDictionary<uint, DataType> _singleBits = new();
    private readonly ConcurrentDictionary<uint, PostgresType> _described = new();
    private readonly ConcurrentDictionary<Type, DataType?> _byClr = new();
    private readonly ConcurrentDictionary<string, uint> _byName = new(StringComparer.Ordinal);
    private readonly Dictionary<Type, TypeMapping> _sent = [];
    private readonly Dictionary<TypeMapping, List<uint>> _named = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<uint, PostgresType> _unpublished = [];
    private readonly Queue<uint> _undescribed = new();
    private Dictionary<uint, List<uint>>? _related;
    private int _depth;
    private int _descriptionDepth;
    private bool _describesRelated;

    /// <summary>Creates a catalogue of the built-in types and the types that were loaded.</summary>
    public TypeCatalogue(TypeMappings mappings, IReadOnlyCollection<TypeDefinition>? loaded)
    {
        _mappings = mappings;
        IsLoaded = loaded is not null;
        _loaded = [];
        foreach (var type in loaded ?? [])
            if (type.Oid >= FirstNormalOid || !BuiltInTypes.All.ContainsKey(type.Oid))
                _loaded[type.Oid] = type;
        foreach (var mapping in mappings.All)
            if (mapping.IsSent && !(mapping.YieldsToEarlier && _sent.ContainsKey(mapping.ClrType)))
                _sent[mapping.ClrType] = mapping;
    }

    /// <summary>Gets the catalogue of the built-in types without mappings.</summary>
    public static TypeCatalogue BuiltIn { get; } = new(TypeMappings.None, null);

    /// <summary>Gets whether the types of the database have been loaded.</summary>
    public bool IsLoaded { get; }

    public TypeMappings Mappings => _mappings;

    /// <summary>Gets whether a converter may have been added to a built-in type.</summary>
    public bool HasMappings => !_mappings.IsEmpty;

    /// <summary>Returns the type; a type that is read as text if it is unknown.</summary>
    public DataType Get(uint oid) => _types.TryGetValue(oid, out var known) ? known : Create(oid);

    /// <summary>Returns the type of a column. GetValue returns a bit(1) as a Boolean, and longer bit strings as bits.</summary>
    public DataType Get(uint oid, int modifier) => modifier == 1 && oid is (Protocol.TypeOid.Bit or Protocol.TypeOid.BitArray)
        ? SingleBit(oid)
        : Get(oid);

    /// <summary>Returns the public description of a type.</summary>
    public PostgresType Describe(uint oid) => _described.TryGetValue(oid, out var known) ? known : CreateDescription(oid);

    /// <summary>Returns the object id of a type by its name: as SQL writes it, as pg_type does, or with its schema; 0 if there is none.</summary>
    /// <exception cref="ArgumentException">Several schemas have a type of that name.</exception>
    public uint Find(string name)
    {
        // There is no end of names that no type has: they are not kept.
        if (!_byName.TryGetValue(name, out var oid) && (oid = Search(TypeName.Normalize(name))) != 0)
            _byName.TryAdd(name, oid);
        return oid;
    }

    /// <summary>Returns the type that a value of a .NET type is sent as; null if there is none.</summary>
    public DataType? ForClr(Type type) => _byClr.TryGetValue(type, out var known) ? known : _byClr.GetOrAdd(type, FindForClr(type));

    /// <summary>Returns the type that a value is sent as; null if there is none.</summary>
    public DataType? ForValue(object value)
    {
        // The kind of a DateTime decides, also inside an array or a range.
        if (MomentIn(value) is { } moment && MomentType(value.GetType(), Values.TypeOf(moment)) is { } found)
            return found;
        return ForClr(value.GetType());
    }

    private static DateTime? MomentIn(object value) => value switch
    {
        DateTime moment => moment,
        DateTime?[] moments => Array.Find(moments, static moment => moment is not null) ?? default(DateTime),
        DateTime[] moments => moments.Length > 0 ? moments[0] : default,
        IReadOnlyList<DateTime> moments => moments.Count > 0 ? moments[0] : default,
        PgRange<DateTime> range => range.LowerBoundInfinite ? range.UpperBound : range.LowerBound,
        IReadOnlyList<PgRange<DateTime>> ranges => ranges.Count > 0 ? MomentIn(ranges[0]) : default(DateTime),
        IReadOnlyList<PgRange<DateTime>[]> many => many.Count > 0 ? MomentIn(many[0]) : default(DateTime),
        IReadOnlyList<List<PgRange<DateTime>>> many => many.Count > 0 ? MomentIn(many[0]) : default(DateTime),
        Array array when array.GetType().GetElementType() == typeof(DateTime) => array.Length > 0 ? (DateTime)array.GetValue(new int[array.Rank])! : default,
        _ => null,
    };

    private DataType? MomentType(Type type, uint oid)
    {
        if (oid != Protocol.TypeOid.TimestampTz)
            return null;
        if (type == typeof(DateTime))
            return Get(oid);
        if (type == typeof(PgRange<DateTime>))
            return Get(Find("tstzrange"));
        var element = ElementOf(type);
        return element == typeof(PgRange<DateTime>) ? Get(Find("tstzmultirange"))
            : element is not null && ElementOf(element) == typeof(PgRange<DateTime>) ? Get(Find("tstzmultirange[]"))
            : Get(Find("timestamptz[]"));
    }

    /// <summary>Returns the type of the elements of a collection; null if it is none.</summary>
    public static Type? ElementOf(Type type)
    {
        if (type.IsArray)
            return type.GetElementType();
        if (!type.IsGenericType || type.GetGenericArguments() is not [var element])
            return null;
        return typeof(IEnumerable).IsAssignableFrom(type) || type.GetGenericTypeDefinition() is var definition
            && (definition == typeof(ReadOnlyMemory<>) || definition == typeof(Memory<>)) ? element : null;
    }

    private DataType? FindForClr(Type type)
    {
        if (_sent.TryGetValue(type, out var mapped))
            return TypeOf(mapped);
        if (Values.TryTypeOf(type, out var scalar))
            return Get(scalar);
        if (BuiltInConverters.NameFor(type) is { } name && Find(name) is not 0 and var named)
            return Get(named);
        if (InheritedMapping(type) is { } inherited && TypeOf(inherited) is { } fromParent)
            return fromParent;
        // The range of a type that is mapped, or that has ranges of the user's own.
        if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(PgRange<>))
            return ForClr(type.GetGenericArguments()[0]) is { Postgres.Range: { } rangeOf } ? Get(rangeOf.OID) : null;
        if (ElementOf(type) is not { } element || (Nullable.GetUnderlyingType(element) ?? element) is var bare && ForClr(bare) is not { } inner)
            return null;
        if (inner is RangeType range)
            return (range.Postgres as PostgresRangeType)?.Multirange is { } multirange ? Get(multirange.OID) : null;
        return inner.Postgres.Array is { } array ? Get(array.OID) : null;
    }

    // The mapping of a base class, such as that of geometries.
    private TypeMapping? InheritedMapping(Type type)
    {
        for (var parent = type.BaseType; parent is not null && parent != typeof(object) && parent != typeof(ValueType); parent = parent.BaseType)
            if (_sent.TryGetValue(parent, out var inherited))
                return inherited;
        return null;
    }

    /// <summary>Returns the exception for a value that has no type of the database.</summary>
    public InvalidCastException NoTypeFor(Type type)
    {
        var bare = type;
        while (ElementOf(bare) is { } element)
            bare = Nullable.GetUnderlyingType(element) ?? element;
        var mapping = IsLoaded ? _sent.GetValueOrDefault(bare) ?? InheritedMapping(bare) : null;
        return mapping is null
            ? new($"A parameter value of type {type.Name} cannot be sent: convert it, map its type with the data source's builder, or send it as a string with "
                + "PgDbType.Unknown and a cast in SQL.")
            : new($"A parameter value of type {type.Name} cannot be sent, because the database has no type '{mapping.DataTypeName}': create the type or its "
                + "extension, then call ReloadTypes of a connection.");
    }

    private DataType? TypeOf(TypeMapping mapping) => Named(mapping) switch
    {
        [] => null,
        [var oid] => Get(oid),
        _ => throw new ArgumentException($"Several schemas have a type '{mapping.DataTypeName}': set DataTypeName of the parameter to the name with its "
            + "schema."),
    };

    // The types that a mapping applies to. A table has a type with its name, too, which is not what an extension's type is.
    private List<uint> Named(TypeMapping mapping)
    {
        if (!mapping.IsInAnySchema)
            return Find(mapping.DataTypeName) is not 0 and var only ? [only] : [];
        var name = TypeName.Normalize(mapping.DataTypeName);
        List<uint> bases = [], others = [];
        foreach (var type in _loaded.Values)
            if (type.Name == name)
                (type.Category == TypeCategory.Base ? bases : others).Add(type.Oid);
        if (bases.Count + others.Count > 1 && BuiltInTypes.All.Values.All(type => type.Name != name && type.SqlName != name))
            return bases.Count > 0 ? bases : others;
        return Find(mapping.DataTypeName) is not 0 and var unique ? [unique] : [];
    }

    private uint Search(string name)
    {
        if (name.EndsWith("[]", StringComparison.Ordinal))
        {
            var element = Find(name[..^2]);
            return element == 0 ? 0 : Describe(element).Array?.OID ?? 0;
        }

        foreach (var type in BuiltInTypes.All.Values)
            if (type.Name == name || type.SqlName == name || (name.StartsWith("pg_catalog.", StringComparison.Ordinal)
                && (name.AsSpan(11).SequenceEqual(type.Name) || name.AsSpan(11).SequenceEqual(type.SqlName))))
            {
                return type.Oid;
            }

        TypeDefinition? found = null;
        foreach (var type in _loaded.Values)
        {
            if (type.Name != name && $"{type.Schema}.{type.Name}" != name)
                continue;
            if (found is not null)
                throw new ArgumentException($"The types '{ServerText.OneLine(found.Schema)}.{name}' and '{ServerText.OneLine(type.Schema)}.{name}' have the "
                    + "same name: write it with its schema.");
            found = type;
        }

        return found?.Oid ?? 0;
    }

    // ---------------------------------------------------------------- creation

    private TypeDefinition? DefinitionOf(uint oid) => _loaded.TryGetValue(oid, out var loaded) ? loaded : BuiltInTypes.All.GetValueOrDefault(oid);

    private DataType Create(uint oid)
    {
        lock (_gate)
        {
            if (_types.TryGetValue(oid, out var known))
                return known;
            var created = Create(DefinitionOf(oid), Describe(oid));
            if (_types.TryGetValue(oid, out known))
                return known;
            return _types[oid] = WithMapped(created);
        }
    }

    private DataType SingleBit(uint oid)
    {
        if (_singleBits.TryGetValue(oid, out var known))
            return known;
        lock (_gate)
        {
            DataType created = oid == Protocol.TypeOid.Bit
                ? new ConvertedType(Describe(oid), BuiltInConverters.OfSingleBit)
                : new ArrayType(Describe(oid), SingleBit(Protocol.TypeOid.Bit), _mappings.ArrayNullability);
            return _singleBits.GetOrAdd(oid, WithMapped(created));
        }
    }

    private DataType WithMapped(DataType created) => UnmappableType.Or(created, MappingsOf(created.Postgres));

    private List<TypeMapping> MappingsOf(PostgresType postgres)
    {
        List<TypeMapping> found = [];
        foreach (var mapping in _mappings.All)
        {
            if (mapping.IsInAnySchema && !_named.ContainsKey(mapping))
                _named[mapping] = Named(mapping);
            if (mapping.IsInAnySchema ? _named[mapping].Contains(postgres.OID) : IsNamed(postgres, mapping.DataTypeName))
                found.Add(mapping);
        }

        return found;
    }

    private DataType Create(TypeDefinition? definition, PostgresType postgres)
    {
        if (definition is null || _depth == MaxDepth)
            return new ScalarType(postgres, ColumnKind.Other, Protocol.TypeOid.Unspecified);
        _depth++;
        try
        {
            return definition.Category switch
            {
                TypeCategory.Array => new ArrayType(postgres, Get(definition.Related), _mappings.ArrayNullability) { Delimiter = definition.Delimiter },
                TypeCategory.Range => new RangeType(postgres, Get(definition.Related)),
                TypeCategory.Multirange when Get(definition.Related) is RangeType range =>
                    new MultirangeType(postgres, range, new ArrayType(range.Postgres, range, ArrayNullabilityMode.Never)),
                TypeCategory.Composite => new CompositeType(postgres, definition.Fields, this),
                TypeCategory.Enum => new EnumType(postgres),
                // A domain's values have the form of its base type.
                TypeCategory.Domain => Create(DefinitionOf(definition.Related), postgres),
                _ => CreateBase(definition, postgres),
            };
        }
        finally
        {
            _depth--;
        }
    }

    private DataType CreateBase(TypeDefinition definition, PostgresType postgres)
    {
        if (definition.Oid == Protocol.TypeOid.Record)
            return new RecordType(postgres, this);
        if (definition.Oid is Protocol.TypeOid.Json or Protocol.TypeOid.Jsonb)
            return new JsonType(postgres, definition.Oid, _mappings.Json);
        if (definition.Oid < FirstNormalOid && ColumnKinds.Of(definition.Oid) is not ColumnKind.Other and var kind)
            return new ScalarType(postgres, kind, definition.Oid);
        var converters = BuiltInConverters.For(definition);
        if (converters.Length > 0)
            return new ConvertedType(postgres, converters, BuiltInConverters.HasBinary(definition));
        return BuiltInConverters.IsText(definition)
            ? new ScalarType(postgres, ColumnKind.Text, Protocol.TypeOid.Text)
            : MappingsOf(postgres).Count > 0 ? new ConvertedType(postgres, []) : new ScalarType(postgres, ColumnKind.Other, Protocol.TypeOid.Unspecified);
    }

    // A mapping whose name is ambiguous must not keep types with other names from being used: any user who may create types could otherwise do that.
    private bool IsNamed(PostgresType postgres, string name)
    {
        var normalized = TypeName.Normalize(name);
        return (EndsWith(normalized, postgres.Name) || EndsWith(normalized, postgres.InternalName)) && Find(name) == postgres.OID;

        static bool EndsWith(string name, string last) => name.EndsWith(last, StringComparison.Ordinal)
            && (name.Length == last.Length || name[^(last.Length + 1)] == '.');
    }

    private PostgresType CreateDescription(uint oid)
    {
        lock (_gate)
        {
            if (_described.TryGetValue(oid, out var known) || _unpublished.TryGetValue(oid, out known))
                return known;
            if (_descriptionDepth == MaxDepth)
                return new UnknownBackendType($"oid {oid}", oid);
            _descriptionDepth++;
            try
            {
                var created = CreateDescription(oid, DefinitionOf(oid));
                // A hostile description of a type leads back to it.
                if (!_unpublished.TryAdd(oid, created))
                    return _unpublished[oid];
                if (created is PostgresArrayType or UnknownBackendType)
                    return created;
                // Those that are built in come before those that users create.
                foreach (var related in Related.BuiltInOf(oid))
                    CreateDescription(related);
                _undescribed.Enqueue(oid);
                return created;
            }
            finally
            {
                if (--_descriptionDepth == 0 && !_describesRelated)
                    DescribeRelated();
            }
        }
    }

    private PostgresType CreateDescription(uint oid, TypeDefinition? definition) => definition?.Category switch
    {
        null => new UnknownBackendType(Protocol.TypeOid.NameOf(oid) ?? $"oid {oid}", oid),
        TypeCategory.Array => new PostgresArrayType(definition.Schema, definition.Name, oid, Describe(definition.Related)),
        TypeCategory.Range => new PostgresRangeType(definition.Schema, definition.Name, oid, Describe(definition.Related)),
        TypeCategory.Multirange when Describe(definition.Related) is PostgresRangeType range =>
            new PostgresMultirangeType(definition.Schema, definition.Name, oid, range),
        TypeCategory.Enum => new PostgresEnumType(definition.Schema, definition.Name, oid, definition.Labels),
        TypeCategory.Domain => new PostgresDomainType(definition.Schema, definition.Name, oid, Describe(definition.Related), definition.IsNotNull),
        TypeCategory.Composite => new PostgresCompositeType(definition.Schema, definition.Name, oid, () => FieldsOf(definition)),
        _ => new PostgresBaseType(definition.Schema, definition.SqlName ?? definition.Name, definition.Name, oid),
    };

    // The types that refer to a described type: its array, its range, and the multirange of a range. Without recursion, because each of very many ranges may be
    // the subtype of the next one. Other threads see the descriptions when they are complete.
    private void DescribeRelated()
    {
        _related ??= Related.Index(_loaded.Values);
        _describesRelated = true;
        while (_undescribed.TryDequeue(out var oid))
        {
            foreach (var type in _related.GetValueOrDefault(oid, []))
                CreateDescription(type);
        }

        _describesRelated = false;
        foreach (var (oid, description) in _unpublished)
            _described[oid] = description;
        _unpublished.Clear();
    }

    private PostgresCompositeType.Field[] FieldsOf(TypeDefinition definition)
    {
        var fields = new PostgresCompositeType.Field[definition.Fields.Count];
        for (var i = 0; i < fields.Length; i++)
            fields[i] = new(definition.Fields[i].Name, Describe(definition.Fields[i].Oid));
        return fields;
    }
}
