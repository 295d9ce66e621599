using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Protocol;

namespace Slipstream.PostgreSql.Types;

/// <summary>json or jsonb, or a domain over one. In binary, jsonb has a version byte before the text.</summary>
internal sealed class JsonType(PostgresType postgres, uint written, JsonMapping? mapping) : DataType(postgres)
{
    public override ColumnKind Kind => written == TypeOid.Jsonb ? ColumnKind.Jsonb : ColumnKind.Text;

    public override bool IsBetterBinary => false;

    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    protected override Type OwnClrType => typeof(string);

    protected override object ReadOwn(ReadOnlySpan<byte> value, bool isBinary) => Scalars.Read(Kind, value, isBinary);

    protected override bool TryReadOwn<T>(ReadOnlySpan<byte> value, bool isBinary, [MaybeNullWhen(false)] out T result)
    {
        if (Scalars.TryRead(Kind, value, isBinary, out result))
            return true;
        var utf8 = isBinary && Kind == ColumnKind.Jsonb ? Texts.Jsonb(value) : value;
        if (JsonValues.IsJson(typeof(T)))
        {
            result = JsonValues.Read<T>(utf8);
            return true;
        }

        return mapping is not null && mapping.TryRead(utf8, out result!) && result is not null;
    }

    protected override object? TryReadOwnAs(Type type, ReadOnlySpan<byte> value, bool isBinary)
    {
        var utf8 = isBinary && Kind == ColumnKind.Jsonb ? Texts.Jsonb(value) : value;
        return JsonValues.IsJson(type) ? JsonValues.TryRead(type, utf8) : mapping?.TryRead(type, utf8);
    }

    protected override void WriteOwn(ByteWriter writer, object value) =>
        Values.Write(writer, Mapped(value) is { } utf8 ? utf8 : value, written, size: 0);

    private byte[]? Mapped(object value) => mapping is null || Values.IsTextOrBytes(value) || JsonValues.IsJson(value.GetType())
        ? null
        : mapping.ToUtf8(value, isReordered: written == TypeOid.Jsonb);
}
