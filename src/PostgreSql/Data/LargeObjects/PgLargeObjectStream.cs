using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>
/// The bytes of an open large object. Each read, write or seek is a command on the connection, in parts of
/// <see cref="PgLargeObjectManager.MaxTransferBlockSize"/>. The stream ends with its transaction: after that, its methods throw
/// <see cref="InvalidOperationException"/>, and disposing it does nothing.
/// </summary>
public sealed class PgLargeObjectStream : Stream
{
    private readonly PgLargeObjectManager _manager;
    private readonly int _descriptor;
    private readonly bool _canWrite;
    private readonly PgSession? _session;
    private readonly int _transaction;
    private long _position;
    private bool _isDisposed;

    internal PgLargeObjectStream(PgLargeObjectManager manager, int descriptor, bool canWrite)
    {
        (_manager, _descriptor, _canWrite) = (manager, descriptor, canWrite);
        _session = manager.Connection.SessionOrNull as PgSession;
        _transaction = _session?.State.WholeTransaction ?? 0;
    }

    /// <summary>Gets whether the stream is open.</summary>
    public override bool CanRead => !_isDisposed;

    /// <summary>Gets whether the stream is open for writing.</summary>
    public override bool CanWrite => !_isDisposed && _canWrite;

    /// <summary>Gets whether the stream is open.</summary>
    public override bool CanSeek => !_isDisposed;

    /// <summary>Gets false: the command time-out of the connection string limits each call of the server.</summary>
    public override bool CanTimeout => false;

