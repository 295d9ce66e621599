using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>Creates arrays of one type of elements.</summary>
internal abstract class ArrayShape : IArrayReader
{
    /// <summary>Gets the type of arrays of one dimension.</summary>
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public abstract Type ClrType { get; }

    /// <summary>Reads an array of one dimension.</summary>
    public abstract Array Read(ArrayType type, ref ArrayElements elements);

    /// <summary>Reads an array of several dimensions.</summary>
    public abstract Array ReadMany(ArrayType type, ref ArrayElements elements);
}

/// <summary>Creates arrays of <typeparamref name="T"/>.</summary>
internal sealed class ArrayShape<T> : ArrayShape, IValueReader<T[]>, IValueWriter<T[]>
{
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public override Type ClrType => typeof(T[]);

    public T[] Read(DataType type, ReadOnlySpan<byte> value, bool isBinary)
    {
        var array = (ArrayType)type;
        var elements = new ArrayElements(array, value, isBinary);
        CheckRank(array, ref elements);
        return (T[])Read(array, ref elements);
    }

    public override Array Read(ArrayType type, ref ArrayElements elements)
    {
        if (elements.Count == 0)
            return Array.Empty<T>();
        var array = RuntimeHelpers.IsReferenceOrContainsReferences<T>() ? new T[elements.Count] : GC.AllocateUninitializedArray<T>(elements.Count);
        Fill(type, ref elements, array);
        return array;
    }

    // The closed types exist because the constructors are named here.
    public override Array ReadMany(ArrayType type, ref ArrayElements elements)
    {
        Array array = elements.Rank switch
        {
            2 => new T[elements.LengthOf(0), elements.LengthOf(1)],
            3 => new T[elements.LengthOf(0), elements.LengthOf(1), elements.LengthOf(2)],
            4 => new T[elements.LengthOf(0), elements.LengthOf(1), elements.LengthOf(2), elements.LengthOf(3)],
            5 => new T[elements.LengthOf(0), elements.LengthOf(1), elements.LengthOf(2), elements.LengthOf(3), elements.LengthOf(4)],
            _ => new T[elements.LengthOf(0), elements.LengthOf(1), elements.LengthOf(2), elements.LengthOf(3), elements.LengthOf(4), elements.LengthOf(5)],
        };
        var flat = new T[elements.Count];
        Fill(type, ref elements, flat);
        UncommonArrays.CopyTo(flat, array);
        return array;
    }

    public void Write(DataType type, ByteWriter writer, T[] value) => Collections.Write(type, writer, (ReadOnlySpan<T>)value);

    public static void CheckRank(ArrayType type, ref ArrayElements elements)
    {
        if (elements.Rank > 1)
            throw new InvalidCastException($"The array of type {type.Name} has {elements.Rank} dimensions: read it as an array with as many, such as "
                + $"{typeof(T).Name}[,].");
    }

    /// <summary>Reads all elements.</summary>
    public static void Fill(ArrayType type, ref ArrayElements elements, Span<T> target)
    {
        if (typeof(T) == typeof(int) && elements.IsBinary && type.Element.Kind == ColumnKind.Int4 && TryFillInts(elements.Rest, target))
            return;
        for (var i = 0; i < target.Length; i++)
        {
            if (!elements.TryTake(out var element))
            {
                if (default(T) is not null)
                    throw type.NullElement(typeof(T));
                target[i] = default!;
            }
            else
                target[i] = Element(type, element, elements.IsBinary);
        }

        elements.End();
    }

    private static T Element(ArrayType type, ReadOnlySpan<byte> element, bool isBinary)
    {
        if (typeof(T) == typeof(object))
            return (T)type.Element.Read(element, isBinary);
        if (NullableElements<T>.Reader is { } nullable)
            return nullable.TryRead(type.Element, element, isBinary, out var content) ? content : throw type.WrongElement(typeof(T));
        return type.Element.TryRead<T>(element, isBinary, out var read) ? read : throw type.WrongElement(typeof(T));
    }

    // All elements without NULL have the same length.
    private static bool TryFillInts(ReadOnlySpan<byte> elements, Span<T> target)
    {
        if (elements.Length != target.Length * 8)
            return false;
        for (var i = 0; i < target.Length; i++)
        {
            var both = BinaryPrimitives.ReadInt64BigEndian(elements[(i * 8)..]);
            if (both >> 32 != 4)
                return false;
            var number = (int)both;
            target[i] = Unsafe.As<int, T>(ref number);
        }

        return true;
    }
}
