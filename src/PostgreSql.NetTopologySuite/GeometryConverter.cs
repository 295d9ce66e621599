using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using NetTopologySuite.Geometries;

namespace Slipstream.PostgreSql.Plugins;

/// <summary>
/// Converts geometry and geography to and from a class of geometries. Their binary format is EWKB; their text is the same in hexadecimal digits.
/// </summary>
internal sealed class GeometryConverter<
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)] T>(GeometryForm form)
    : PgConverter<T>
    where T : Geometry
{
    public override T Read(ref PgValueReader reader)
    {
        var bytes = reader.ReadRest();
        if (!reader.IsBinary)
            bytes = FromHexadecimal(ref reader, bytes);
        var ewkb = new EwkbReader(bytes, form);
        if (!ewkb.TryRead(out var geometry))
            reader.Fail();
        return geometry as T ?? throw new InvalidCastException($"The geometry is a {geometry.GeometryType}, which cannot be read as {typeof(T).Name}: read it "
            + "as Geometry.");
    }

    public override void Write(ref PgValueWriter writer, T value) => EwkbWriter.Write(ref writer, value, form.Ordinates);

    private static byte[] FromHexadecimal(ref PgValueReader reader, ReadOnlySpan<byte> digits)
    {
        var bytes = new byte[digits.Length / 2];
        if (digits.Length % 2 != 0 || Convert.FromHexString(digits, bytes, out _, out _) != OperationStatus.Done)
            reader.Fail();
        return bytes;
    }
}
