using System.Data;
using System.Runtime.CompilerServices;
using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Data;

// The getters. They read from the row's window. With sequential access, a large column is read from the wire.
// The position of a value is computed on demand, so invalid lengths in a row are detected here: the session then breaks, as after any unreadable message.
public abstract partial class ProviderDataReader
{
    /// <inheritdoc/>
    public override object this[int ordinal] => GetValue(ordinal);

    /// <inheritdoc/>
    public override object this[string name] => GetValue(GetOrdinal(name));

    /// <inheritdoc/>
    public override bool IsDBNull(int ordinal)
    {
        try
        {
            return Current(ordinal).IsNull(ordinal);
        }
        catch (ProtocolException malformed)
        {
            throw Failed(malformed);
        }
    }

    /// <inheritdoc/>
    public override Task<bool> IsDBNullAsync(int ordinal, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return Canceled<bool>(cancellationToken);
        if (_exchange.Part is not null)
            return Reached(ordinal, cancellationToken);
        try
        {
            return Task.FromResult(IsDBNull(ordinal));
        }
        catch (Exception exception)
        {
            return Task.FromException<bool>(exception);
        }

        async Task<bool> Reached(int wanted, CancellationToken token)
        {
            await SeekAsync(wanted, token).ConfigureAwait(false);
            return _exchange.Part?.Ordinal != wanted && CurrentRow.IsNull(wanted);
        }
    }

    /// <inheritdoc/>
    public override bool GetBoolean(int ordinal)
    {
        try
        {
            return Current(ordinal).GetBoolean(ordinal);
        }
        catch (ProtocolException malformed)
        {
            throw Failed(malformed);
        }
    }

    /// <inheritdoc/>
    public override byte GetByte(int ordinal)
    {
        try
        {
            return Current(ordinal).GetByte(ordinal);
        }
        catch (ProtocolException malformed)
        {
            throw Failed(malformed);
        }
    }

    /// <inheritdoc/>
    public override short GetInt16(int ordinal)
    {
        try
        {
            return Current(ordinal).GetInt16(ordinal);
        }
        catch (ProtocolException malformed)
        {
            throw Failed(malformed);
        }
    }

    /// <inheritdoc/>
    public override int GetInt32(int ordinal)
    {
        try
        {
            return Current(ordinal).GetInt32(ordinal);
        }
        catch (ProtocolException malformed)
        {
            throw Failed(malformed);
        }
    }

    /// <inheritdoc/>
    public override long GetInt64(int ordinal)
    {
        try
        {
            return Current(ordinal).GetInt64(ordinal);
        }
        catch (ProtocolException malformed)
        {
            throw Failed(malformed);
        }
    }

    /// <inheritdoc/>
    public override float GetFloat(int ordinal)
    {
        try
        {
            return Current(ordinal).GetFloat(ordinal);
        }
        catch (ProtocolException malformed)
        {
            throw Failed(malformed);
        }
    }

    /// <inheritdoc/>
    public override double GetDouble(int ordinal)
    {
        try
        {
            return Current(ordinal).GetDouble(ordinal);
        }
        catch (ProtocolException malformed)
        {
            throw Failed(malformed);
        }
    }

    /// <inheritdoc/>
    public override decimal GetDecimal(int ordinal)
    {
        try
        {
            return Current(ordinal).GetDecimal(ordinal);
        }
        catch (ProtocolException malformed)
        {
            throw Failed(malformed);
        }
    }

    /// <inheritdoc/>
    public override DateTime GetDateTime(int ordinal)
    {
        try
        {
            return Current(ordinal).GetDateTime(ordinal);
        }
        catch (ProtocolException malformed)
        {
            throw Failed(malformed);
        }
    }

    /// <inheritdoc/>
    public override Guid GetGuid(int ordinal)
    {
        try
        {
            return Current(ordinal).GetGuid(ordinal);
        }
        catch (ProtocolException malformed)
        {
            throw Failed(malformed);
        }
    }

    /// <inheritdoc/>
    public override char GetChar(int ordinal) =>
        GetString(ordinal) is [var first, ..] ? first : throw new InvalidCastException($"Column '{Described.Called(ordinal)}' is an empty string, which has "
            + "no first character.");

    /// <inheritdoc/>
    public override string GetString(int ordinal)
    {
        try
        {
            var row = Current(ordinal);
            return StreamsText(row, ordinal) ? ReadText(ordinal) : row.GetString(ordinal);
        }
        catch (Exception malformed) when (malformed is ProtocolException or OutOfMemoryException)
        {
            throw Failed(malformed);
        }
    }

    /// <inheritdoc/>
    public override object GetValue(int ordinal)
    {
        try
        {
            var row = Current(ordinal);
            if (!Streams(ordinal))
                return row.GetValue(ordinal);
            return row.IsText(ordinal) ? ReadText(ordinal) : ReadWhole(ordinal);
        }
        catch (Exception malformed) when (malformed is ProtocolException or OutOfMemoryException)
        {
            throw Failed(malformed);
        }
    }

