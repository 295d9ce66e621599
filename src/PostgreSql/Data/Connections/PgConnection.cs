using System.ComponentModel;
using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Data;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>A connection to a PostgreSQL server. While it is open, it leases a session from its data source.</summary>
public sealed partial class PgConnection : ProviderConnection, ICloneable, INoticeSink
{
    /// <summary>The default TCP port.</summary>
    public const int DefaultPort = 5432;

    /// <summary>Creates a closed connection without a connection string.</summary>
    public PgConnection()
    {
    }

    /// <summary>Creates a closed connection.</summary>
    /// <param name="connectionString">The connection string; null means an empty one.</param>
    /// <exception cref="ArgumentException">The connection string has an unknown option or a value that is not allowed.</exception>
    public PgConnection(string? connectionString) => ConnectionString = connectionString;

    private PgConnection(PgDataSource source, string connectionString)
        : base(source, connectionString)
    {
    }

    internal PgConnection(PgDataSource source)
        : base(source, source.Settings.ConnectionString)
    {
    }

    // The keys of the handlers in the component's list. A field for each event would make every connection larger, and few have handlers.
    private static readonly object NoticeKey = new();
    private static readonly object NotificationKey = new();

    /// <summary>
    /// Gets the mappings of .NET types for data sources that are created later, and for connection strings that are opened for the first time later.
    /// </summary>
    [Obsolete("Use PgDataSourceBuilder: its mappings belong to one data source.")]
    public static IPgTypeMapper GlobalTypeMapper => PostgreSql.GlobalTypeMapper.Instance;

    /// <summary>Is not supported: connections of a data source share its types.</summary>
    /// <exception cref="NotSupportedException">Always thrown.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    [Obsolete("A connection has no mappings of its own. Use PgDataSourceBuilder.", error: true)]
    [SuppressMessage("Performance", "CA1822:Mark members as static", Justification = "An instance member in Npgsql.")]
    [SuppressMessage("Design", "CA1065:Do not raise exceptions in unexpected locations", Justification = "As in Npgsql.")]
    public IPgTypeMapper TypeMapper => throw new NotSupportedException(
        "A connection has no mappings of its own: add them to the PgDataSourceBuilder of its data source.");

    /// <summary>
    /// Occurs when the server sends a notice while the connection is open. It is raised on the thread that reads the answers. An exception that a handler
    /// throws is logged and ignored. The session must not be used in the handler.
    /// </summary>
    public event PgNoticeEventHandler? Notice
    {
        add => Events.AddHandler(NoticeKey, value);
        remove => Events.RemoveHandler(NoticeKey, value);
    }

    /// <inheritdoc/>
    public override string Database => FullConnectionString.Length == 0 ? "" : PgSource.Settings.Database;

    /// <summary>Gets the host of the open session, or the path of its unix socket. For a closed connection: the first host of the connection string.</summary>
    public string Host => Endpoint.Host;

    /// <summary>Gets the TCP port; 0 for a unix socket.</summary>
    public int Port => Endpoint.Port;

    private Endpoint Endpoint => SessionOrNull?.Endpoint ?? PgSource.Settings.Endpoints[0];

    /// <summary>Gets the user name from the connection string. Default: the name of the operating system's user.</summary>
    public string UserName => PgSource.Settings.Username;

    /// <summary>Gets the time limit of new commands, in seconds; 0 means no limit.</summary>
    public int CommandTimeout => PgSource.Settings.DefaultCommandTimeout;

    /// <summary>Gets the process id of the server's process for this session, as in pg_stat_activity.</summary>
    /// <exception cref="InvalidOperationException">The connection is not open.</exception>
    public int ProcessID => (int)Session.ServerId;

    /// <summary>Gets the session's TimeZone.</summary>
    /// <exception cref="InvalidOperationException">The connection is not open.</exception>
    public string Timezone => PostgresParameters.GetValueOrDefault("TimeZone", "");

