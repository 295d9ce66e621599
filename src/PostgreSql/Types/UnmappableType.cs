using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// A type to which a mapping of the data source does not fit. Its values cannot be read or sent. That is an error of the caller's that reads or sends one, not
/// of the exchange that describes a result with such a column: other columns, and the connection, stay usable.
/// </summary>
internal sealed class UnmappableType(PostgresType postgres, InvalidOperationException reason) : DataType(postgres)
{
    /// <summary>Adds mappings to a type. Returns the type, or one that refuses its values if a mapping does not fit it.</summary>
    public static DataType Or(DataType type, List<TypeMapping> mappings)
    {
        try
        {
            foreach (var mapping in mappings)
                if (mapping.Create(type) is { } converter)
                    type.Add(converter, mapping.IsDefault);
            return type;
        }
        catch (InvalidOperationException misfit)
        {
            return new UnmappableType(type.Postgres, misfit);
        }
    }

    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    protected override Type OwnClrType => typeof(object);

    protected override object ReadOwn(ReadOnlySpan<byte> value, bool isBinary) => throw Refusal();

    protected override bool TryReadOwn<T>(ReadOnlySpan<byte> value, bool isBinary, [MaybeNullWhen(false)] out T result) => throw Refusal();

    protected override object? TryReadOwnAs(Type type, ReadOnlySpan<byte> value, bool isBinary) => throw Refusal();

    protected override void WriteOwn(ByteWriter writer, object value) => throw Refusal();

    // One exception object must not be thrown by several threads.
    private InvalidOperationException Refusal() => new(reason.Message, reason);
}