    /// <inheritdoc/>
    public override int GetValues(object[] values)
    {
        ArgumentNullException.ThrowIfNull(values);
        _ = CurrentRow;
        var count = Math.Min(values.Length, FieldCount);
        for (var i = 0; i < count; i++)
            values[i] = GetValue(i);
        return count;
    }

    /// <summary>
    /// Gets a value as <typeparamref name="T"/>, without boxing if the provider supports the type directly. <see cref="Stream"/>, <see cref="TextReader"/> and
    /// <see cref="StringReader"/> are supported too.
    /// </summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="ordinal">The column's ordinal, from 0.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidCastException">The value cannot be converted to <typeparamref name="T"/>.</exception>
    /// <exception cref="InvalidOperationException">There is no current row.</exception>
    public override T GetFieldValue<T>(int ordinal)
    {
        var row = Current(ordinal);
        if (typeof(T) == typeof(Stream))
            return (T)(object)GetStream(ordinal);
        if (typeof(T) == typeof(TextReader))
            return (T)(object)GetTextReader(ordinal);
        if (typeof(T) == typeof(StringReader))
            return (T)(object)new StringReader(GetString(ordinal));
        if (!Streams(ordinal))
        {
            try
            {
                return row.GetFieldValue<T>(ordinal);
            }
            catch (Exception malformed) when (malformed is ProtocolException or OutOfMemoryException)
            {
                throw Failed(malformed);
            }
        }

        if (typeof(T) == typeof(byte[]) || typeof(T) == typeof(object) && !row.IsText(ordinal))
            return (T)(object)ReadWhole(ordinal);
        if (typeof(T) == typeof(string) || typeof(T) == typeof(object))
            return (T)(object)GetString(ordinal);
        throw new InvalidCastException(
            $"Column '{Described.Called(ordinal)}' is too large to be read as {typeof(T).Name}: use GetStream, GetTextReader, GetBytes or "
                + "GetFieldValue<byte[]>.");
    }

    /// <inheritdoc/>
    public override async Task<T> GetFieldValueAsync<T>(int ordinal, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return await Canceled<T>(cancellationToken).ConfigureAwait(false);
        if (_exchange.Part is not null)
        {
            await SeekAsync(ordinal, cancellationToken).ConfigureAwait(false);
            if (typeof(T) == typeof(byte[])
                ? Streams(ordinal)
                : (typeof(T) == typeof(string) || typeof(T) == typeof(StringReader)) && StreamsText(CurrentRow, ordinal))
            {
                var bytes = await ReadWholeAsync(ordinal, cancellationToken).ConfigureAwait(false);
                if (typeof(T) == typeof(byte[]))
                    return (T)(object)bytes;
                var text = Encoding.UTF8.GetString(bytes);
                return typeof(T) == typeof(string) ? (T)(object)text : (T)(object)new StringReader(text);
            }
        }

        return GetFieldValue<T>(ordinal);
    }

    /// <summary>Copies bytes of a value into a buffer. With sequential access, a large value is read forward only.</summary>
    /// <param name="ordinal">The column's ordinal, from 0.</param>
    /// <param name="dataOffset">The index of the first byte to copy.</param>
    /// <param name="buffer">The buffer; null returns the length of the value.</param>
    /// <param name="bufferOffset">The index in the buffer for the first byte.</param>
    /// <param name="length">The maximum number of bytes to copy.</param>
    /// <returns>The number of copied bytes; the length of the value in bytes if <paramref name="buffer"/> is null.</returns>
    /// <exception cref="InvalidOperationException">There is no current row, or a large value was already read beyond the offset.</exception>
    public override long GetBytes(int ordinal, long dataOffset, byte[]? buffer, int bufferOffset, int length)
    {
        var row = Current(ordinal);
        CheckTarget(dataOffset, buffer?.Length ?? 0, buffer is null ? 0 : bufferOffset, buffer is null ? 0 : length);
        if (Streams(ordinal))
            return GetBytesFromWire(ordinal, dataOffset, buffer is null ? [] : buffer.AsSpan(bufferOffset, length), buffer is null);
        var value = SpanOf(row, ordinal);
        if (buffer is null)
            return value.Length;
        ArgumentOutOfRangeException.ThrowIfGreaterThan(dataOffset, int.MaxValue);
        if (dataOffset >= value.Length)
            return 0;
        var count = Math.Min(length, value.Length - (int)dataOffset);
        value.Slice((int)dataOffset, count).CopyTo(buffer.AsSpan(bufferOffset));
        return count;
    }

