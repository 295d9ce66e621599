using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.PgOutput;

/// <summary>
/// A row. The object is reused: it holds where the values of the last row are.
/// <code>
/// count (int16) | { 'n' | 'u' | 't' length (int32) text… | 'b' length (int32) value… }…
/// </code>
/// Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats", TupleData.
/// </summary>
internal sealed class TupleData
{
    /// <summary>The value is NULL.</summary>
    public const byte Null = (byte)'n';

    /// <summary>The value is stored out of line (TOAST) and has not changed. It is not sent.</summary>
    public const byte Unchanged = (byte)'u';

    /// <summary>The value is text.</summary>
    public const byte Text = (byte)'t';

    /// <summary>The value is in the binary format of its type.</summary>
    public const byte Binary = (byte)'b';

    private byte[] _kinds = new byte[16];
    private int[] _at = new int[16];
    private int[] _lengths = new int[16];

    /// <summary>Gets the number of columns.</summary>
    public int Count { get; private set; }

    /// <summary>Gets how each value is sent.</summary>
    public ReadOnlySpan<byte> Kinds => _kinds.AsSpan(0, Count);

    /// <summary>Gets where each value begins, from the beginning of the buffer.</summary>
    public ReadOnlySpan<int> At => _at.AsSpan(0, Count);

    /// <summary>Gets the length of each value in bytes; −1 for a value that is NULL or not sent.</summary>
    public ReadOnlySpan<int> Lengths => _lengths.AsSpan(0, Count);

    /// <summary>Reads a row. The reader fails if it is truncated, or the number of columns is not the expected one.</summary>
    /// <param name="reader">The message.</param>
    /// <param name="offset">Where the message begins in its buffer.</param>
    /// <param name="columns">The number of columns of the relation.</param>
    public void Read(ref ByteReader reader, int offset, int columns)
    {
        Count = 0;
        if (reader.Int16BigEndian() != columns)
            reader.Fail();
        if (reader.Failed)
            return;
        if (_kinds.Length < columns)
            (_kinds, _at, _lengths) = (new byte[columns], new int[columns], new int[columns]);
        for (var i = 0; i < columns; i++)
        {
            _kinds[i] = reader.Byte();
            _lengths[i] = -1;
            switch (_kinds[i])
            {
                case Null or Unchanged:
                    break;
                case Text or Binary:
                    _lengths[i] = reader.Int32BigEndian();
                    _at[i] = offset + reader.Position;
                    reader.Skip(_lengths[i]);
                    break;
                default:
                    reader.Fail();
                    break;
            }

            if (reader.Failed)
                return;
        }

        Count = columns;
    }
}