    /// <summary>Gets or sets the position, in bytes from the beginning. Setting it calls the server.</summary>
    /// <exception cref="PgException">The server refused it.</exception>
    public override long Position
    {
        get
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            return _position;
        }
        set => Seek(value, SeekOrigin.Begin);
    }

    /// <summary>Gets the length in bytes. This calls the server twice.</summary>
    /// <exception cref="PgException">The server refused it.</exception>
    public override long Length
    {
        get
        {
            var position = Position;
            var length = Seek(0, SeekOrigin.End);
            if (length != position)
                Seek(position, SeekOrigin.Begin);
            return length;
        }
    }

    /// <summary>Returns the length in bytes. This calls the server twice.</summary>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The length.</returns>
    /// <exception cref="PgException">The server refused it.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<long> GetLengthAsync(CancellationToken cancellationToken = default)
    {
        var position = Position;
        var length = await SeekAsync(0, SeekOrigin.End, cancellationToken).ConfigureAwait(false);
        if (length != position)
            await SeekAsync(position, SeekOrigin.Begin, cancellationToken).ConfigureAwait(false);
        return length;
    }

    // ---------------------------------------------------------------- reading

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        return Read(buffer.AsSpan(offset, count));
    }

    /// <summary>Reads bytes at the position.</summary>
    /// <param name="buffer">The destination.</param>
    /// <returns>The number of bytes; 0 at the end.</returns>
    /// <exception cref="PgException">The server refused it.</exception>
    public override int Read(Span<byte> buffer)
    {
        // In parts, because programs may expect that only the end of the large object makes a read short.
        var total = 0;
        int read;
        do
        {
            if (total == buffer.Length)
                return total;
            read = Take(CallRead(buffer.Length - total).Run<byte[]>(), buffer[total..]);
            total += read;
        }
        while (read == _manager.MaxTransferBlockSize);
        return total;
    }

    /// <inheritdoc/>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    /// <inheritdoc cref="Read(Span{byte})"/>
    /// <param name="buffer">The destination.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var total = 0;
        int read;
        do
        {
            if (total == buffer.Length)
                return total;
            read = Take(await CallRead(buffer.Length - total).RunAsync<byte[]>(cancellationToken).ConfigureAwait(false), buffer.Span[total..]);
            total += read;
        }
        while (read == _manager.MaxTransferBlockSize);
        return total;
    }

    // ---------------------------------------------------------------- writing

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        Write(buffer.AsSpan(offset, count));
    }

    /// <summary>Writes bytes at the position.</summary>
    /// <param name="buffer">The bytes.</param>
    /// <exception cref="NotSupportedException">The large object was opened for reading.</exception>
    /// <exception cref="PgException">The server refused it.</exception>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        RequireWritable();
        while (!buffer.IsEmpty)
        {
            var part = buffer[..Math.Min(buffer.Length, _manager.MaxTransferBlockSize)];
            Written(CallWrite(part.ToArray()).Run<int>(), part.Length);
            buffer = buffer[part.Length..];
        }
    }

    /// <inheritdoc/>
    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    /// <inheritdoc cref="Write(ReadOnlySpan{byte})"/>
    /// <param name="buffer">The bytes.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>A task that completes when the bytes have been written.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        RequireWritable();
        while (!buffer.IsEmpty)
        {
            var part = buffer[..Math.Min(buffer.Length, _manager.MaxTransferBlockSize)];
            Written(await CallWrite(part).RunAsync<int>(cancellationToken).ConfigureAwait(false), part.Length);
            buffer = buffer[part.Length..];
        }
    }

    /// <summary>Has no effect: each write is sent at once.</summary>
    public override void Flush()
    {
        // Each write is sent at once.
    }

    // ---------------------------------------------------------------- position and length

    /// <summary>Moves the position.</summary>
    /// <param name="offset">Number of bytes from the origin.</param>
    /// <param name="origin">The origin.</param>
    /// <returns>The new position.</returns>
    /// <exception cref="PgException">The server refused it.</exception>
    public override long Seek(long offset, SeekOrigin origin) => _position = CallSeek(offset, origin).Run<long>();

    /// <inheritdoc cref="Seek"/>
    /// <param name="offset">Number of bytes from the origin.</param>
    /// <param name="origin">The origin.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<long> SeekAsync(long offset, SeekOrigin origin, CancellationToken cancellationToken = default) =>
        _position = await CallSeek(offset, origin).RunAsync<long>(cancellationToken).ConfigureAwait(false);

    /// <summary>Cuts or extends the large object. New bytes are 0.</summary>
    /// <param name="value">The length in bytes.</param>
    /// <exception cref="NotSupportedException">The large object was opened for reading.</exception>
    /// <exception cref="PgException">The server refused it.</exception>
    public override void SetLength(long value) => CallTruncate(value).Run<int>();

    /// <inheritdoc cref="SetLength(long)"/>
    /// <param name="value">The length in bytes.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>A task that completes when the large object has the length.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task SetLengthAsync(long value, CancellationToken cancellationToken = default) => CallTruncate(value).RunAsync<int>(cancellationToken);

    /// <summary>Closes the large object on the server. If the transaction or the connection has ended, the server has closed it.</summary>
    protected override void Dispose(bool disposing)
    {
        if (disposing && BeginsClosing())
            CallClose().Run<int>();
        base.Dispose(disposing);
    }

    /// <inheritdoc cref="Dispose(bool)"/>
    /// <returns>A task that completes when the large object has been closed.</returns>
    public override async ValueTask DisposeAsync()
    {
        if (BeginsClosing())
            await CallClose().RunAsync<int>(default).ConfigureAwait(false);
        GC.SuppressFinalize(this);
    }

    // ---------------------------------------------------------------- calls

    private LargeObjectCall CallRead(int count) => Call("loread", _descriptor, Math.Min(count, _manager.MaxTransferBlockSize));

    private LargeObjectCall CallWrite(ReadOnlyMemory<byte> bytes) => Call("lowrite", _descriptor, bytes);

    private LargeObjectCall CallSeek(long offset, SeekOrigin origin) => origin is >= SeekOrigin.Begin and <= SeekOrigin.End
        ? Call("lo_lseek64", _descriptor, offset, (int)origin)
        : throw new ArgumentOutOfRangeException(nameof(origin));

    private LargeObjectCall CallTruncate(long length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        RequireWritable();
        return Call("lo_truncate64", _descriptor, length);
    }

    private LargeObjectCall CallClose() => LargeObjectCall.Create(_manager.Connection, "lo_close", _descriptor);

    private LargeObjectCall Call(string function, params ReadOnlySpan<object> arguments)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (HasEnded)
        {
            throw new InvalidOperationException(
                "The server has closed the large object, because its transaction has ended: open it again in the current transaction.");
        }

        return LargeObjectCall.Create(_manager.Connection, function, arguments);
    }

    // The server counts the large objects of each transaction from 0: in another one, the descriptor may be that of another large object.
    private bool HasEnded => _session is null or { PendingBegin: not null } or { PendingEnd: not null } || !_session.IsInTransaction
        || _session.State.WholeTransaction != _transaction || !ReferenceEquals(_manager.Connection.SessionOrNull, _session);

    private int Take(byte[]? bytes, Span<byte> target)
    {
        if (bytes is null || bytes.Length > target.Length)
            throw new InvalidOperationException("The server returned more bytes of the large object than it was asked for, or none.");
        bytes.CopyTo(target);
        _position += bytes.Length;
        return bytes.Length;
    }

    // lowrite writes everything, or fails (inv_write in inv_api.c).
    private void Written(int count, int sent)
    {
        if (count != sent)
            throw new InvalidOperationException($"The server reports that it wrote {count:N0} bytes of the large object, but it received {sent:N0}: roll the "
                + "transaction back.");
        _position += count;
    }

    private bool BeginsClosing()
    {
        if (_isDisposed)
            return false;
        _isDisposed = true;
        // In a failed transaction, the server refuses every statement, also this one.
        return !HasEnded && _session is { IsBroken: false, State.TransactionStatus: TransactionStatus.InTransaction };
    }

    private void RequireWritable()
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (!_canWrite)
            throw new NotSupportedException();
    }
}
