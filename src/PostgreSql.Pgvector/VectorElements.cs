namespace Slipstream.PostgreSql.Plugins;

/// <summary>An element in the binary format: the difference between vector and halfvec.</summary>
/// <typeparam name="T">The type of the element.</typeparam>
internal interface IVectorElement<T>
{
    /// <summary>The length of an element in bytes.</summary>
    static abstract int Length { get; }

    static abstract T Read(ref PgValueReader reader);

    static abstract void Write(ref PgValueWriter writer, T element);
}

/// <summary>An element of vector: float32.</summary>
internal readonly struct SingleElement : IVectorElement<float>
{
    public static int Length => sizeof(float);

    public static float Read(ref PgValueReader reader) => reader.ReadSingle();

    public static void Write(ref PgValueWriter writer, float element) => writer.WriteSingle(element);
}

/// <summary>An element of halfvec: float16.</summary>
internal readonly struct HalfElement : IVectorElement<Half>
{
    public static int Length => sizeof(short);

    public static Half Read(ref PgValueReader reader) => BitConverter.Int16BitsToHalf(reader.ReadInt16());

    public static void Write(ref PgValueWriter writer, Half element) => writer.WriteInt16(BitConverter.HalfToInt16Bits(element));
}
