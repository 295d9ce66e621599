using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>A type whose values a row decodes itself, or a domain over one.</summary>
/// <param name="postgres">The type.</param>
/// <param name="kind">How the values are decoded.</param>
/// <param name="written">Object id of the type whose form is written: the type itself, or the base type of a domain.</param>
internal sealed class ScalarType(PostgresType postgres, ColumnKind kind, uint written) : DataType(postgres)
{
    public override ColumnKind Kind => kind;

    public override bool HasBinary => kind != ColumnKind.Other;

    public override bool IsBetterBinary => kind.IsBetterBinary();

    public override bool IsTextual => kind is ColumnKind.Text;

    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    protected override Type OwnClrType => kind.ClrType();

    protected override object ReadOwn(ReadOnlySpan<byte> value, bool isBinary) => Scalars.Read(kind, value, isBinary);

    protected override bool TryReadOwn<T>(ReadOnlySpan<byte> value, bool isBinary, [MaybeNullWhen(false)] out T result)
    {
        if (kind != ColumnKind.Other || !isBinary)
            return Scalars.TryRead(kind, value, isBinary, out result);
        result = default;
        return false;
    }

    protected override void WriteOwn(ByteWriter writer, object value) => Values.Write(writer, value, written, size: 0);

    protected override bool TryWriteOwn<T>(ByteWriter writer, T value)
    {
        if (!typeof(T).IsValueType)
            return false;
        Values.Write(writer, value, written);
        return true;
    }
}
