namespace Slipstream.PostgreSql;

/// <summary>
/// Creates, opens and deletes large objects, which a server stores outside of tables, up to 4 TB each. It calls the server's functions <c>lo_…</c>. An open
/// large object lives until the end of its transaction, so <see cref="OpenRead"/> and the methods of the stream need one.
/// Source: PostgreSQL 18, 33.4 "Server-Side Functions".
/// </summary>
public class PgLargeObjectManager
{
    private const int ReadFlag = 0x40000;
    private const int WriteFlag = 0x20000;

    private int _maxTransferBlockSize = 4 * 1024 * 1024;

    /// <summary>Creates a manager for the large objects of the connection's database.</summary>
    /// <param name="connection">The connection.</param>
    /// <exception cref="ArgumentNullException">The connection is null.</exception>
    public PgLargeObjectManager(PgConnection connection)
    {
        ArgumentNullException.ThrowIfNull(connection);
        Connection = connection;
    }

    internal PgConnection Connection { get; }

    /// <summary>Gets or sets the most bytes that a stream reads or writes in one call of the server's functions.</summary>
    /// <value>The default is 4 MiB.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is not positive.</exception>
    public int MaxTransferBlockSize
    {
        get => _maxTransferBlockSize;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegativeOrZero(value);
            _maxTransferBlockSize = value;
        }
    }

    /// <summary>Creates an empty large object.</summary>
    /// <param name="preferredOid">Its object id; 0: the server chooses one.</param>
    /// <returns>The object id.</returns>
    /// <exception cref="PgException">The server refused it: the object id is in use, for example.</exception>
    public uint Create(uint preferredOid = 0) => LargeObjectCall.Create(Connection, "lo_create", preferredOid).Run<uint>();

    /// <inheritdoc cref="Create"/>
    /// <param name="preferredOid">Its object id; 0: the server chooses one.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task<uint> CreateAsync(uint preferredOid, CancellationToken cancellationToken = default) =>
        LargeObjectCall.Create(Connection, "lo_create", preferredOid).RunAsync<uint>(cancellationToken);

    /// <summary>Opens a large object for reading.</summary>
    /// <param name="oid">Its object id.</param>
    /// <returns>The stream, at the beginning of the large object. Use it in the same transaction.</returns>
    /// <exception cref="PgException">The server refused it: there is no such large object, for example.</exception>
    public PgLargeObjectStream OpenRead(uint oid) => new(this, Open(oid, ReadFlag).Run<int>(), canWrite: false);

    /// <inheritdoc cref="OpenRead"/>
    /// <param name="oid">Its object id.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<PgLargeObjectStream> OpenReadAsync(uint oid, CancellationToken cancellationToken = default) =>
        new(this, await Open(oid, ReadFlag).RunAsync<int>(cancellationToken).ConfigureAwait(false), canWrite: false);

    /// <summary>Opens a large object for reading and writing.</summary>
    /// <param name="oid">Its object id.</param>
    /// <returns>The stream, at the beginning of the large object. Use it in the same transaction.</returns>
    /// <exception cref="PgException">The server refused it: there is no such large object, for example.</exception>
    public PgLargeObjectStream OpenReadWrite(uint oid) => new(this, Open(oid, ReadFlag | WriteFlag).Run<int>(), canWrite: true);

    /// <inheritdoc cref="OpenReadWrite"/>
    /// <param name="oid">Its object id.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<PgLargeObjectStream> OpenReadWriteAsync(uint oid, CancellationToken cancellationToken = default) =>
        new(this, await Open(oid, ReadFlag | WriteFlag).RunAsync<int>(cancellationToken).ConfigureAwait(false), canWrite: true);

    /// <summary>Deletes a large object.</summary>
    /// <param name="oid">Its object id.</param>
    /// <exception cref="PgException">The server refused it: there is no such large object, for example.</exception>
    public void Unlink(uint oid) => LargeObjectCall.Create(Connection, "lo_unlink", oid).Run<int>();

    /// <inheritdoc cref="Unlink"/>
    /// <param name="oid">Its object id.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>A task that completes when the large object has been deleted.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task UnlinkAsync(uint oid, CancellationToken cancellationToken = default) =>
        LargeObjectCall.Create(Connection, "lo_unlink", oid).RunAsync<int>(cancellationToken);

    /// <summary>Writes a large object into a file of the server. Only superusers may do that, unless the function was granted.</summary>
    /// <param name="oid">Its object id.</param>
    /// <param name="path">The path of the file on the server's machine.</param>
    /// <exception cref="PgException">The server refused it.</exception>
    public void ExportRemote(uint oid, string path) => LargeObjectCall.Create(Connection, "lo_export", oid, path).Run<int>();

    /// <inheritdoc cref="ExportRemote"/>
    /// <param name="oid">Its object id.</param>
    /// <param name="path">The path of the file on the server's machine.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>A task that completes when the file has been written.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task ExportRemoteAsync(uint oid, string path, CancellationToken cancellationToken = default) =>
        LargeObjectCall.Create(Connection, "lo_export", oid, path).RunAsync<int>(cancellationToken);

    /// <summary>Creates a large object from a file of the server. Only superusers may do that, unless the function was granted.</summary>
    /// <param name="path">The path of the file on the server's machine.</param>
    /// <param name="oid">The object id; 0: the server chooses one.</param>
    /// <exception cref="PgException">The server refused it.</exception>
    public void ImportRemote(string path, uint oid = 0) => LargeObjectCall.Create(Connection, "lo_import", path, oid).Run<uint>();

    /// <inheritdoc cref="ImportRemote"/>
    /// <param name="path">The path of the file on the server's machine.</param>
    /// <param name="oid">The object id; 0: the server chooses one.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>A task that completes when the large object exists.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task ImportRemoteAsync(string path, uint oid, CancellationToken cancellationToken = default) =>
        LargeObjectCall.Create(Connection, "lo_import", path, oid).RunAsync<uint>(cancellationToken);

    private LargeObjectCall Open(uint oid, int mode) => LargeObjectCall.Create(Connection, "lo_open", oid, mode);
}
