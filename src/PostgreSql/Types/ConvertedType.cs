using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>A type that converters read and write. The first of them determines what GetValue returns.</summary>
internal sealed class ConvertedType : DataType
{
    private readonly bool _hasBinary;

    public ConvertedType(PostgresType postgres, ReadOnlySpan<PgConverter> converters, bool hasBinary = true)
        : base(postgres)
    {
        _hasBinary = hasBinary;
        foreach (var converter in converters)
            Add(converter, isDefault: Default is null);
    }

    public override bool HasBinary => _hasBinary;

    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    protected override Type OwnClrType => typeof(string);

    // A value of a type that has converters is read by one of them.
    protected override object ReadOwn(ReadOnlySpan<byte> value, bool isBinary) => throw Broken(value, isBinary);

    protected override bool TryReadOwn<T>(ReadOnlySpan<byte> value, bool isBinary, [MaybeNullWhen(false)] out T result)
    {
        // The text is what the server shows.
        if (!isBinary && typeof(T) == typeof(string) && !_hasBinary)
        {
            result = (T)(object)Texts.Read(value);
            return true;
        }

        result = default;
        return false;
    }

    protected override void WriteOwn(ByteWriter writer, object value) => throw WrongType(value);
}
