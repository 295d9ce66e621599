using Pgvector;

namespace Slipstream.PostgreSql.Plugins;

/// <summary>
/// Reads and writes vector and halfvec:
/// <code>
/// dimensions (int16) | unused (int16) | elements (float32 or float16)…
/// </code>
/// In text, "[1,2.5,-3]". Source: pgvector, src/vector.c, vector_send and vector_out; src/halfvec.c, halfvec_send and halfvec_out.
/// </summary>
/// <typeparam name="T">The type of the elements.</typeparam>
/// <typeparam name="TElement">Reads and writes an element.</typeparam>
internal static class Vectors<T, TElement>
    where T : struct, System.Numerics.INumberBase<T>
    where TElement : IVectorElement<T>
{
    public static T[] Read(ref PgValueReader reader)
    {
        if (!reader.IsBinary)
            return ReadText(ref reader);
        var vector = new T[VectorHeader.Read(ref reader, TElement.Length)];
        for (var i = 0; i < vector.Length; i++)
            vector[i] = TElement.Read(ref reader);
        return vector;
    }

    public static void Write(ref PgValueWriter writer, ReadOnlySpan<T> vector)
    {
        VectorHeader.Write(ref writer, vector.Length);
        foreach (var element in vector)
            TElement.Write(ref writer, element);
    }

    private static T[] ReadText(ref PgValueReader reader)
    {
        var text = new VectorText(reader.ReadRest(), (byte)'[', (byte)']');
        var vector = new T[text.Count];
        for (var i = 0; i < vector.Length; i++)
            vector[i] = text.Element<T>();
        if (!text.IsComplete)
            reader.Fail();
        return vector;
    }
}

/// <summary>Converts vector or halfvec to and from an array.</summary>
/// <typeparam name="T">The type of the elements.</typeparam>
/// <typeparam name="TElement">Reads and writes an element.</typeparam>
internal sealed class VectorArrayConverter<T, TElement> : PgConverter<T[]>
    where T : struct, System.Numerics.INumberBase<T>
    where TElement : IVectorElement<T>
{
    public override T[] Read(ref PgValueReader reader) => Vectors<T, TElement>.Read(ref reader);

    public override void Write(ref PgValueWriter writer, T[] value) => Vectors<T, TElement>.Write(ref writer, value);
}

/// <summary>Converts vector or halfvec to and from memory.</summary>
/// <typeparam name="T">The type of the elements.</typeparam>
/// <typeparam name="TElement">Reads and writes an element.</typeparam>
internal sealed class VectorMemoryConverter<T, TElement> : PgConverter<ReadOnlyMemory<T>>
    where T : struct, System.Numerics.INumberBase<T>
    where TElement : IVectorElement<T>
{
    public override ReadOnlyMemory<T> Read(ref PgValueReader reader) => Vectors<T, TElement>.Read(ref reader);

    public override void Write(ref PgValueWriter writer, ReadOnlyMemory<T> value) => Vectors<T, TElement>.Write(ref writer, value.Span);
}

/// <summary>Converts vector to and from <see cref="Vector"/>.</summary>
internal sealed class VectorConverter : PgConverter<Vector>
{
    public override Vector Read(ref PgValueReader reader) => new(Vectors<float, SingleElement>.Read(ref reader));

    public override void Write(ref PgValueWriter writer, Vector value) => Vectors<float, SingleElement>.Write(ref writer, value.Memory.Span);
}

/// <summary>Converts halfvec to and from <see cref="HalfVector"/>.</summary>
internal sealed class HalfVectorConverter : PgConverter<HalfVector>
{
    public override HalfVector Read(ref PgValueReader reader) => new(Vectors<Half, HalfElement>.Read(ref reader));

    public override void Write(ref PgValueWriter writer, HalfVector value) => Vectors<Half, HalfElement>.Write(ref writer, value.Memory.Span);
}
