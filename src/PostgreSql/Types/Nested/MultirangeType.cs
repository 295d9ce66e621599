using System.Buffers.Binary;
using System.Collections;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// A type of multiranges: ordered ranges that do not touch.
/// <code>
/// count (int32) | { range_length (int32) | range… }…
/// </code>
/// Source: src/backend/utils/adt/multirangetypes.c, multirange_send.
/// </summary>
/// <param name="postgres">The type.</param>
/// <param name="range">The type of the ranges.</param>
/// <param name="asArray">An array of the ranges, which has the same .NET types.</param>
internal sealed class MultirangeType(PostgresType postgres, RangeType range, ArrayType asArray) : DataType(postgres)
{
    // An array's header in front of the ranges: one dimension, no NULL, the element's type, the length, the lower bound.
    private const int ArrayHeaderLength = 20;

    public override bool HasBinary => range.HasBinary;

    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    protected override Type OwnClrType => ElementShapes.Of(range.ClrType, isNullable: false).ClrType;

    protected override object ReadOwn(ReadOnlySpan<byte> value, bool isBinary) => asArray.Read(AsArray(value, isBinary), isBinary);

    protected override bool TryReadOwn<T>(ReadOnlySpan<byte> value, bool isBinary, [MaybeNullWhen(false)] out T result) =>
        asArray.TryRead(AsArray(value, isBinary), isBinary, out result);

    /// <summary>Writes the length and ranges.</summary>
    public void Write<T>(ByteWriter writer, ReadOnlySpan<T> values)
    {
        var start = NestedValue.Begin(writer);
        writer.Int32BigEndian(values.Length);
        foreach (var value in values)
            range.Write(writer, value ?? throw new ArgumentException($"A multirange of type {Name} cannot contain null."));
        NestedValue.End(writer, start);
    }

    protected override void WriteOwn(ByteWriter writer, object value)
    {
        if (ElementShapes.WriterOf(value.GetType()) is { } known)
        {
            known.WriteObject(this, writer, value);
            return;
        }

        if (value is not ICollection ranges)
            throw WrongType(value);
        var start = NestedValue.Begin(writer);
        writer.Int32BigEndian(ranges.Count);
        foreach (var item in ranges)
            range.Write(writer, item ?? throw new ArgumentException($"A multirange of type {Name} cannot contain null."));
        NestedValue.End(writer, start);
    }

    protected override bool TryWriteOwn<T>(ByteWriter writer, T value)
    {
        if (Writers<T>.Instance is not { } known)
            return false;
        known.Write(this, writer, value);
        return true;
    }

    // The same ranges as an array in the same format, so that they are read by the same code.
    private ReadOnlySpan<byte> AsArray(ReadOnlySpan<byte> value, bool isBinary)
    {
        var writer = new ByteWriter(value.Length + ArrayHeaderLength + 16);
        if (isBinary)
        {
            var count = value.Length < 4 ? -1 : BinaryPrimitives.ReadInt32BigEndian(value);
            if (count < 0)
                throw Broken(value, isBinary);
            writer.Int32BigEndian(1);
            writer.Zeros(8);
            writer.Int32BigEndian(count);
            writer.Int32BigEndian(1);
            writer.Bytes(value[4..]);
        }
        else if (!NestedText.MultirangeToArray(value, writer))
            throw Broken(value, isBinary);
        return writer.Written;
    }
}
