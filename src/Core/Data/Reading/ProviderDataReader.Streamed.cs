using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Data;

// Sequential access to a large column, which is read from the wire.
public abstract partial class ProviderDataReader
{
    private const int MostInPool = 1 << 20;

    private bool Streams(int ordinal) => _exchange.Part?.Ordinal == ordinal;

    // For a column that is not text, the row's getter throws the same exception as for a small value.
    private bool StreamsText(Row row, int ordinal) => Streams(ordinal) && row.IsText(ordinal);

    private void Seek(int ordinal)
    {
        CheckOrdinal(ordinal);
        _exchange.Part!.Seek(ordinal);
        Pump();
    }

    private async ValueTask SeekAsync(int ordinal, CancellationToken cancellationToken)
    {
        CheckOrdinal(ordinal);
        _ = CurrentRow;
        _exchange.Part!.Seek(ordinal);
        await PumpAsync(cancellationToken).ConfigureAwait(false);
    }

    private void CheckOrdinal(int ordinal)
    {
        if ((uint)ordinal >= (uint)_exchange.Row.FieldCount)
            throw _exchange.Row.NoColumn(ordinal, $"There is no column {ordinal}: the result has {_exchange.Row.FieldCount} columns.");
    }

    private void Pump()
    {
        try
        {
            _session.Operation.Rearm(_command.CommandTimeout * 1000L);
            BlockingPump.Run(_exchange.Part!, _session.Wire);
            _session.Operation.Quiet();
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }
    }

    // Pooled, because the wait for a piece of a large value runs once per piece.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask PumpAsync(CancellationToken cancellationToken)
    {
        _session.Operation.Rearm(_command.CommandTimeout * 1000L);
        _session.RegisterToken(cancellationToken);
        try
        {
            await AsyncPump.RunAsync(_exchange.Part!, _session.Wire).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }
        finally
        {
            _session.UnregisterToken();
            _session.Operation.Quiet();
        }
    }

