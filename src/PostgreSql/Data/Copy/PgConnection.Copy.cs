using Slipstream.PostgreSql.Conversations;

namespace Slipstream.PostgreSql;

/// <content>COPY between the client and the server.</content>
public sealed partial class PgConnection
{
    private const string From = "copyFromCommand";
    private const string To = "copyToCommand";
    private const string Either = "copyCommand";

    /// <summary>Begins COPY … FROM STDIN in the binary format: the fastest way to insert many rows.</summary>
    /// <remarks>Until the importer is disposed, the connection refuses other commands.</remarks>
    /// <param name="copyFromCommand">The statement, such as <c>COPY points (id, name) FROM STDIN (FORMAT binary)</c>.</param>
    /// <returns>The importer.</returns>
    /// <exception cref="ArgumentException">The text is not one COPY statement, or the statement does not fit the method.</exception>
    /// <exception cref="InvalidOperationException">The connection is not open or busy, or the COPY used a file of the server.</exception>
    /// <exception cref="PgException">The server refused the statement, or the connection was lost.</exception>
    public PgBinaryImporter BeginBinaryImport(string copyFromCommand) =>
        new(CopyOperation.Begin(this, copyFromCommand, From, CopyDirection.In, isBinary: true));

    /// <inheritdoc cref="BeginBinaryImport"/>
    /// <param name="copyFromCommand">The statement, such as <c>COPY points (id, name) FROM STDIN (FORMAT binary)</c>.</param>
    /// <param name="cancellationToken">Cancels the statement.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<PgBinaryImporter> BeginBinaryImportAsync(string copyFromCommand, CancellationToken cancellationToken = default) =>
        new(await CopyOperation.BeginAsync(this, copyFromCommand, From, CopyDirection.In, isBinary: true, cancellationToken).ConfigureAwait(false));

    /// <summary>Begins COPY … TO STDOUT in the binary format.</summary>
    /// <remarks>Until the exporter is disposed, the connection refuses other commands.</remarks>
    /// <param name="copyToCommand">The statement, such as <c>COPY points (id, name) TO STDOUT (FORMAT binary)</c>.</param>
    /// <returns>The exporter.</returns>
    /// <exception cref="ArgumentException">The text is not one COPY statement, or the statement does not fit the method.</exception>
    /// <exception cref="InvalidOperationException">The connection is not open or busy, or the COPY used a file of the server.</exception>
    /// <exception cref="PgException">The server refused the statement, or the connection was lost.</exception>
    public PgBinaryExporter BeginBinaryExport(string copyToCommand) =>
        new(CopyOperation.Begin(this, copyToCommand, To, CopyDirection.Out, isBinary: true));

    /// <inheritdoc cref="BeginBinaryExport"/>
    /// <param name="copyToCommand">The statement, such as <c>COPY points (id, name) TO STDOUT (FORMAT binary)</c>.</param>
    /// <param name="cancellationToken">Cancels the statement.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<PgBinaryExporter> BeginBinaryExportAsync(string copyToCommand, CancellationToken cancellationToken = default) =>
        new(await CopyOperation.BeginAsync(this, copyToCommand, To, CopyDirection.Out, isBinary: true, cancellationToken).ConfigureAwait(false));

    /// <summary>Begins COPY … FROM STDIN with text or CSV.</summary>
    /// <remarks>Until the writer is disposed, which completes the import, the connection refuses other commands.</remarks>
    /// <param name="copyFromCommand">The statement, such as <c>COPY points FROM STDIN (FORMAT csv)</c>.</param>
    /// <returns>The writer.</returns>
    /// <exception cref="ArgumentException">The text is not one COPY statement, or the statement does not fit the method.</exception>
    /// <exception cref="InvalidOperationException">The connection is not open or busy, or the COPY used a file of the server.</exception>
    /// <exception cref="PgException">The server refused the statement, or the connection was lost.</exception>
    public PgCopyTextWriter BeginTextImport(string copyFromCommand) =>
        new(new(CopyOperation.Begin(this, copyFromCommand, From, CopyDirection.In, isBinary: false)));

    /// <inheritdoc cref="BeginTextImport"/>
    /// <param name="copyFromCommand">The statement, such as <c>COPY points FROM STDIN (FORMAT csv)</c>.</param>
    /// <param name="cancellationToken">Cancels the statement.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<PgCopyTextWriter> BeginTextImportAsync(string copyFromCommand, CancellationToken cancellationToken = default) =>
        new(new(await CopyOperation.BeginAsync(this, copyFromCommand, From, CopyDirection.In, isBinary: false, cancellationToken).ConfigureAwait(false)));

    /// <summary>Begins COPY … TO STDOUT with text or CSV.</summary>
    /// <remarks>Until the reader is disposed, the connection refuses other commands.</remarks>
    /// <param name="copyToCommand">The statement, such as <c>COPY points TO STDOUT (FORMAT csv)</c>.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="ArgumentException">The text is not one COPY statement, or the statement does not fit the method.</exception>
    /// <exception cref="InvalidOperationException">The connection is not open or busy, or the COPY used a file of the server.</exception>
    /// <exception cref="PgException">The server refused the statement, or the connection was lost.</exception>
    public PgCopyTextReader BeginTextExport(string copyToCommand) =>
        new(new(CopyOperation.Begin(this, copyToCommand, To, CopyDirection.Out, isBinary: false)));

    /// <inheritdoc cref="BeginTextExport"/>
    /// <param name="copyToCommand">The statement, such as <c>COPY points TO STDOUT (FORMAT csv)</c>.</param>
    /// <param name="cancellationToken">Cancels the statement.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<PgCopyTextReader> BeginTextExportAsync(string copyToCommand, CancellationToken cancellationToken = default) =>
        new(new(await CopyOperation.BeginAsync(this, copyToCommand, To, CopyDirection.Out, isBinary: false, cancellationToken).ConfigureAwait(false)));

    /// <summary>Begins a COPY in the binary format, in either direction, as a stream of bytes.</summary>
    /// <remarks>Until the stream is disposed, the connection refuses other commands.</remarks>
    /// <param name="copyCommand">The statement, with FROM STDIN or TO STDOUT and <c>(FORMAT binary)</c>.</param>
    /// <returns>The stream.</returns>
    /// <exception cref="ArgumentException">The text is not one COPY statement, or the statement uses a text format.</exception>
    /// <exception cref="InvalidOperationException">The connection is not open or busy, or the COPY used a file of the server.</exception>
    /// <exception cref="PgException">The server refused the statement, or the connection was lost.</exception>
    public PgRawCopyStream BeginRawBinaryCopy(string copyCommand) =>
        new(CopyOperation.Begin(this, copyCommand, Either, CopyDirection.None, isBinary: true));

    /// <inheritdoc cref="BeginRawBinaryCopy"/>
    /// <param name="copyCommand">The statement, with FROM STDIN or TO STDOUT and <c>(FORMAT binary)</c>.</param>
    /// <param name="cancellationToken">Cancels the statement.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<PgRawCopyStream> BeginRawBinaryCopyAsync(string copyCommand, CancellationToken cancellationToken = default) =>
        new(await CopyOperation.BeginAsync(this, copyCommand, Either, CopyDirection.None, isBinary: true, cancellationToken).ConfigureAwait(false));
}