    /// <summary>Gets the settings that the server reports.</summary>
    /// <exception cref="InvalidOperationException">The connection is not open.</exception>
    public IReadOnlyDictionary<string, string> PostgresParameters => PgSession.State.Settings;

    /// <summary>Gets whether the server stores times as integers: true, as on all servers since version 10.</summary>
    /// <exception cref="InvalidOperationException">The connection is not open.</exception>
    public bool HasIntegerDateTimes => PostgresParameters.GetValueOrDefault("integer_datetimes", "on") == "on";

    /// <summary>Gets the server's version as numbers.</summary>
    /// <exception cref="InvalidOperationException">The connection is not open.</exception>
    public Version PostgreSqlVersion
    {
        get
        {
            // "18beta1", "15.18 (Debian 15.18-0+deb12u1)"
            var text = ServerVersion.AsSpan();
            var end = 0;
            while (end < text.Length && (char.IsAsciiDigit(text[end]) || text[end] == '.'))
                end++;
            text = text[..end];
            return Version.TryParse(text, out var version) ? version : int.TryParse(text, out var major) ? new Version(major, 0) : new Version(0, 0);
        }
    }

    /// <summary>Gets the state, combined with Fetching while a reader is open.</summary>
    public ConnectionState FullState => ActiveReader is not null || OpenExchange is not null ? State | ConnectionState.Fetching : State;

    /// <inheritdoc/>
    private protected override SchemaCatalog SchemaCatalog => PgSchema.Catalog;

    /// <inheritdoc/>
    protected override DbProviderFactory DbProviderFactory => PgFactory.Instance;

    /// <inheritdoc/>
    private protected override void CheckConnectionString(string connectionString)
    {
        // A connection string that has been opened before need not be parsed again.
        if (!PgDataSource.IsKnown(connectionString))
            _ = PgConnectionStringBuilder.ForReading(connectionString);
    }

    /// <summary>
    /// Loads the types of the database again. Call it after a program has created types, so that this connection and all others of its data source know them.
    /// </summary>
    /// <exception cref="InvalidOperationException">The connection is not open, or it is busy.</exception>
    /// <exception cref="PgException">The server refused the query, or the connection was lost.</exception>
    public void ReloadTypes() => Run(PgSession.CreateReloadTypes());

    /// <inheritdoc cref="ReloadTypes"/>
    /// <param name="cancellationToken">Cancels the load.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task ReloadTypesAsync(CancellationToken cancellationToken = default)
    {
        try
        {
            return RunAsync(PgSession.CreateReloadTypes(), cancellationToken).AsTask();
        }
        catch (Exception exception)
        {
            return Task.FromException(exception);
        }
    }

    internal PgSession PgSession => (PgSession)Session;

    internal PgDataSource PgSource => (PgDataSource)Source;

    /// <summary>Creates a command on this connection.</summary>
    /// <returns>The command.</returns>
    public new PgCommand CreateCommand() => new("", this);

    /// <inheritdoc/>
    public override bool CanCreateBatch => true;

    /// <summary>Creates a batch on this connection.</summary>
    /// <returns>The batch.</returns>
    public new PgBatch CreateBatch() => new(this);

    /// <summary>Begins a transaction with the isolation level READ COMMITTED. The driver sends BEGIN with the first command.</summary>
    /// <returns>The transaction.</returns>
    /// <exception cref="InvalidOperationException">The connection is not open or already has a transaction.</exception>
    public new PgTransaction BeginTransaction() => BeginTransaction(IsolationLevel.Unspecified);

    /// <summary>Begins a transaction with an isolation level. The driver sends BEGIN with the first command.</summary>
    /// <param name="level">The isolation level.</param>
    /// <returns>The transaction.</returns>
    /// <exception cref="InvalidOperationException">The connection is not open or already has a transaction.</exception>
    /// <exception cref="NotSupportedException">PostgreSQL does not have the isolation level.</exception>
    public new PgTransaction BeginTransaction(IsolationLevel level)
    {
        _ = Session;
        var transaction = new PgTransaction(this, level);
        transaction.Begin();
        return transaction;
    }

