using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// A type of ranges.
/// <code>
/// flags (byte) | { bound_length (int32) | bound… } for each bound that is not infinite; an empty range has none
/// </code>
/// Source: src/backend/utils/adt/rangetypes.c, range_send.
/// </summary>
internal sealed class RangeType(PostgresType postgres, DataType subtype) : DataType(postgres)
{
    public DataType Subtype => subtype;

    public override bool HasBinary => subtype.HasBinary;

    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    protected override Type OwnClrType => Shape?.ClrType ?? typeof(string);

    private IObjectReader? Shape => ElementShapes.RangeShapes.GetValueOrDefault(subtype.ClrType);

    /// <summary>Reads a range whose bounds are of <typeparamref name="T"/>.</summary>
    public PgRange<T> Read<T>(ReadOnlySpan<byte> value, bool isBinary)
    {
        RangeFlags flags;
        ReadOnlySpan<byte> rest;
        if (isBinary)
        {
            if (value.IsEmpty || value[0] > 31)
                throw Broken(value, isBinary);
            flags = (RangeFlags)value[0];
            rest = value[1..];
        }
        else
        {
            var bounds = new ByteWriter(value.Length + 16);
            if (!NestedText.Range(value, bounds, out flags))
                throw Broken(value, isBinary);
            rest = bounds.Written;
        }

        if ((flags & RangeFlags.Empty) != 0)
            return rest.IsEmpty ? PgRange<T>.Empty : throw Broken(value, isBinary);
        var lower = (flags & RangeFlags.LowerInfinite) != 0 ? default : Bound<T>(value, ref rest, isBinary);
        var upper = (flags & RangeFlags.UpperInfinite) != 0 ? default : Bound<T>(value, ref rest, isBinary);
        if (!rest.IsEmpty)
            throw Broken(value, isBinary);
        return new(
            lower!, (flags & RangeFlags.LowerInclusive) != 0, (flags & RangeFlags.LowerInfinite) != 0,
            upper!, (flags & RangeFlags.UpperInclusive) != 0, (flags & RangeFlags.UpperInfinite) != 0);
    }

    /// <summary>Writes the length and a range.</summary>
    public void Write<T>(ByteWriter writer, PgRange<T> value)
    {
        var start = NestedValue.Begin(writer);
        if (value.IsEmpty)
            writer.Byte((byte)RangeFlags.Empty);
        else
        {
            writer.Byte((byte)(
                (value.LowerBoundInfinite ? RangeFlags.LowerInfinite : value.LowerBoundIsInclusive ? RangeFlags.LowerInclusive : 0)
                | (value.UpperBoundInfinite ? RangeFlags.UpperInfinite : value.UpperBoundIsInclusive ? RangeFlags.UpperInclusive : 0)));
            if (!value.LowerBoundInfinite)
                WriteBound(writer, value.LowerBound);
            if (!value.UpperBoundInfinite)
                WriteBound(writer, value.UpperBound);
        }

        NestedValue.End(writer, start);
    }

    protected override object ReadOwn(ReadOnlySpan<byte> value, bool isBinary) =>
        Shape is { } shape ? shape.ReadObject(this, value, isBinary)
        : isBinary ? throw new InvalidCastException($"Ranges of {subtype.Name} have no .NET type: cast the value to text in SQL.")
        : Texts.Read(value);

    protected override bool TryReadOwn<T>(ReadOnlySpan<byte> value, bool isBinary, [MaybeNullWhen(false)] out T result)
    {
        if (Readers<T>.Instance is { } reader and IRangeReader)
        {
            result = reader.Read(this, value, isBinary);
            return true;
        }

        result = default;
        return false;
    }

    protected override void WriteOwn(ByteWriter writer, object value)
    {
        if (ElementShapes.WriterOf(value.GetType()) is { } known)
            known.WriteObject(this, writer, value);
        else
            throw WrongType(value);
    }

    protected override bool TryWriteOwn<T>(ByteWriter writer, T value)
    {
        if (Writers<T>.Instance is not { } known)
            return false;
        known.Write(this, writer, value);
        return true;
    }

    private T Bound<T>(ReadOnlySpan<byte> value, ref ReadOnlySpan<byte> rest, bool isBinary)
    {
        var length = rest.Length < 4 ? -1 : BinaryPrimitives.ReadInt32BigEndian(rest);
        if (length < 0 || length > rest.Length - 4)
            throw Broken(value, isBinary);
        var bound = rest.Slice(4, length);
        rest = rest[(4 + length)..];
        return subtype.TryRead<T>(bound, isBinary, out var read)
            ? read
            : throw new InvalidCastException($"The bounds of {Name} cannot be read as {typeof(T).Name}: read them as {subtype.ClrType.Name}.");
    }

    private void WriteBound<T>(ByteWriter writer, T? bound)
    {
        if (bound is null)
            throw new ArgumentException($"A bound of the range of type {Name} is null: use an infinite bound.");
        subtype.Write(writer, bound);
    }
}

/// <summary>Marks the readers whose values are ranges.</summary>
internal interface IRangeReader;

/// <summary>Reads and writes ranges whose bounds are of <typeparamref name="T"/>.</summary>
internal sealed class RangeShape<T> : IRangeReader, IObjectReader, IValueReader<PgRange<T>>, IValueWriter<PgRange<T>>
{
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public Type ClrType => typeof(PgRange<T>);

    public PgRange<T> Read(DataType type, ReadOnlySpan<byte> value, bool isBinary) => ((RangeType)type).Read<T>(value, isBinary);

    public object ReadObject(DataType type, ReadOnlySpan<byte> value, bool isBinary) => Read(type, value, isBinary);

    public void Write(DataType type, ByteWriter writer, PgRange<T> value)
    {
        if (type is not RangeType range)
            throw new InvalidCastException($"A range cannot be sent as the parameter's type {type.Name}: change the parameter's type.");
        range.Write(writer, value);
    }
}
