using Slipstream.Core.Conversations;
using Slipstream.PostgreSql.Conversations;

namespace Slipstream.PostgreSql;

/// <summary>
/// The data of a COPY as bytes, exactly as the server sends or expects them: for copying a table elsewhere without converting its values. Disposing a stream
/// that writes completes the COPY, unless <see cref="Cancel"/> was called before; disposing one that reads skips the rest.
/// </summary>
public sealed class PgRawCopyStream : Stream
{
    private readonly CopyOperation _copy;
    private readonly CopyRows _rows = new();
    private bool _isAtEnd;
    private bool _isDisposed;
    private bool _isSpoiled;

    internal PgRawCopyStream(CopyOperation copy)
    {
        _copy = copy;
        copy.Conversation.ReadInPieces();
    }

    /// <summary>Gets whether the stream reads the data of a COPY … TO STDOUT.</summary>
    public override bool CanRead => !_isDisposed && _copy.Conversation.Direction == CopyDirection.Out;

    /// <summary>Gets whether the stream writes the data of a COPY … FROM STDIN.</summary>
    public override bool CanWrite => !_isDisposed && _copy.Conversation.Direction == CopyDirection.In;

    /// <summary>Gets false: the data of a COPY has no positions.</summary>
    public override bool CanSeek => false;

    /// <summary>Gets true: the waits for the server have time limits.</summary>
    public override bool CanTimeout => true;

