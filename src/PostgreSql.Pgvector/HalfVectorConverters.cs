using Pgvector;

namespace Slipstream.PostgreSql.Plugins;

/// <summary>
/// Reads and writes halfvec:
/// <code>
/// dimensions (int16) | unused (int16) | elements (float16)…
/// </code>
/// In text, "[1,2.5,-3]". Source: pgvector, src/halfvec.c, halfvec_send and halfvec_out.
/// </summary>
internal static class HalfVectors
{
    private const int ElementLength = 2;

    public static Half[] Read(ref PgValueReader reader)
    {
        if (!reader.IsBinary)
            return ReadText(ref reader);
        var vector = new Half[VectorHeader.Read(ref reader, ElementLength)];
        for (var i = 0; i < vector.Length; i++)
            vector[i] = BitConverter.Int16BitsToHalf(reader.ReadInt16());
        return vector;
    }

    public static void Write(ref PgValueWriter writer, ReadOnlySpan<Half> vector)
    {
        VectorHeader.Write(ref writer, vector.Length);
        foreach (var element in vector)
            writer.WriteInt16(BitConverter.HalfToInt16Bits(element));
    }

    private static Half[] ReadText(ref PgValueReader reader)
    {
        var text = new VectorText(reader.ReadRest(), (byte)'[', (byte)']');
        var vector = new Half[text.Count];
        for (var i = 0; i < vector.Length; i++)
            vector[i] = text.Half();
        if (!text.IsComplete)
            reader.Fail();
        return vector;
    }
}

/// <summary>Converts halfvec to and from <see cref="HalfVector"/>.</summary>
internal sealed class HalfVectorConverter : PgConverter<HalfVector>
{
    public override HalfVector Read(ref PgValueReader reader) => new(HalfVectors.Read(ref reader));

    public override void Write(ref PgValueWriter writer, HalfVector value) => HalfVectors.Write(ref writer, value.Memory.Span);
}

/// <summary>Converts halfvec to and from an array.</summary>
internal sealed class HalfArrayConverter : PgConverter<Half[]>
{
    public override Half[] Read(ref PgValueReader reader) => HalfVectors.Read(ref reader);

    public override void Write(ref PgValueWriter writer, Half[] value) => HalfVectors.Write(ref writer, value);
}

/// <summary>Converts halfvec to and from memory.</summary>
internal sealed class HalfMemoryConverter : PgConverter<ReadOnlyMemory<Half>>
{
    public override ReadOnlyMemory<Half> Read(ref PgValueReader reader) => HalfVectors.Read(ref reader);

    public override void Write(ref PgValueWriter writer, ReadOnlyMemory<Half> value) => HalfVectors.Write(ref writer, value.Span);
}
