using System.Buffers.Binary;
using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>A type of arrays: see <see cref="ArrayElements"/> for the binary format.</summary>
internal sealed class ArrayType(PostgresType postgres, DataType element, ArrayNullabilityMode nullability) : DataType(postgres)
{

    public DataType Element => element;

    /// <summary>Gets the character between the elements in text.</summary>
    public byte Delimiter { get; init; } = TypeDefinition.UsualDelimiter;

    public override bool HasBinary => element.HasBinary;

    // What an element of the type is in an array of objects that may contain NULL.
    private ArrayShape Shape => field ??= ElementShapes.Of(element.ClrType, nullability == ArrayNullabilityMode.Always);

    private ArrayShape NullableShape => field ??= ElementShapes.Of(element.ClrType, isNullable: true);

    // GetValue may return an array with more dimensions, or one whose elements may be null.
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    protected override Type OwnClrType => typeof(Array);

    protected override object ReadOwn(ReadOnlySpan<byte> value, bool isBinary)
    {
        var elements = new ArrayElements(this, value, isBinary);
        var shape = nullability == ArrayNullabilityMode.PerInstance && HasNull(elements) ? NullableShape : Shape;
        return elements.Rank <= 1 ? shape.Read(this, ref elements) : shape.ReadMany(this, ref elements);
    }

    protected override bool TryReadOwn<T>(ReadOnlySpan<byte> value, bool isBinary, [MaybeNullWhen(false)] out T result)
    {
        if (Readers<T>.Instance is { } reader)
        {
            if (reader is IArrayReader)
            {
                result = reader.Read(this, value, isBinary);
                return true;
            }
        }
        else if (typeof(T).IsArray || typeof(T) == typeof(Array))
        {
            var elements = new ArrayElements(this, value, isBinary);
            result = (T)(object)(typeof(T) == typeof(Array) ? (Array)ReadOwn(value, isBinary) : UncommonArrays.Read(this, typeof(T), ref elements));
            return true;
        }
        result = default;
        return false;
    }

    protected override void WriteOwn(ByteWriter writer, object value)
    {
        if (ElementShapes.WriterOf(value.GetType()) is { } known)
            known.WriteObject(this, writer, value);
        else if (value is Array array)
            WriteMany(writer, array);
        else if (value is ICollection collection)
            WriteCollection(writer, collection, collection.Count);
        else if (value is IEnumerable sequence and not string)
        {
            var list = new List<object?>();
            foreach (var item in sequence)
                list.Add(item);
            WriteCollection(writer, list, list.Count);
        }
        else
            throw WrongType(value);
    }

    protected override bool TryWriteOwn<T>(ByteWriter writer, T value)
    {
        if (Writers<T>.Instance is not { } known)
            return false;
        known.Write(this, writer, value);
        return true;
    }

    /// <summary>Writes the length and an array of one dimension.</summary>
    public void Write<T>(ByteWriter writer, ReadOnlySpan<T> values)
    {
        var start = Begin(writer, [values.Length]);
        if (typeof(T) == typeof(int) && element.Oid == Protocol.TypeOid.Int4)
            WriteInts(writer, ref Unsafe.As<T, int>(ref Unsafe.AsRef(in System.Runtime.InteropServices.MemoryMarshal.GetReference(values))), values.Length);
        else
            foreach (var value in values)
                WriteElement(writer, value, start.At);
        NestedValue.End(writer, start);
    }

    // One reservation instead of one per element.
    private static void WriteInts(ByteWriter writer, ref int first, int count)
    {
        var room = writer.Grow(checked(count * 8));
        for (var i = 0; i < count; i++)
            BinaryPrimitives.WriteInt64BigEndian(room[(i * 8)..], 4L << 32 | (uint)Unsafe.Add(ref first, i));
    }

    private void WriteElement<T>(ByteWriter writer, T value, int start)
    {
        if (value is null || (!typeof(T).IsValueType && value is DBNull))
        {
            writer.Int32BigEndian(-1);
            writer.Written[start + 11] = 1;
        }
        else
            element.Write(writer, value);
    }

    // An array with several dimensions, or of elements that have no typed writer.
    private void WriteMany(ByteWriter writer, Array array)
    {
        if (array.Rank > ArrayElements.MaxRank)
            throw new ArgumentException($"The array has {array.Rank} dimensions; the database allows {ArrayElements.MaxRank}.");
        Span<int> lengths = stackalloc int[array.Rank];
        for (var i = 0; i < lengths.Length; i++)
            lengths[i] = array.GetLength(i);
        var start = Begin(writer, lengths);
        foreach (var value in array)
            WriteElement(writer, value, start.At);
        NestedValue.End(writer, start);
    }

    private void WriteCollection(ByteWriter writer, IEnumerable values, int count)
    {
        var start = Begin(writer, [count]);
        foreach (var value in values)
        {
            if (value is Array or IList)
                throw new ArgumentException("A collection of collections cannot be sent as an array: use an array with several dimensions, such as int[,].");
            WriteElement(writer, value, start.At);
        }

        NestedValue.End(writer, start);
    }

    private NestedValue.Start Begin(ByteWriter writer, ReadOnlySpan<int> lengths)
    {
        var start = NestedValue.Begin(writer);
        var isEmpty = false;
        foreach (var length in lengths)
            isEmpty |= length == 0;
        if (isEmpty)
            lengths = [];
        writer.Int32BigEndian(lengths.Length);
        writer.Int32BigEndian(0);
        writer.Int32BigEndian((int)element.Oid);
        foreach (var length in lengths)
        {
            writer.Int32BigEndian(length);
            writer.Int32BigEndian(1);
        }

        return start;
    }

    private static bool HasNull(ArrayElements elements)
    {
        for (var i = 0; i < elements.Count; i++)
            if (!elements.TryTake(out _))
                return true;
        return false;
    }

    /// <summary>Returns the exception for a NULL among elements that cannot be null.</summary>
    public InvalidCastException NullElement(Type type) => new($"The array of type {Name} contains NULL, which {type.Name} cannot hold: read it as an array "
        + "of a nullable type, such as int?[].");

    /// <summary>Returns the exception for elements that cannot be read as the requested type.</summary>
    public InvalidCastException WrongElement(Type type) => new($"Elements of type {element.Name} cannot be read as {type.Name}: read them as "
        + $"{element.ClrType.Name}.");
}
