using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Net.NetworkInformation;
using System.Net;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// The .NET types that arrays and ranges are read as and written from. Each element type is registered with its closed generic types, so that none must be
/// created at run time, which NativeAOT could not do.
/// </summary>
internal static class ElementShapes
{
    private static readonly ConcurrentDictionary<Type, ArrayShape> Shapes = new();
    private static readonly ConcurrentDictionary<Type, ArrayShape> NullableShapes = new();
    private static readonly ConcurrentDictionary<Type, IObjectWriter> ObjectWriters = new();
    private static readonly ConcurrentDictionary<Type, ITypedReader> TypedReaders = new();
    private static readonly ConcurrentDictionary<Type, IObjectReader> Ranges = new();

    static ElementShapes()
    {
        RegisterValue<bool>();
        RegisterValue<byte>();
        RegisterValue<sbyte>();
        RegisterValue<short>();
        RegisterValue<ushort>();
        RegisterValue<int>();
        RegisterValue<uint>();
        RegisterValue<long>();
        RegisterValue<ulong>();
        RegisterValue<float>();
        RegisterValue<double>();
        RegisterValue<decimal>();
        RegisterValue<BigInteger>();
        RegisterValue<char>();
        RegisterValue<Guid>();
        RegisterValue<DateTime>();
        RegisterValue<DateTimeOffset>();
        RegisterValue<DateOnly>();
        RegisterValue<TimeOnly>();
        RegisterValue<TimeSpan>();
        RegisterValue<PgInterval>();
        Register<string>();
        Register<byte[]>();
        RegisterValue<ReadOnlyMemory<byte>>();
        RegisterValue<Memory<byte>>();
        RegisterValue<ArraySegment<byte>>();
        Register<object>();
        Register<object[]>();
        Register<IPAddress>();
        Register<PhysicalAddress>();
        RegisterRange<int>();
        RegisterRange<long>();
        RegisterRange<decimal>();
        RegisterRange<double>();
        RegisterRange<DateTime>();
        RegisterRange<DateTimeOffset>();
        RegisterRange<DateOnly>();
        RegisterRange<TimeOnly>();
        RegisterRange<TimeSpan>();
        RegisterRange<string>();
        RegisterRange<char[]>();
    }

    /// <summary>Registers arrays and lists of a type.</summary>
    public static void Register<T>()
    {
        var shape = new ArrayShape<T>();
        if (!Shapes.TryAdd(typeof(T), shape))
            return;
        Readers<T[]>.Instance = shape;
        Readers<List<T>>.Instance = ListReader<T>.Instance;
        Readers<IList<T>>.Instance = ListReader<T>.Instance;
        Readers<ICollection<T>>.Instance = ListReader<T>.Instance;
        Readers<IReadOnlyList<T>>.Instance = ListReader<T>.Instance;
        Readers<IReadOnlyCollection<T>>.Instance = ListReader<T>.Instance;
        Readers<IEnumerable<T>>.Instance = ListReader<T>.Instance;
        Readers<ReadOnlyMemory<T>>.Instance = MemoryReader<T>.Instance;
        Readers<Memory<T>>.Instance = MemoryReader<T>.Instance;
        TypedReaders.TryAdd(typeof(T), new TypedReader<T>());
        TypedReaders.TryAdd(typeof(T[]), new TypedReader<T[]>());
        TypedReaders.TryAdd(typeof(List<T>), new TypedReader<List<T>>());
        Add<T[]>(shape);
        Add<List<T>>(ListReader<T>.Instance);
        Add<ReadOnlyMemory<T>>(MemoryReader<T>.Instance);
        Add<Memory<T>>(MemoryReader<T>.Instance);
        Add<ArraySegment<T>>(MemoryReader<T>.Instance);
    }

