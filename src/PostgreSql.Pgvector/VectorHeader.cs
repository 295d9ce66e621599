namespace Slipstream.PostgreSql.Plugins;

/// <summary>The beginning of vector and halfvec: dimensions (int16), unused (int16).</summary>
internal static class VectorHeader
{
    /// <summary>Returns the number of elements, which are the rest of the value.</summary>
    public static int Read(ref PgValueReader reader, int elementLength)
    {
        var dimensions = reader.ReadInt16();
        reader.ReadInt16();
        if (dimensions < 0 || dimensions * elementLength != reader.Remaining)
            reader.Fail();
        return dimensions;
    }

    public static void Write(ref PgValueWriter writer, int dimensions)
    {
        if (dimensions > short.MaxValue)
            throw new ArgumentException($"The vector has {dimensions} dimensions, but pgvector allows 16,000: send fewer.");
        writer.WriteInt16((short)dimensions);
        writer.WriteInt16(0);
    }
}