    /// <summary>Gets or sets the time limit of a wait for the server, in milliseconds; 0: no limit. The same value as <see cref="WriteTimeout"/>.</summary>
    /// <value>The default is the command time-out of the connection string.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public override int ReadTimeout
    {
        get => (int)Math.Min(_copy.Timeout, int.MaxValue);
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _copy.Timeout = value;
        }
    }

    /// <summary>Gets or sets the time limit of a wait for the server, in milliseconds; 0: no limit. The same value as <see cref="ReadTimeout"/>.</summary>
    /// <value>The default is the command time-out of the connection string.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public override int WriteTimeout
    {
        get => ReadTimeout;
        set => ReadTimeout = value;
    }

    internal bool IsBinary => _copy.Conversation.IsBinary;

    /// <summary>Not supported: the length is not known.</summary>
    /// <exception cref="NotSupportedException">Always.</exception>
    public override long Length => throw new NotSupportedException();

    /// <summary>Not supported: the data has no positions.</summary>
    /// <exception cref="NotSupportedException">Always.</exception>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    // ---------------------------------------------------------------- reading

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        return Read(buffer.AsSpan(offset, count));
    }

    /// <summary>Reads bytes that have arrived, or waits for some.</summary>
    /// <param name="buffer">The destination.</param>
    /// <returns>The number of bytes; 0 at the end of the data.</returns>
    /// <exception cref="PgException">The server sent an error, or the connection was lost.</exception>
    public override int Read(Span<byte> buffer)
    {
        while (MustWait(CanRead, buffer.Length))
            _isAtEnd |= _copy.Run() == Step.Completed;
        return _isAtEnd ? 0 : _copy.Conversation.Read(buffer);
    }

    /// <inheritdoc/>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    /// <inheritdoc cref="Read(Span{byte})"/>
    /// <param name="buffer">The destination.</param>
    /// <param name="cancellationToken">Cancels the COPY.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        while (MustWait(CanRead, buffer.Length))
            _isAtEnd |= await _copy.RunAsync(cancellationToken).ConfigureAwait(false) == Step.Completed;
        return _isAtEnd ? 0 : _copy.Conversation.Read(buffer.Span);
    }

    private bool MustWait(bool isAllowed, int length)
    {
        Require(isAllowed);
        return !_isAtEnd && length > 0 && !_copy.Conversation.HasData;
    }

    // ---------------------------------------------------------------- writing

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        Write(buffer.AsSpan(offset, count));
    }

    /// <summary>Writes bytes, which are sent when 64 KiB have been written, at <see cref="Flush"/> and at the end.</summary>
    /// <param name="buffer">The bytes.</param>
    /// <exception cref="PgException">The server refused the data, or the connection was lost.</exception>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        Require(CanWrite);
        while (!buffer.IsEmpty)
        {
            buffer = buffer[Append(buffer)..];
            if (IsFull)
                Flush();
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
    /// <param name="cancellationToken">Cancels the COPY.</param>
    /// <returns>A task that completes when the bytes have been written.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Require(CanWrite);
        cancellationToken.ThrowIfCancellationRequested();
        while (!buffer.IsEmpty)
        {
            buffer = buffer[Append(buffer.Span)..];
            if (IsFull)
                await FlushAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Sends the bytes that have been written.</summary>
    /// <exception cref="PgException">The server refused the data, or the connection was lost.</exception>
    public override void Flush()
    {
        if (BeginsFlush())
            _copy.Run();
    }

    /// <inheritdoc cref="Flush"/>
    /// <param name="cancellationToken">Cancels the COPY.</param>
    /// <returns>A task that completes when the bytes have been sent.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public override async Task FlushAsync(CancellationToken cancellationToken)
    {
        if (BeginsFlush())
            await _copy.RunAsync(cancellationToken).ConfigureAwait(false);
    }

    private bool IsFull => _copy.Out.Length >= CopyRows.MessageLength;

    private int Append(ReadOnlySpan<byte> bytes)
    {
        _copy.RequireOpen();
        _rows.BeginMessage(_copy.Out);
        var count = Math.Min(bytes.Length, Math.Max(CopyRows.MessageLength - _copy.Out.Length, 1));
        _copy.Out.Bytes(bytes[..count]);
        return count;
    }

    private bool BeginsFlush()
    {
        if (!CanWrite || !_copy.IsOpen || !_rows.IsInMessage)
            return false;
        _rows.EndMessage(_copy.Out);
        _copy.Conversation.Send();
        return true;
    }

    // ---------------------------------------------------------------- the end

    /// <summary>Ends the COPY: an import writes no row, an export asks the server to stop. The connection can then be used again.</summary>
    /// <exception cref="PgException">The connection was lost.</exception>
    public void Cancel()
    {
        _copy.InterruptExport();
        _copy.Abandon();
        Dispose();
    }

    /// <inheritdoc cref="Cancel"/>
    /// <returns>A task that completes when the COPY has ended.</returns>
    public async Task CancelAsync()
    {
        _copy.InterruptExport();
        await _copy.AbandonAsync().ConfigureAwait(false);
        await DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Completes an import, or skips the rest of an export. The connection can then be used again.</summary>
    /// <exception cref="PgException">The server refused the data, or the connection was lost.</exception>
    protected override void Dispose(bool disposing)
    {
        if (disposing && !_isDisposed)
        {
            var completes = BeginsCompletion();
            _isDisposed = true;
            if (completes)
                _copy.Run();
            else
                _copy.Abandon();
        }

        base.Dispose(disposing);
    }

    /// <inheritdoc cref="Dispose(bool)"/>
    /// <returns>A task that completes when the COPY has ended.</returns>
    public override async ValueTask DisposeAsync()
    {
        if (!_isDisposed)
        {
            var completes = BeginsCompletion();
            _isDisposed = true;
            if (completes)
                await _copy.RunAsync(default).ConfigureAwait(false);
            else
                await _copy.AbandonAsync().ConfigureAwait(false);
        }

        GC.SuppressFinalize(this);
    }

    /// <summary>A part of the data could not be written: the disposal cancels the import instead of completing it.</summary>
    internal void Spoil() => _isSpoiled = true;

    private bool BeginsCompletion()
    {
        if (!CanWrite || !_copy.IsOpen || _isSpoiled)
            return false;
        _rows.EndMessage(_copy.Out);
        _copy.Conversation.Complete(_copy.Out);
        return true;
    }

    private void Require(bool isAllowed)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (!isAllowed)
            throw new NotSupportedException();
    }

    /// <summary>Not supported: the data has no positions.</summary>
    /// <param name="offset">Not used.</param>
    /// <param name="origin">Not used.</param>
    /// <returns>Nothing.</returns>
    /// <exception cref="NotSupportedException">Always.</exception>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <summary>Not supported: the length is not known.</summary>
    /// <param name="value">Not used.</param>
    /// <exception cref="NotSupportedException">Always.</exception>
    public override void SetLength(long value) => throw new NotSupportedException();
}
