using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql;

/// <summary>
/// Reads the values of a row of a binary export: the only place that knows how a row and its types are passed to the codecs. The server does not say which
/// types the columns have. The reader assumes the type of the last read of the column, and describes the row anew when a read names another type.
/// </summary>
internal sealed class CopyValueReader(int columns, TypeCatalogue types)
{
    private readonly PgRow _row = new() { MessageName = "CopyData row" };
    private readonly uint[] _oids = new uint[columns];
    private bool _isDescribed;
    private byte[] _buffer = [];
    private int _start;
    private int _end;

    /// <summary>Moves to a row, whose field count and values are in <paramref name="buffer"/>.</summary>
    /// <exception cref="Core.Errors.ProtocolException">The row has another number of values.</exception>
    public void Set(byte[] buffer, int start, int end)
    {
        (_buffer, _start, _end) = (buffer, start, end);
        if (!_isDescribed)
            Describe();
        _row.Set(buffer, start, end);
    }

    /// <summary>Checks that the row contains exactly its values.</summary>
    /// <exception cref="Core.Errors.ProtocolException">It does not.</exception>
    public void Check()
    {
        // Locating the last value locates, and checks, all of them.
        if (columns > 0)
            _row.IsNull(columns - 1);
    }

    public bool IsNull(int column) => _row.IsNull(column);

    /// <summary>Reads a value as <typeparamref name="T"/>.</summary>
    /// <param name="column">The column's index.</param>
    /// <param name="oid">The column's type; <see cref="TypeOid.Unspecified"/>: the type that <typeparamref name="T"/> suggests.</param>
    /// <exception cref="InvalidCastException">The value does not have this type, or cannot be converted to <typeparamref name="T"/>.</exception>
    public T Read<T>(int column, uint oid)
    {
        if (oid == TypeOid.Unspecified)
            oid = Suggested<T>();
        if (_oids[column] != oid)
        {
            _oids[column] = oid;
            Describe();
            _row.Set(_buffer, _start, _end);
        }

        try
        {
            return _row.GetFieldValue<T>(column);
        }
        catch (FormatException exception)
        {
            throw new InvalidCastException(
                $"The value of column {column} does not have the type {types.Get(oid).Name}: pass the column's type to the read.", exception);
        }
    }

    private uint Suggested<T>()
    {
        if (ScalarType<T>.Oid is not TypeOid.Unspecified and var oid)
            return oid;
        var type = Nullable.GetUnderlyingType(typeof(T)) ?? typeof(T);
        return types.ForClr(type)?.Oid ?? throw new InvalidCastException($"{type.Name} suggests no type of the database: pass the column's type to the read.");
    }

    // Looked up once for each type, not for each value. An enumeration may be mapped.
    private static class ScalarType<T>
    {
        public static readonly uint Oid = Find(Nullable.GetUnderlyingType(typeof(T)) ?? typeof(T));

        private static uint Find(Type type) => !type.IsEnum && Values.TryTypeOf(type, out var oid) ? oid : TypeOid.Unspecified;
    }

    // The codecs take a description as the server sends it for a query.
    private void Describe()
    {
        var writer = new ByteWriter(32 * (columns + 1));
        writer.Int16BigEndian((short)columns);
        foreach (var oid in _oids)
        {
            writer.TextAndZero("value");
            writer.Int32BigEndian(0);
            writer.Int16BigEndian(0);
            BinaryPrimitives.WriteUInt32BigEndian(writer.Grow(4), oid == TypeOid.Unspecified ? TypeOid.Bytea : oid);
            writer.Int16BigEndian(-1);
            writer.Int32BigEndian(-1);
            writer.Int16BigEndian(1);
        }

        _row.Begin(ResultMetadata.From(writer.Written, null, types));
        _isDescribed = true;
    }
}
