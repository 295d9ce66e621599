using System.Diagnostics.CodeAnalysis;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>Reads composite values and records as tuples: the fields by position.</summary>
internal static class Tuples
{
    /// <summary>Reads a tuple. Its elements are boxed on the way.</summary>
    /// <exception cref="InvalidCastException">The tuple has another number of elements, or an element cannot be read so.</exception>
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "The constructor of a tuple that the caller names is kept with its type.")]
    public static object Read(Type tuple, DataType type, ref CompositeFields fields, DataType[] types)
    {
        var elements = tuple.GetGenericArguments();
        if (elements.Length != fields.Count || elements.Length > 7)
            throw new InvalidCastException($"A value of type {type.Name} has {fields.Count} fields, but the tuple has {elements.Length} elements (at most 7): "
                + "read it as a tuple with as many elements, or as object[].");
        var values = new object?[elements.Length];
        for (var i = 0; i < values.Length; i++)
            values[i] = Element(type, elements[i], types[i], ref fields);
        fields.End();
        var constructor = tuple.GetConstructor(elements)
            ?? throw new InvalidCastException($"The type {tuple.Name} has no constructor that takes its elements: read the value as object[].");
        return constructor.Invoke(values);
    }

    /// <summary>Returns the types of the database that the elements of a tuple suggest.</summary>
    public static DataType[] TypesOf(Type tuple, TypeCatalogue types)
    {
        var elements = tuple.GetGenericArguments();
        return Array.ConvertAll(elements, element => types.ForClr(Nullable.GetUnderlyingType(element) ?? element) ?? types.Get(Protocol.TypeOid.Text));
    }

    private static object? Element(DataType tuple, Type element, DataType type, ref CompositeFields fields)
    {
        var underlying = Nullable.GetUnderlyingType(element) ?? element;
        if (!fields.TryTake(out var field))
            return element.IsValueType && underlying == element
                ? throw new InvalidCastException($"A field of a value of type {tuple.Name} is NULL, which {element.Name} cannot hold: use a nullable type.")
                : null;
        if (type.TryReadAs(underlying, field, fields.IsBinary) is { } read)
            return read;
        var value = type.Read(field, fields.IsBinary);
        return underlying.IsInstanceOfType(value)
            ? value
            : throw new InvalidCastException($"A field of type {type.Name} cannot be read as {underlying.Name}: read it as {type.ClrType.Name}.");
    }
}
