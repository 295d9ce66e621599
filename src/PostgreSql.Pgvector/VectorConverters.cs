using Pgvector;

namespace Slipstream.PostgreSql.Plugins;

/// <summary>
/// Reads and writes vector:
/// <code>
/// dimensions (int16) | unused (int16) | elements (float32)…
/// </code>
/// In text, "[1,2.5,-3]". Source: pgvector, src/vector.c, vector_send and vector_out.
/// </summary>
internal static class Vectors
{
    public static float[] Read(ref PgValueReader reader)
    {
        if (!reader.IsBinary)
            return ReadText(ref reader);
        var vector = new float[VectorHeader.Read(ref reader, sizeof(float))];
        for (var i = 0; i < vector.Length; i++)
            vector[i] = reader.ReadSingle();
        return vector;
    }

    public static void Write(ref PgValueWriter writer, ReadOnlySpan<float> vector)
    {
        VectorHeader.Write(ref writer, vector.Length);
        foreach (var element in vector)
            writer.WriteSingle(element);
    }

    private static float[] ReadText(ref PgValueReader reader)
    {
        var text = new VectorText(reader.ReadRest(), (byte)'[', (byte)']');
        var vector = new float[text.Count];
        for (var i = 0; i < vector.Length; i++)
            vector[i] = text.Single();
        if (!text.IsComplete)
            reader.Fail();
        return vector;
    }
}

/// <summary>Converts vector to and from <see cref="Vector"/>.</summary>
internal sealed class VectorConverter : PgConverter<Vector>
{
    public override Vector Read(ref PgValueReader reader) => new(Vectors.Read(ref reader));

    public override void Write(ref PgValueWriter writer, Vector value) => Vectors.Write(ref writer, value.Memory.Span);
}

/// <summary>Converts vector to and from an array.</summary>
internal sealed class SingleArrayConverter : PgConverter<float[]>
{
    public override float[] Read(ref PgValueReader reader) => Vectors.Read(ref reader);

    public override void Write(ref PgValueWriter writer, float[] value) => Vectors.Write(ref writer, value);
}

/// <summary>Converts vector to and from memory.</summary>
internal sealed class SingleMemoryConverter : PgConverter<ReadOnlyMemory<float>>
{
    public override ReadOnlyMemory<float> Read(ref PgValueReader reader) => Vectors.Read(ref reader);

    public override void Write(ref PgValueWriter writer, ReadOnlyMemory<float> value) => Vectors.Write(ref writer, value.Span);
}
