using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>Reads arrays whose element types were not registered: the elements are boxed on the way.</summary>
internal static class UncommonArrays
{
    /// <summary>Reads an array of the given type, which exists because the caller named it.</summary>
    public static Array Read(ArrayType type, Type arrayType, ref ArrayElements elements)
    {
        var rank = arrayType.GetArrayRank();
        if (elements.Rank != rank && elements.Rank != 0)
            throw new InvalidCastException($"The array of type {type.Name} has {elements.Rank} dimensions, but {arrayType.Name} has {rank}: read it as an "
                + "array with as many dimensions.");
        var lengths = new int[rank];
        for (var i = 0; i < elements.Rank; i++)
            lengths[i] = elements.LengthOf(i);
        var array = Array.CreateInstanceFromArrayType(arrayType, lengths);
        var target = arrayType.GetElementType()!;
        var indexes = new int[rank];
        for (var i = 0; i < elements.Count; i++)
        {
            array.SetValue(Element(type, target, ref elements), indexes);
            Advance(indexes, lengths);
        }

        elements.End();
        return array;
    }

    /// <summary>Copies the elements in their order into an array of several dimensions.</summary>
    public static void CopyTo<T>(T[] flat, Array array)
    {
        var lengths = new int[array.Rank];
        for (var i = 0; i < lengths.Length; i++)
            lengths[i] = array.GetLength(i);
        var indexes = new int[lengths.Length];
        foreach (var value in flat)
        {
            array.SetValue(value, indexes);
            Advance(indexes, lengths);
        }
    }

    private static void Advance(int[] indexes, int[] lengths)
    {
        for (var i = indexes.Length - 1; i >= 0 && ++indexes[i] == lengths[i]; i--)
            indexes[i] = 0;
    }

    private static object? Element(ArrayType type, Type target, ref ArrayElements elements)
    {
        var underlying = Nullable.GetUnderlyingType(target);
        if (!elements.TryTake(out var element))
            return target.IsValueType && underlying is null ? throw type.NullElement(target) : null;
        underlying ??= target;
        if (type.Element.TryReadAs(underlying, element, elements.IsBinary) is { } read)
            return read;
        var value = type.Element.Read(element, elements.IsBinary);
        if (underlying.IsEnum && value is int or long or short)
            return Enum.ToObject(underlying, value);
        return underlying.IsInstanceOfType(value) ? value : throw type.WrongElement(target);
    }
}
