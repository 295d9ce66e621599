using System.Buffers;
using System.Data;
using System.Data.Common;
using Slipstream.Core.Data;

namespace Slipstream.Caching;

// Values in both directions, each copied at most once.
internal abstract partial class CacheTable
{
    // With sequential access, the driver streams a value of this size or more, and holds a shorter one in its buffer.
    private const int StreamedFrom = 64 * 1024;

    // The most that a writer is asked for at once. The length is the server's word; the bytes have not arrived yet.
    private const int LargestPiece = 16 * 1024 * 1024;

    private byte[]? GetOnce(DbConnection connection, byte[] id)
    {
        using var command = Command(connection, Texts.Get, id);
        byte[]? value = null;
        try
        {
            using var reader = command.ExecuteReader();
            return reader.Read() ? value = reader.GetFieldValue<byte[]>(0) : null;
        }
        catch (DbException exception) when (value is not null && IsCollision(exception))
        {
            return value;
        }
    }

    private async Task<byte[]?> GetOnceAsync(DbConnection connection, byte[] id, CancellationToken token)
    {
        using var command = Command(connection, Texts.Get, id);
        byte[]? value = null;
        try
        {
            var reader = await command.ExecuteReaderAsync(token).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
                return await reader.ReadAsync(token).ConfigureAwait(false) ? value = reader.GetFieldValue<byte[]>(0) : null;
        }
        catch (DbException exception) when (value is not null && IsCollision(exception))
        {
            return value;
        }
    }

    // PostgreSQL sends the value before it commits that the entry is prolonged. If the commit fails because another operation changes the entry at this moment,
    // the value is right, and must not be written to the destination again.
    private bool TryGetOnce(DbConnection connection, (byte[] Id, IBufferWriter<byte> Destination) wanted)
    {
        using var command = Command(connection, Texts.Get, wanted.Id);
        var hasValue = false;
        try
        {
            using var reader = command.ExecuteReader(CommandBehavior.SequentialAccess);
            if (!reader.Read())
                return false;
            Receive(reader, wanted.Destination);
            return hasValue = true;
        }
        catch (DbException exception) when (hasValue && IsCollision(exception))
        {
            return true;
        }
    }

    private async Task<bool> TryGetOnceAsync(DbConnection connection, (byte[] Id, IBufferWriter<byte> Destination) wanted, CancellationToken token)
    {
        using var command = Command(connection, Texts.Get, wanted.Id);
        var hasValue = false;
        try
        {
            var reader = await command.ExecuteReaderAsync(CommandBehavior.SequentialAccess, token).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                if (!await reader.ReadAsync(token).ConfigureAwait(false))
                    return false;
                await ReceiveAsync(reader, wanted.Destination, token).ConfigureAwait(false);
                return hasValue = true;
            }
        }
        catch (DbException exception) when (hasValue && IsCollision(exception))
        {
            return true;
        }
    }

    private static void Receive(DbDataReader reader, IBufferWriter<byte> destination)
    {
        var left = reader.GetBytes(0, 0, null, 0, 0);
        if (left < StreamedFrom)
        {
            destination.Write(((ProviderDataReader)reader).GetUtf8Span(0));
            return;
        }

        using var stream = reader.GetStream(0);
        while (left > 0)
        {
            var piece = NextPiece(destination, left);
            stream.ReadExactly(piece.Span);
            destination.Advance(piece.Length);
            left -= piece.Length;
        }
    }

    private static async Task ReceiveAsync(DbDataReader reader, IBufferWriter<byte> destination, CancellationToken token)
    {
        var left = reader.GetBytes(0, 0, null, 0, 0);
        if (left < StreamedFrom)
        {
            destination.Write(((ProviderDataReader)reader).GetUtf8Span(0));
            return;
        }

        var stream = reader.GetStream(0);
        await using (stream.ConfigureAwait(false))
        {
            while (left > 0)
            {
                var piece = NextPiece(destination, left);
                await stream.ReadExactlyAsync(piece, token).ConfigureAwait(false);
                destination.Advance(piece.Length);
                left -= piece.Length;
            }
        }
    }

    private static Memory<byte> NextPiece(IBufferWriter<byte> destination, long left)
    {
        var length = (int)Math.Min(left, LargestPiece);
        return destination.GetMemory(length)[..length];
    }

    private int SetOnce(DbConnection connection, (byte[] Id, ReadOnlySequence<byte> Value, EntryTimes Times) entry)
    {
        using var command = SetCommand(connection, entry, out var copy);
        var count = command.ExecuteNonQuery();
        Return(copy);
        return count;
    }

    private async Task<int> SetOnceAsync(
        DbConnection connection, (byte[] Id, ReadOnlySequence<byte> Value, EntryTimes Times) entry, CancellationToken token)
    {
        using var command = SetCommand(connection, entry, out var copy);
        var count = await command.ExecuteNonQueryAsync(token).ConfigureAwait(false);
        Return(copy);
        return count;
    }

    private DbCommand SetCommand(DbConnection connection, (byte[] Id, ReadOnlySequence<byte> Value, EntryTimes Times) entry, out byte[]? copy)
    {
        copy = null;
        var command = Command(connection, Texts.Set, entry.Id);
        if (Pass(command, entry.Value) is not { } value)
        {
            var length = checked((int)entry.Value.Length);
            copy = ArrayPool<byte>.Shared.Rent(length);
            entry.Value.CopyTo(copy);
            value = new ReadOnlyMemory<byte>(copy, 0, length);
        }

        Add(command, CacheTexts.Value, value);
        Add(command, CacheTexts.Sliding, entry.Times.Sliding);
        Add(command, CacheTexts.Relative, entry.Times.Relative);
        Add(command, CacheTexts.Instant, entry.Times.Instant);
        return command;
    }

    // Only after success: after a failure, the operating system may still read from the array.
    private static void Return(byte[]? copy)
    {
        if (copy is not null)
            ArrayPool<byte>.Shared.Return(copy);
    }
}