    internal int ReadFromWire(int ordinal, Span<byte> target)
    {
        var part = PartAt(ordinal);
        while (true)
        {
            var count = part.Read(target);
            if (count > 0 || part.Position == part.Length || target.IsEmpty)
                return count;
            part.More();
            Pump();
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    internal async ValueTask<int> ReadFromWireAsync(int ordinal, Memory<byte> target, CancellationToken cancellationToken)
    {
        var part = PartAt(ordinal);
        while (true)
        {
            if (cancellationToken.IsCancellationRequested)
                return await Canceled<int>(cancellationToken).ConfigureAwait(false);
            var count = part.Read(target.Span);
            if (count > 0 || part.Position == part.Length || target.IsEmpty)
                return count;
            part.More();
            await PumpAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private MessagePart PartAt(int ordinal) => Streams(ordinal) ? _exchange.Part! : throw AlreadyRead();

    /// <summary>
    /// The large value of a row that may have been passed. The session reuses the exchange: later it holds another row's value, or another reader's.
    /// </summary>
    internal MessagePart PartOf(int row, int ordinal) => !_closed && Streams(ordinal) && _exchange.Part!.Number == row ? _exchange.Part : throw AlreadyRead();

    private static InvalidOperationException AlreadyRead() =>
        new("The column's value is no longer available: with sequential access a large value is read once, before the next Read.");

    // Bytes that were read are gone: a second stream would return only the rest, or nothing.
    private MessagePart RequireUnread(int ordinal) => ReadTo(PartAt(ordinal), 0);

    /// <summary>
    /// The large value, at the position to which this stream has read it. A second stream, or GetBytes in between, would make each omit what the other has
    /// read.
    /// </summary>
    internal MessagePart PartReadTo(int row, int ordinal, long position) => ReadTo(PartOf(row, ordinal), position);

    private static MessagePart ReadTo(MessagePart part, long position) => part.Position == position
        ? part
        : throw new InvalidOperationException("Part of the column's value has already been read: with sequential access a value is read once.");

    private ColumnStream OpenOnWire(int ordinal) => new(this, ordinal, RequireUnread(ordinal).Number);

    private byte[] ReadWhole(int ordinal)
    {
        var value = BeginWhole(ordinal);
        while (!value.IsComplete)
            Advance(value, ReadFromWire(ordinal, value.FreeMemory.Span));
        return value.Take();
    }

    private string ReadText(int ordinal)
    {
        var part = PartAt(ordinal);
        if (part.Position != 0 || part.Length > MostInPool)
            return Encoding.UTF8.GetString(ReadWhole(ordinal));
        // The caller keeps the text, but not its bytes.
        var length = (int)part.Length;
        var bytes = ArrayPool<byte>.Shared.Rent(length);
        for (var filled = 0; filled < length;)
            filled += ReadFromWire(ordinal, bytes.AsSpan(filled, length - filled));
        var text = Encoding.UTF8.GetString(bytes, 0, length);
        ArrayPool<byte>.Shared.Return(bytes);
        return text;
    }

    private async ValueTask<byte[]> ReadWholeAsync(int ordinal, CancellationToken cancellationToken)
    {
        var value = BeginWhole(ordinal);
        while (!value.IsComplete)
            Advance(value, await ReadFromWireAsync(ordinal, value.FreeMemory, cancellationToken).ConfigureAwait(false));
        return value.Take();
    }

    private void Advance(ArrivingValue value, int count)
    {
        try
        {
            value.Advance(count);
        }
        catch (WireException exception)
        {
            throw Failed(exception);
        }
    }

    private ArrivingValue BeginWhole(int ordinal)
    {
        var part = RequireUnread(ordinal);
        if (part.Length > Array.MaxLength)
            throw new InvalidOperationException(
                $"The value of column '{Described.Called(ordinal)}' has {part.Length:N0} bytes, more than an array holds: read it with GetStream or GetBytes.");
        var value = new ArrivingValue();
        value.Begin((int)part.Length, 0);
        return value;
    }

    private long GetBytesFromWire(int ordinal, long dataOffset, Span<byte> target, bool onlyLength)
    {
        var part = PartAt(ordinal);
        if (onlyLength)
            return part.Length;
        if (dataOffset < part.Position)
            throw new InvalidOperationException(
                $"Byte {dataOffset} has been passed: with sequential access a value is read forward, and {part.Position} bytes have been read.");
        Span<byte> skipped = stackalloc byte[512];
        while (part.Position < dataOffset && part.Position < part.Length)
            ReadFromWire(ordinal, skipped[..(int)Math.Min(skipped.Length, dataOffset - part.Position)]);
        var total = 0;
        while (total < target.Length && part.Position < part.Length)
            total += ReadFromWire(ordinal, target[total..]);
        return total;
    }

    private long GetCharsFromWire(int ordinal, long dataOffset, Span<char> target)
    {
        var part = PartAt(ordinal);
        var text = _extras.Text();
        if (part.Position == 0)
            text.Begin(part.Number, ordinal);
        else if (!text.IsAt(part.Number, ordinal, part.Position))
            throw new InvalidOperationException("Part of the column's value has already been read as bytes: with sequential access a value is read once, in "
                + "one way.");
        if (dataOffset < text.Position)
            throw new InvalidOperationException(
                $"Character {dataOffset} has been passed: with sequential access a value is read forward, and {text.Position} characters have been read.");
        Span<char> skipped = stackalloc char[512];
        while (text.Position < dataOffset && text.Read(this, ordinal, skipped[..(int)Math.Min(skipped.Length, dataOffset - text.Position)]) > 0)
            continue;
        var total = 0;
        while (total < target.Length && text.Read(this, ordinal, target[total..]) is > 0 and var count)
            total += count;
        return total;
    }

    private InvalidOperationException LengthInCharacters(int ordinal) => new(
        $"The number of characters of column '{Described.Called(ordinal)}' is known only at the end of the value, because it is too large to be held with "
            + "sequential access: read until GetChars returns 0, or use GetTextReader.");
}
