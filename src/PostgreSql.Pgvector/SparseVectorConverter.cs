using Pgvector;

namespace Slipstream.PostgreSql.Plugins;

/// <summary>
/// Converts sparsevec to and from <see cref="SparseVector"/>:
/// <code>
/// dimensions (int32) | number of elements (int32) | unused (int32) | indices, from 0 on (int32)… | elements (float32)…
/// </code>
/// In text, "{1:1.5,3:-2}/5", with indices from 1 on. Source: pgvector, src/sparsevec.c, sparsevec_send and sparsevec_out.
/// </summary>
internal sealed class SparseVectorConverter : PgConverter<SparseVector>
{
    private const int ElementLength = sizeof(int) + sizeof(float);

    public override SparseVector Read(ref PgValueReader reader)
    {
        if (!reader.IsBinary)
            return ReadText(ref reader);
        var dimensions = reader.ReadInt32();
        var count = reader.ReadInt32();
        reader.ReadInt32();
        if (count < 0 || (long)count * ElementLength != reader.Remaining)
            reader.Fail();
        var indices = new int[count];
        for (var i = 0; i < count; i++)
            indices[i] = reader.ReadInt32();
        var values = new float[count];
        for (var i = 0; i < count; i++)
            values[i] = reader.ReadSingle();
        return Checked(ref reader, dimensions, indices, values);
    }

    public override void Write(ref PgValueWriter writer, SparseVector value)
    {
        writer.WriteInt32(value.Dimensions);
        writer.WriteInt32(value.Indices.Length);
        writer.WriteInt32(0);
        foreach (var index in value.Indices.Span)
            writer.WriteInt32(index);
        foreach (var element in value.Values.Span)
            writer.WriteSingle(element);
    }

    private static SparseVector ReadText(ref PgValueReader reader)
    {
        var bytes = reader.ReadRest();
        var slash = bytes.LastIndexOf((byte)'/');
        if (slash < 0)
            reader.Fail();
        var text = new VectorText(bytes[..slash], (byte)'{', (byte)'}');
        var indices = new int[text.Count];
        var values = new float[text.Count];
        for (var i = 0; i < indices.Length; i++)
            (indices[i], values[i]) = (text.Index() - 1, text.Element<float>());
        if (!VectorText.TryNumber(bytes[(slash + 1)..], out var dimensions) || !text.IsComplete)
            reader.Fail();
        return Checked(ref reader, dimensions, indices, values);
    }

    // The class does not check, and ToArray would fail later.
    private static SparseVector Checked(ref PgValueReader reader, int dimensions, int[] indices, float[] values)
    {
        foreach (var index in indices)
            if ((uint)index >= (uint)dimensions)
                reader.Fail();
        if (dimensions < 0)
            reader.Fail();
        return new(dimensions, indices, values);
    }
}
