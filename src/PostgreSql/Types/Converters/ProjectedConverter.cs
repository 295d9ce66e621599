using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>Converts a type through another .NET type that the driver already reads and writes.</summary>
internal sealed class ProjectedConverter<
    TStored, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)] T>(
    Func<TStored, T> read, Func<T, TStored> write) : PgConverter<T>
    where T : notnull
{
    public override T Read(ref PgValueReader reader) =>
        throw new UnreachableException("The type of the database reads and writes the value.");

    public override void Write(ref PgValueWriter writer, T value) =>
        throw new UnreachableException("The type of the database reads and writes the value.");

    internal override T ReadFrom(DataType type, ReadOnlySpan<byte> value, bool isBinary) => type.TryRead<TStored>(value, isBinary, out var stored)
        ? read(stored)
        : throw new InvalidCastException($"Values of type {type.Name} cannot be read as {typeof(TStored).Name}.");

    internal override void WriteTo(DataType type, ByteWriter writer, T value) => type.Write(writer, write(value));
}