    /// <summary>Registers arrays and lists of a value type, and of its nullable type.</summary>
    public static void RegisterValue<T>()
        where T : struct
    {
        Register<T>();
        Register<T?>();
        NullableShapes.TryAdd(typeof(T), new ArrayShape<T?>());
        NullableElements<T?>.Reader = NullableElement<T>.Instance;
    }

    /// <summary>Registers ranges of a type, and arrays and lists of them.</summary>
    public static void RegisterRange<T>()
    {
        RegisterValue<PgRange<T>>();
        // Arrays of multiranges.
        Register<PgRange<T>[]>();
        var shape = new RangeShape<T>();
        Readers<PgRange<T>>.Instance = shape;
        Ranges.TryAdd(typeof(T), shape);
        Add<PgRange<T>>(shape);
    }

    /// <summary>Ranges by the type of their bounds.</summary>
    public static ConcurrentDictionary<Type, IObjectReader> RangeShapes => Ranges;

    /// <summary>Returns the arrays of a type; arrays of object if the type was not registered.</summary>
    public static ArrayShape Of(Type element, bool isNullable) =>
        isNullable && NullableShapes.TryGetValue(element, out var nullable) ? nullable
        : Shapes.TryGetValue(element, out var shape) ? shape
        : Shapes[typeof(object)];

    /// <summary>Returns the writer for a collection or range type; null if it was not registered.</summary>
    public static IObjectWriter? WriterOf(Type type) => ObjectWriters.GetValueOrDefault(type);

    /// <summary>Returns the reader for a type, a collection or a range; null if it was not registered.</summary>
    public static ITypedReader? ReaderOf(Type type) => TypedReaders.GetValueOrDefault(type);

    private static void Add<T>(IValueWriter<T> writer)
    {
        Writers<T>.Instance = writer;
        ObjectWriters.TryAdd(typeof(T), new ObjectWriter<T>(writer));
    }

    private sealed class ObjectWriter<T>(IValueWriter<T> writer) : IObjectWriter
    {
        public void WriteObject(DataType type, ByteWriter target, object value) => writer.Write(type, target, (T)value);
    }

    private sealed class TypedReader<T> : ITypedReader
    {
        public object? TryRead(DataType type, ReadOnlySpan<byte> value, bool isBinary) => type.TryRead<T>(value, isBinary, out var result) ? result : null;
    }

    private sealed class NullableElement<T> : IElementReader<T?>
        where T : struct
    {
        public static readonly NullableElement<T> Instance = new();

        public bool TryRead(DataType type, ReadOnlySpan<byte> value, bool isBinary, out T? result)
        {
            var isRead = type.TryRead<T>(value, isBinary, out var content);
            result = content;
            return isRead;
        }
    }

    private sealed class ListReader<T> : IArrayReader, IValueReader<List<T>>, IValueReader<IList<T>>, IValueReader<IReadOnlyList<T>>,
        IValueReader<IEnumerable<T>>, IValueReader<ICollection<T>>, IValueReader<IReadOnlyCollection<T>>, IValueWriter<List<T>>
    {
        public static readonly ListReader<T> Instance = new();

        public List<T> Read(DataType type, ReadOnlySpan<byte> value, bool isBinary)
        {
            var array = (ArrayType)type;
            var elements = new ArrayElements(array, value, isBinary);
            ArrayShape<T>.CheckRank(array, ref elements);
            var list = new List<T>(elements.Count);
            CollectionsMarshal.SetCount(list, elements.Count);
            ArrayShape<T>.Fill(array, ref elements, CollectionsMarshal.AsSpan(list));
            return list;
        }

        IList<T> IValueReader<IList<T>>.Read(DataType type, ReadOnlySpan<byte> value, bool isBinary) => Read(type, value, isBinary);

        IReadOnlyList<T> IValueReader<IReadOnlyList<T>>.Read(DataType type, ReadOnlySpan<byte> value, bool isBinary) => Read(type, value, isBinary);

        IEnumerable<T> IValueReader<IEnumerable<T>>.Read(DataType type, ReadOnlySpan<byte> value, bool isBinary) => Read(type, value, isBinary);

        ICollection<T> IValueReader<ICollection<T>>.Read(DataType type, ReadOnlySpan<byte> value, bool isBinary) => Read(type, value, isBinary);

        IReadOnlyCollection<T> IValueReader<IReadOnlyCollection<T>>.Read(DataType type, ReadOnlySpan<byte> value, bool isBinary) =>
            Read(type, value, isBinary);

        public void Write(DataType type, ByteWriter writer, List<T> value) =>
            Collections.Write(type, writer, (ReadOnlySpan<T>)CollectionsMarshal.AsSpan(value));
    }