    /// <summary>Copies characters of a text into a buffer. With sequential access, a large text is read forward only.</summary>
    /// <param name="ordinal">The column's ordinal, from 0.</param>
    /// <param name="dataOffset">The index of the first character to copy.</param>
    /// <param name="buffer">The buffer; null returns the length of the text.</param>
    /// <param name="bufferOffset">The index in the buffer for the first character.</param>
    /// <param name="length">The maximum number of characters to copy.</param>
    /// <returns>The number of copied characters; the length of the text in characters if <paramref name="buffer"/> is null.</returns>
    /// <exception cref="InvalidOperationException">There is no current row, a large text was already read beyond the offset, or its length is
    /// requested.</exception>
    public override long GetChars(int ordinal, long dataOffset, char[]? buffer, int bufferOffset, int length)
    {
        var row = Current(ordinal);
        CheckTarget(dataOffset, buffer?.Length ?? 0, buffer is null ? 0 : bufferOffset, buffer is null ? 0 : length);
        if (StreamsText(row, ordinal))
            return GetCharsFromWire(ordinal, dataOffset, buffer is null ? throw LengthInCharacters(ordinal) : buffer.AsSpan(bufferOffset, length));
        var value = GetString(ordinal);
        if (buffer is null)
            return value.Length;
        ArgumentOutOfRangeException.ThrowIfGreaterThan(dataOffset, int.MaxValue);
        if (dataOffset >= value.Length)
            return 0;
        var count = Math.Min(length, value.Length - (int)dataOffset);
        value.CopyTo((int)dataOffset, buffer, bufferOffset, count);
        return count;
    }

    /// <summary>Gets the bytes of a value as a stream. With sequential access, a large value is read from the connection while the stream is read.</summary>
    /// <param name="ordinal">The column's ordinal, from 0.</param>
    /// <returns>The stream. If it reads from the connection, it is valid until the reader moves to the next row.</returns>
    /// <exception cref="InvalidOperationException">There is no current row.</exception>
    public override Stream GetStream(int ordinal)
    {
        var row = Current(ordinal);
        return Streams(ordinal) ? OpenOnWire(ordinal) : new MemoryStream(BytesOf(row, ordinal), writable: false);
    }

    /// <summary>Gets a text as a reader. With sequential access, a large text is read from the connection while the reader is read.</summary>
    /// <param name="ordinal">The column's ordinal, from 0.</param>
    /// <returns>The reader. If it reads from the connection, it is valid until this data reader moves to the next row.</returns>
    /// <exception cref="InvalidOperationException">There is no current row.</exception>
    public override TextReader GetTextReader(int ordinal)
    {
        var row = Current(ordinal);
        // A byte order mark at the beginning is part of the value.
        return StreamsText(row, ordinal)
            ? new StreamReader(OpenOnWire(ordinal), new UTF8Encoding(false), detectEncodingFromByteOrderMarks: false)
            : new StringReader(GetString(ordinal));
    }

    /// <summary>The current row, after <see cref="Read"/> returned true.</summary>
    private protected Row CurrentRow => _place == Place.OnRow ? _row : throw NoRow();

    /// <summary>The current row, with column <paramref name="ordinal"/> available.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected Row Current(int ordinal)
    {
        var row = CurrentRow;
        if (_exchange.Part is not null)
            Seek(ordinal);
        return row;
    }

    /// <summary>The bytes of the value.</summary>
    private protected ReadOnlySpan<byte> SpanOf(Row row, int ordinal)
    {
        try
        {
            return row.GetSpan(ordinal);
        }
        catch (ProtocolException malformed)
        {
            throw Failed(malformed);
        }
    }

    /// <summary>Gets the bytes of a value in the receive buffer, without copying them or creating a string. Text is UTF-8.</summary>
    /// <param name="ordinal">The column's ordinal, from 0.</param>
    /// <returns>The bytes; valid until the next call of Read.</returns>
    /// <exception cref="InvalidOperationException">There is no current row, or the value is too large for the buffer with sequential access: read it with
    /// <see cref="GetStream"/>.</exception>
    /// <exception cref="IndexOutOfRangeException">The ordinal is not valid.</exception>
    public ReadOnlySpan<byte> GetUtf8Span(int ordinal)
    {
        var row = Current(ordinal);
        if (Streams(ordinal))
            throw new InvalidOperationException(
                $"The value of column '{Described.Called(ordinal)}' is too large to be held with sequential access: use GetStream.");
        return SpanOf(row, ordinal);
    }

    private byte[] BytesOf(Row row, int ordinal)
    {
        try
        {
            return row.GetByteArray(ordinal);
        }
        catch (Exception malformed) when (malformed is ProtocolException or OutOfMemoryException)
        {
            throw Failed(malformed);
        }
    }

    private string TextOf(byte[] bytes)
    {
        try
        {
            return Encoding.UTF8.GetString(bytes);
        }
        catch (OutOfMemoryException exception)
        {
            throw Failed(exception);
        }
    }

    private InvalidOperationException NoRow() => new(_closed
        ? "The data reader is closed: read its values before it is disposed."
        : _place == Place.BeforeFirst ? "There is no current row: call Read before getting a value." : "There is no current row: Read has returned false.");

    internal static void CheckTarget(long dataOffset, int capacity, int bufferOffset, int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(dataOffset);
        ArgumentOutOfRangeException.ThrowIfNegative(bufferOffset);
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bufferOffset, capacity);
        if (bufferOffset > capacity - length)
            throw new ArgumentException("The buffer is too small for that offset and length.");
    }
}
