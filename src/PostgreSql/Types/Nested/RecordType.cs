using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// The type of rows without a name, such as ROW(1, 'a'). The driver always requests text, which does not contain the types of the fields: GetValue returns
/// strings, and a tuple determines the types of its elements.
/// </summary>
internal sealed class RecordType(PostgresType postgres, TypeCatalogue types) : DataType(postgres)
{
    public override ColumnKind Kind => ColumnKind.Coded;

    public override bool HasBinary => false;

    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    protected override Type OwnClrType => typeof(object[]);

    protected override object ReadOwn(ReadOnlySpan<byte> value, bool isBinary)
    {
        var fields = new CompositeFields(this, value, isBinary);
        var values = new object[fields.Count];
        for (var i = 0; i < values.Length; i++)
            values[i] = fields.TryTake(out var field) ? Texts.Read(field) : DBNull.Value;
        fields.End();
        return values;
    }

    protected override bool TryReadOwn<T>(ReadOnlySpan<byte> value, bool isBinary, [MaybeNullWhen(false)] out T result)
    {
        if (typeof(T) == typeof(object[]))
        {
            result = (T)ReadOwn(value, isBinary);
            return true;
        }

        if (typeof(T) == typeof(string))
        {
            result = (T)(object)Texts.Read(value);
            return true;
        }

        if (TryReadOwnAs(typeof(T), value, isBinary) is T tuple)
        {
            result = tuple;
            return true;
        }

        result = default;
        return false;
    }

    protected override object? TryReadOwnAs(Type type, ReadOnlySpan<byte> value, bool isBinary)
    {
        if (!typeof(ITuple).IsAssignableFrom(type))
            return null;
        var fields = new CompositeFields(this, value, isBinary);
        return Tuples.Read(type, this, ref fields, Tuples.TypesOf(type, types));
    }

    protected override void WriteOwn(ByteWriter writer, object value) =>
        throw new InvalidCastException("A record cannot be sent, because the server does not accept it as a parameter: use a composite type.");
}
