using System.Text;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql;

/// <summary>
/// Writes the data of a COPY … FROM STDIN as text or CSV, in UTF-8. Disposing the writer completes the import, unless <see cref="Cancel"/> was called before.
/// A surrogate without its pair throws <see cref="EncoderFallbackException"/> when it is encoded, which may be at the disposal, and cancels the import.
/// </summary>
public sealed class PgCopyTextWriter : StreamWriter
{
    private readonly PgRawCopyStream _stream;

    // Without a byte order mark, which would become part of the first value.
    internal PgCopyTextWriter(PgRawCopyStream stream)
        : base(stream, UnpairedSurrogates.Report(stream.Spoil)) => _stream = stream;

    /// <summary>Gets or sets the time limit of a wait for the server, in milliseconds; 0: no limit.</summary>
    /// <value>The default is the command time-out of the connection string.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public int Timeout
    {
        get => _stream.WriteTimeout;
        set => _stream.WriteTimeout = value;
    }

    /// <summary>Cancels the import: no row is written. The connection can then be used again.</summary>
    /// <exception cref="PgException">The connection was lost.</exception>
    public void Cancel() => _stream.Cancel();

    /// <inheritdoc cref="Cancel"/>
    /// <returns>A task that completes when the import has ended.</returns>
    public Task CancelAsync() => _stream.CancelAsync();
}

/// <summary>
/// Reads the data of a COPY … TO STDOUT as text or CSV, in UTF-8. Disposing the reader skips the rest; <see cref="Cancel"/> asks the server to stop. Bytes that
/// are not UTF-8, as those of a COPY with another ENCODING, throw <see cref="DecoderFallbackException"/>.
/// </summary>
public sealed class PgCopyTextReader : StreamReader, IAsyncDisposable
{
    private readonly PgRawCopyStream _stream;

    internal PgCopyTextReader(PgRawCopyStream stream)
        : base(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true), detectEncodingFromByteOrderMarks: false) =>
            _stream = stream;

    /// <summary>Gets or sets the time limit of a wait for the server, in milliseconds; 0: no limit.</summary>
    /// <value>The default is the command time-out of the connection string.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public int Timeout
    {
        get => _stream.ReadTimeout;
        set => _stream.ReadTimeout = value;
    }

    /// <summary>Asks the server to stop, and ends the export. The connection can then be used again.</summary>
    /// <exception cref="PgException">The connection was lost.</exception>
    public void Cancel() => _stream.Cancel();

    /// <inheritdoc cref="Cancel"/>
    /// <returns>A task that completes when the export has ended.</returns>
    public Task CancelAsync() => _stream.CancelAsync();

    /// <summary>Skips the rest of the data, and ends the export. The connection can then be used again.</summary>
    /// <returns>A task that completes when the export has ended.</returns>
    public async ValueTask DisposeAsync()
    {
        await _stream.DisposeAsync().ConfigureAwait(false);
        Dispose();
    }
}
