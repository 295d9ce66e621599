using System.Buffers.Text;
using Slipstream.PostgreSql.Protocol;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// Reads and writes int2vector and oidvector, arrays of one dimension without NULLs, whose first index is 0:
/// <code>
/// dimensions (int32: 1; 0 if it is empty) | has NULLs (int32: 0) | type of the elements (int32) | number of elements (int32) | first index (int32)
/// | for each: length (int32) | element
/// </code>
/// In text, "1 2". Source: src/backend/utils/adt/int.c, int2vectorsend; arrayfuncs.c, array_send.
/// </summary>
internal static class Vectors
{
    /// <summary>Reads up to the elements, and returns their number.</summary>
    public static int ReadHeader(ref PgValueReader reader, uint elementType, int elementLength)
    {
        var dimensions = reader.ReadInt32();
        if (dimensions is not (0 or 1) || reader.ReadInt32() != 0 || unchecked((uint)reader.ReadInt32()) != elementType)
            reader.Fail();
        if (dimensions == 0)
            return 0;
        var count = reader.ReadInt32();
        reader.ReadInt32();
        if (count < 0 || reader.Remaining != count * (4L + elementLength))
            reader.Fail();
        return count;
    }

    public static void ExpectLength(ref PgValueReader reader, int elementLength)
    {
        if (reader.ReadInt32() != elementLength)
            reader.Fail();
    }

    public static void WriteHeader(ref PgValueWriter writer, uint elementType, int count)
    {
        writer.WriteInt32(1);
        writer.WriteInt32(0);
        writer.WriteInt32(unchecked((int)elementType));
        writer.WriteInt32(count);
        writer.WriteInt32(0);
    }

    /// <summary>Takes a space, which separates elements in text.</summary>
    public static void TakeSpace(ref PgValueReader reader, ref ReadOnlySpan<byte> rest)
    {
        if (rest is not [(byte)' ', _, ..])
            reader.Fail();
        rest = rest[1..];
    }
}

/// <summary>Converts int2vector to and from an array.</summary>
internal sealed class Int2VectorConverter : PgConverter<short[]>
{
    public override short[] Read(ref PgValueReader reader)
    {
        if (!reader.IsBinary)
            return ReadText(ref reader);
        var values = new short[Vectors.ReadHeader(ref reader, TypeOid.Int2, sizeof(short))];
        for (var at = 0; at < values.Length; at++)
        {
            Vectors.ExpectLength(ref reader, sizeof(short));
            values[at] = reader.ReadInt16();
        }

        return values;
    }

    public override void Write(ref PgValueWriter writer, short[] value)
    {
        Vectors.WriteHeader(ref writer, TypeOid.Int2, value.Length);
        foreach (var element in value)
        {
            writer.WriteInt32(sizeof(short));
            writer.WriteInt16(element);
        }
    }

    private static short[] ReadText(ref PgValueReader reader)
    {
        var values = new List<short>();
        for (var rest = reader.ReadRest(); !rest.IsEmpty;)
        {
            if (values.Count > 0)
                Vectors.TakeSpace(ref reader, ref rest);
            if (!Utf8Parser.TryParse(rest, out short number, out var length))
                reader.Fail();
            values.Add(number);
            rest = rest[length..];
        }

        return [.. values];
    }
}

/// <summary>Converts oidvector to and from an array.</summary>
internal sealed class OidVectorConverter : PgConverter<uint[]>
{
    public override uint[] Read(ref PgValueReader reader)
    {
        if (!reader.IsBinary)
            return ReadText(ref reader);
        var values = new uint[Vectors.ReadHeader(ref reader, TypeOid.Oid, sizeof(uint))];
        for (var at = 0; at < values.Length; at++)
        {
            Vectors.ExpectLength(ref reader, sizeof(uint));
            values[at] = unchecked((uint)reader.ReadInt32());
        }

        return values;
    }

    public override void Write(ref PgValueWriter writer, uint[] value)
    {
        Vectors.WriteHeader(ref writer, TypeOid.Oid, value.Length);
        foreach (var element in value)
        {
            writer.WriteInt32(sizeof(uint));
            writer.WriteInt32(unchecked((int)element));
        }
    }

    private static uint[] ReadText(ref PgValueReader reader)
    {
        var values = new List<uint>();
        for (var rest = reader.ReadRest(); !rest.IsEmpty;)
        {
            if (values.Count > 0)
                Vectors.TakeSpace(ref reader, ref rest);
            if (!Utf8Parser.TryParse(rest, out uint number, out var length))
                reader.Fail();
            values.Add(number);
            rest = rest[length..];
        }

        return [.. values];
    }
}