    /// <summary>Begins a transaction with the isolation level READ COMMITTED. The driver sends BEGIN with the first command.</summary>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The transaction.</returns>
    /// <exception cref="InvalidOperationException">The connection is not open or already has a transaction.</exception>
    public new ValueTask<PgTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default) =>
        BeginTransactionAsync(IsolationLevel.Unspecified, cancellationToken);

    /// <summary>Begins a transaction with an isolation level. The driver sends BEGIN with the first command.</summary>
    /// <param name="level">The isolation level.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The transaction.</returns>
    /// <exception cref="InvalidOperationException">The connection is not open or already has a transaction.</exception>
    /// <exception cref="NotSupportedException">PostgreSQL does not have the isolation level.</exception>
    public new async ValueTask<PgTransaction> BeginTransactionAsync(IsolationLevel level, CancellationToken cancellationToken = default)
    {
        _ = Session;
        var transaction = new PgTransaction(this, level);
        await transaction.BeginAsync(cancellationToken).ConfigureAwait(false);
        return transaction;
    }

    /// <summary>
    /// Opens a session of another database, because a PostgreSQL session belongs to one database for its lifetime. The session belongs to the pool of the
    /// connection string with that database. The callbacks and the current password of the connection's data source stay in effect.
    /// If this fails, the connection stays open on its current database.
    /// </summary>
    /// <param name="databaseName">The name of the database.</param>
    /// <exception cref="ArgumentException">The name is null, empty or white space, or contains a zero character or half of a surrogate pair.</exception>
    /// <exception cref="InvalidOperationException">The connection is not open.</exception>
    /// <exception cref="PgException">The database cannot be opened.</exception>
    public override void ChangeDatabase(string databaseName)
    {
        var (old, other, callbacks) = (FullConnectionString, WithDatabase(databaseName), AllCallbacks);

        // This opens a session of the pool, which is leased again below.
        using (var first = new PgConnection(other) { Callbacks = callbacks })
            first.Open();
        Close();
        (ConnectionString, Callbacks) = (other, callbacks);
        try
        {
            Open();
        }
        catch
        {
            ConnectionString = old;
            throw;
        }
    }

    /// <inheritdoc cref="ChangeDatabase"/>
    /// <param name="databaseName">The name of the database.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public override async Task ChangeDatabaseAsync(string databaseName, CancellationToken cancellationToken = default)
    {
        var (old, other, callbacks) = (FullConnectionString, WithDatabase(databaseName), AllCallbacks);
        var first = new PgConnection(other) { Callbacks = callbacks };
        await using (first.ConfigureAwait(false))
            await first.OpenAsync(cancellationToken).ConfigureAwait(false);
        await CloseAsync().ConfigureAwait(false);
        (ConnectionString, Callbacks) = (other, callbacks);
        try
        {
            await OpenAsync(cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            ConnectionString = old;
            throw;
        }
    }

    /// <summary>Deallocates every prepared statement of the session, also on the server.</summary>
    /// <exception cref="InvalidOperationException">The connection is not open or busy.</exception>
    public void UnprepareAll()
    {
        Run(Session.CreateSimple("DEALLOCATE ALL"));
        PgSession.Prepared.Clear();
    }

    /// <summary>Closes the idle sessions of the connection's pool immediately, and the others when they return to the pool.</summary>
    /// <param name="connection">The connection whose pool is cleared.</param>
    /// <exception cref="ArgumentNullException">The connection is null.</exception>
    public static void ClearPool(PgConnection connection)
    {
        ArgumentNullException.ThrowIfNull(connection);
        connection.PgSource.Clear();
    }

    /// <summary>
    /// Clears the pools of all connection strings: closes their idle sessions immediately, and the others when they return. A pool of a data source that the
    /// application created is not cleared.
    /// </summary>
    public static void ClearAllPools() => PgDataSource.ClearAll();

    /// <summary>
    /// Returns a closed connection with the same options and callbacks. If this connection was opened, or created by a data source, the clone has the same data
    /// source and shows the password only if this connection does.
    /// </summary>
    /// <returns>The clone.</returns>
    public PgConnection Clone()
    {
        var clone = SourceOrNull is PgDataSource source ? new PgConnection(source, FullConnectionString) : new PgConnection(FullConnectionString);
        clone.Callbacks = Callbacks;
        return clone;
    }

    /// <summary>
    /// Returns a closed connection with another connection string, and with the same callbacks, including those of its data source. If the string has no
    /// password, this connection's password is added, unless the string has Persist Security Info and this connection's does not.
    /// </summary>
    /// <param name="connectionString">The connection string.</param>
    /// <returns>The connection.</returns>
    /// <exception cref="ArgumentException">The connection string has an unknown option or a value that is not allowed.</exception>
    public PgConnection CloneWith(string connectionString)
    {
        var wanted = new PgConnectionStringBuilder(connectionString);
        var own = new PgConnectionStringBuilder(FullConnectionString);
        var takesPassword = wanted.Password.Length == 0 && (!wanted.PersistSecurityInfo || own.PersistSecurityInfo);
        // A connection that hides its password cannot be made to show it.
        if (!own.PersistSecurityInfo)
            wanted.PersistSecurityInfo = false;
        var source = SourceOrNull as PgDataSource;
        if (takesPassword)
            wanted.Password = source?.RenewedPassword ?? own.Password;
        var text = wanted.ConnectionString;
        // If this connection no longer shows its password, the other one does not show it either.
        var clone = takesPassword && source is not null ? new PgConnection(PgDataSource.ForConnectionString(text), text) : new PgConnection(text);
        clone.Callbacks = AllCallbacks;
        return clone;
    }

    /// <inheritdoc cref="CloneWith"/>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<PgConnection> CloneWithAsync(string connectionString, CancellationToken cancellationToken = default) =>
        cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled<PgConnection>(cancellationToken) : new(CloneWith(connectionString));

    object ICloneable.Clone() => Clone();

    /// <inheritdoc/>
    protected override DbTransaction BeginDbTransaction(IsolationLevel isolationLevel) => BeginTransaction(isolationLevel);

    /// <inheritdoc/>
    protected override async ValueTask<DbTransaction> BeginDbTransactionAsync(IsolationLevel isolationLevel, CancellationToken cancellationToken) =>
        await BeginTransactionAsync(isolationLevel, cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    protected override DbCommand CreateDbCommand() => CreateCommand();

    /// <inheritdoc/>
    protected override DbBatch CreateDbBatch() => CreateBatch();

    /// <inheritdoc/>
    private protected override ProviderDataSource ResolveSource(string connectionString) => PgDataSource.ForConnectionString(connectionString);

    /// <inheritdoc/>
    private protected override string WithoutSecrets(string connectionString) => PgSource.Settings.ShownConnectionString;

    void INoticeSink.OnNotice(ErrorFields fields)
    {
        if (Events[NoticeKey] is { } handlers)
            Raise(nameof(Notice), handlers, new PgNoticeEventArgs(new PgNotice(fields, SessionOrNull is not null && PgSource.Settings.IncludeErrorDetail)));
    }

    private string WithDatabase(string databaseName)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(databaseName);
        _ = Session;
        var options = new PgConnectionStringBuilder(FullConnectionString) { Database = Names.Checked(databaseName, "database's name", nameof(databaseName)) };
        if (PgSource.RenewedPassword is { } renewed)
            options.Password = renewed;
        return options.ConnectionString;
    }
}