    private sealed class MemoryReader<T> : IArrayReader, IValueReader<ReadOnlyMemory<T>>, IValueReader<Memory<T>>, IValueWriter<ReadOnlyMemory<T>>,
        IValueWriter<Memory<T>>, IValueWriter<ArraySegment<T>>
    {
        public static readonly MemoryReader<T> Instance = new();

        ReadOnlyMemory<T> IValueReader<ReadOnlyMemory<T>>.Read(DataType type, ReadOnlySpan<byte> value, bool isBinary) =>
            Readers<T[]>.Instance!.Read(type, value, isBinary);

        Memory<T> IValueReader<Memory<T>>.Read(DataType type, ReadOnlySpan<byte> value, bool isBinary) => Readers<T[]>.Instance!.Read(type, value, isBinary);

        public void Write(DataType type, ByteWriter writer, ReadOnlyMemory<T> value) => Collections.Write(type, writer, value.Span);

        public void Write(DataType type, ByteWriter writer, Memory<T> value) => Collections.Write(type, writer, (ReadOnlySpan<T>)value.Span);

        public void Write(DataType type, ByteWriter writer, ArraySegment<T> value) => Collections.Write(type, writer, (ReadOnlySpan<T>)value.AsSpan());
    }
}

/// <summary>The reader of <typeparamref name="T"/>, if it is a collection or a range of a registered type.</summary>
internal static class Readers<T>
{
    public static IValueReader<T>? Instance { get; set; }
}

/// <summary>The writer of <typeparamref name="T"/>, if it is a collection or a range of a registered type.</summary>
internal static class Writers<T>
{
    public static IValueWriter<T>? Instance { get; set; }
}

/// <summary>The reader of elements that are nullable value types.</summary>
internal static class NullableElements<T>
{
    public static IElementReader<T>? Reader { get; set; }
}

/// <summary>Reads an element as <typeparamref name="T"/>.</summary>
internal interface IElementReader<T>
{
    bool TryRead(DataType type, ReadOnlySpan<byte> value, bool isBinary, out T result);
}

/// <summary>Marks the readers whose values are arrays.</summary>
internal interface IArrayReader;

/// <summary>Reads a value of a type that is known only at run time.</summary>
internal interface IObjectReader
{
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    Type ClrType { get; }

    object ReadObject(DataType type, ReadOnlySpan<byte> value, bool isBinary);
}

/// <summary>Reads a value as a type that is known only at run time. Returns null if the value cannot be read so.</summary>
internal interface ITypedReader
{
    object? TryRead(DataType type, ReadOnlySpan<byte> value, bool isBinary);
}

/// <summary>Writes the length and a value of a type that is known only at run time.</summary>
internal interface IObjectWriter
{
    void WriteObject(DataType type, ByteWriter target, object value);
}

/// <summary>Writes collections to arrays and multiranges.</summary>
internal static class Collections
{
    public static void Write<T>(DataType type, ByteWriter writer, ReadOnlySpan<T> values)
    {
        if (type is ArrayType array)
            array.Write(writer, values);
        else if (type is MultirangeType multirange)
            multirange.Write(writer, values);
        else
            throw new InvalidCastException($"A collection of {typeof(T).Name} cannot be sent as the parameter's type {type.Name}, which is not an array: "
                + "change the parameter's type.");
    }
}
