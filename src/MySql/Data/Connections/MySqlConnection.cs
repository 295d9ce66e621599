using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Sessions;
using Slipstream.MySql.Conventions;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>
/// A connection to a MySQL or MariaDB server. Opening a connection leases a session from its data source's pool; closing it returns the session.
/// </summary>
public sealed partial class MySqlConnection : ProviderConnection, ICloneable
{
    /// <summary>
    /// Creates a connection without a connection string. Set <see cref="System.Data.Common.DbConnection.ConnectionString"/> before you open it.
    /// </summary>
    public MySqlConnection()
    {
    }

    /// <summary>Creates a closed connection of the pool for this connection string.</summary>
    /// <param name="connectionString">The connection string.</param>
    /// <exception cref="ArgumentException">An option is unknown or has an invalid value.</exception>
    public MySqlConnection(string? connectionString) => ConnectionString = connectionString;

    internal MySqlConnection(MySqlDataSource source)
        : base(source, source.Settings.ConnectionString)
    {
    }

    /// <summary>Gets the default database: that of the open session as last reported by the server, otherwise that of the connection string.</summary>
    // While a session's reset or change of database is pending, it still reports the choice of its last user.
    public override string Database =>
        SessionOrNull is MySqlSession { NeedsReset: false, HasPendingDatabase: false } session ? session.State.Database
            : FullConnectionString.Length == 0 ? "" : MySqlSource.DefaultDatabase;

    /// <inheritdoc/>
    public override string DataSource => ThisAssembly.Conventions.NamesAllServers && FullConnectionString.Length > 0
        ? MySqlConnectionStringBuilder.ForReading(FullConnectionString).Server
        : base.DataSource;

    /// <summary>Gets the server's number of this session, which KILL and the process list use.</summary>
    /// <exception cref="InvalidOperationException">The connection is not open.</exception>
    public int ServerThread => (int)Session.ServerId;

    /// <summary>
    /// Gets whether the server reported in this session that the account's password has expired and must be changed first; false while the connection is
    /// closed. With Can Handle Expired Passwords=true, the value is known after Open. It stays true until the connection is closed, even after ALTER USER. (Of
    /// MySql.Data.)
    /// </summary>
    public bool IsPasswordExpired => SessionOrNull is MySqlSession { State.IsPasswordExpired: true };

    /// <summary>Gets the number of warnings of the last statement; SHOW WARNINGS lists them. (Not in MySqlConnector.)</summary>
    /// <exception cref="InvalidOperationException">The connection is not open.</exception>
    public int WarningCount => MySqlSession.Results.Warnings;

    /// <summary>
    /// Gets the server's message about the last statement without rows, such as "Rows matched: 1 Changed: 0 Warnings: 0"; empty if there is none. (Not in
    /// MySqlConnector.)
    /// </summary>
    /// <exception cref="InvalidOperationException">The connection is not open.</exception>
    public string LastInfo => MySqlSession.Results.Info;

    /// <inheritdoc/>
    public override bool CanCreateBatch => true;

    internal MySqlDataSource MySqlSource => (MySqlDataSource)Source;

    internal void RunOwn(SimpleExchange exchange, int timeout) => Run(exchange, timeout);

    internal ValueTask RunOwnAsync(SimpleExchange exchange, int timeout, CancellationToken cancellationToken) => RunAsync(exchange, timeout, cancellationToken);

    internal MySqlSession MySqlSession => (MySqlSession)Session;

    /// <summary>The session; null while the connection is closed.</summary>
    internal MySqlSession? OpenSession => SessionOrNull as MySqlSession;

    internal bool HasOpenReader => ActiveReader is not null;

    internal MySqlTransaction? OpenTransaction => (MySqlTransaction?)CurrentTransaction;

    /// <inheritdoc/>
    // As in MySqlConnector.
    private protected override bool ReportsConnecting => true;

    /// <inheritdoc/>
    private protected override bool ReportsBroken => ThisAssembly.Conventions.ReportsBroken;

    /// <inheritdoc/>
    private protected override SchemaCatalog SchemaCatalog => MySqlSchema.Of(SessionOrNull is MySqlSession { State.IsMariaDb: true });

    /// <inheritdoc/>
    protected override DbProviderFactory DbProviderFactory => MySqlConnectorFactory.Instance;

    /// <summary>Creates a command for this connection.</summary>
    /// <returns>The command.</returns>
    public new MySqlCommand CreateCommand() => new(this);

    /// <inheritdoc/>
    protected override DbCommand CreateDbCommand() => new MySqlCommand(this);

    /// <summary>Creates a batch for this connection.</summary>
    /// <returns>The batch.</returns>
    public new MySqlBatch CreateBatch() => new(this);

    /// <inheritdoc/>
    protected override DbBatch CreateDbBatch() => CreateBatch();

    /// <summary>
    /// Begins a transaction with isolation level REPEATABLE READ. The call normally takes no round trip: the driver sends START TRANSACTION with the first
    /// command. If the beginning may end earlier work (a transaction that was begun in SQL, or table locks), the driver sends it immediately.
    /// </summary>
    /// <returns>The transaction.</returns>
    /// <exception cref="InvalidOperationException">The connection is not open, or it already has a transaction.</exception>
    /// <exception cref="MySqlException">The server refused the beginning, or the connection failed.</exception>
    public new MySqlTransaction BeginTransaction() => BeginTransaction(IsolationLevel.Unspecified);

    /// <summary>Begins a transaction with an isolation level.</summary>
    /// <param name="isolationLevel">The isolation level. <see cref="IsolationLevel.Unspecified"/> is REPEATABLE READ. <see cref="IsolationLevel.Snapshot"/> is
    /// START TRANSACTION WITH CONSISTENT SNAPSHOT.</param>
    /// <returns>The transaction.</returns>
    /// <exception cref="InvalidOperationException">The connection is not open, or it already has a transaction.</exception>
    /// <exception cref="NotSupportedException">MySQL does not have this isolation level.</exception>
    /// <exception cref="MySqlException">The server refused the beginning, or the connection failed.</exception>
    public new MySqlTransaction BeginTransaction(IsolationLevel isolationLevel) => BeginTransactionOf(isolationLevel, isReadOnly: null);

    /// <summary>Begins a transaction with an isolation level and an access mode.</summary>
    /// <param name="isolationLevel">The isolation level. <see cref="IsolationLevel.Unspecified"/> is REPEATABLE READ. <see cref="IsolationLevel.Snapshot"/> is
    /// START TRANSACTION WITH CONSISTENT SNAPSHOT.</param>
    /// <param name="isReadOnly">Whether the server refuses changes in this transaction.</param>
    /// <returns>The transaction.</returns>
    /// <exception cref="InvalidOperationException">The connection is not open, or it already has a transaction.</exception>
    /// <exception cref="NotSupportedException">MySQL does not have this isolation level.</exception>
    /// <exception cref="MySqlException">The server refused the beginning, or the connection failed.</exception>
    public MySqlTransaction BeginTransaction(IsolationLevel isolationLevel, bool isReadOnly) => BeginTransactionOf(isolationLevel, isReadOnly);

    private MySqlTransaction BeginTransactionOf(IsolationLevel isolationLevel, bool? isReadOnly)
    {
        var transaction = new MySqlTransaction(this, isolationLevel, isReadOnly);
        transaction.Begin();
        return transaction;
    }

    /// <summary>
    /// Begins a transaction with isolation level REPEATABLE READ. The call normally takes no round trip: the driver sends START TRANSACTION with the first
    /// command. If the beginning may end earlier work (a transaction that was begun in SQL, or table locks), the driver sends it immediately.
    /// </summary>
    /// <param name="cancellationToken">Cancels the method.</param>
    /// <returns>The transaction.</returns>
    /// <exception cref="InvalidOperationException">The connection is not open, or it already has a transaction.</exception>
    /// <exception cref="MySqlException">The server refused the beginning, or the connection failed.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public new ValueTask<MySqlTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default) =>
        BeginTransactionOf(IsolationLevel.Unspecified, isReadOnly: null, cancellationToken);

    /// <summary>Begins a transaction with an isolation level.</summary>
    /// <param name="isolationLevel">The isolation level. <see cref="IsolationLevel.Unspecified"/> is REPEATABLE READ. <see cref="IsolationLevel.Snapshot"/> is
    /// START TRANSACTION WITH CONSISTENT SNAPSHOT.</param>
    /// <param name="cancellationToken">Cancels the method.</param>
    /// <returns>The transaction.</returns>
    /// <exception cref="InvalidOperationException">The connection is not open, or it already has a transaction.</exception>
    /// <exception cref="NotSupportedException">MySQL does not have this isolation level.</exception>
    /// <exception cref="MySqlException">The server refused the beginning, or the connection failed.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public new ValueTask<MySqlTransaction> BeginTransactionAsync(IsolationLevel isolationLevel, CancellationToken cancellationToken = default) =>
        BeginTransactionOf(isolationLevel, isReadOnly: null, cancellationToken);

    /// <summary>Begins a transaction with an isolation level and an access mode.</summary>
    /// <param name="isolationLevel">The isolation level. <see cref="IsolationLevel.Unspecified"/> is REPEATABLE READ. <see cref="IsolationLevel.Snapshot"/> is
    /// START TRANSACTION WITH CONSISTENT SNAPSHOT.</param>
    /// <param name="isReadOnly">Whether the server refuses changes in this transaction.</param>
    /// <param name="cancellationToken">Cancels the method.</param>
    /// <returns>The transaction.</returns>
    /// <exception cref="InvalidOperationException">The connection is not open, or it already has a transaction.</exception>
    /// <exception cref="NotSupportedException">MySQL does not have this isolation level.</exception>
    /// <exception cref="MySqlException">The server refused the beginning, or the connection failed.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public ValueTask<MySqlTransaction> BeginTransactionAsync(IsolationLevel isolationLevel, bool isReadOnly, CancellationToken cancellationToken = default) =>
        BeginTransactionOf(isolationLevel, isReadOnly, cancellationToken);

    private async ValueTask<MySqlTransaction> BeginTransactionOf(IsolationLevel isolationLevel, bool? isReadOnly, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var transaction = new MySqlTransaction(this, isolationLevel, isReadOnly);
        await transaction.BeginAsync(cancellationToken).ConfigureAwait(false);
        return transaction;
    }

    /// <inheritdoc/>
    protected override DbTransaction BeginDbTransaction(IsolationLevel isolationLevel) => BeginTransaction(isolationLevel);

    /// <inheritdoc/>
    protected override async ValueTask<DbTransaction> BeginDbTransactionAsync(IsolationLevel isolationLevel, CancellationToken cancellationToken) =>
        await BeginTransactionAsync(isolationLevel, cancellationToken).ConfigureAwait(false);

    /// <summary>Checks whether the server answers.</summary>
    /// <returns>False if the server does not answer or the connection is not open.</returns>
    public bool Ping()
    {
        if (State != ConnectionState.Open)
            return false;
        try
        {
            Run(Session.CreatePing());
            return true;
        }
        catch (MySqlException)
        {
            return false;
        }
    }

    /// <summary>Checks whether the server answers.</summary>
    /// <param name="cancellationToken">Cancels the method.</param>
    /// <returns>False if the server does not answer or the connection is not open.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<bool> PingAsync(CancellationToken cancellationToken = default)
    {
        if (State != ConnectionState.Open)
            return false;
        try
        {
            await RunAsync(Session.CreatePing(), cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (MySqlException)
        {
            return false;
        }
    }

    /// <summary>Resets the session to the state of a new one, before its next command.</summary>
    /// <param name="cancellationToken">Cancels the method.</param>
    /// <returns>A task that ends with the reset.</returns>
    /// <exception cref="InvalidOperationException">The connection is not open, or a command or a data reader is still in use on it.</exception>
    /// <exception cref="MySqlException">The server refused the reset, or the connection failed.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public ValueTask ResetConnectionAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        var ping = Session.CreatePing();
        ping.ResetsFirst = true;
        return RunAsync(ping, cancellationToken);
    }

    object ICloneable.Clone() => Clone();

    /// <summary>Closes the idle sessions of the connection's pool now, and the other ones when they return.</summary>
    /// <param name="connection">A connection of the pool.</param>
    /// <exception cref="ArgumentNullException">The connection is null.</exception>
    public static void ClearPool(MySqlConnection connection) => (connection ?? throw new ArgumentNullException(nameof(connection))).MySqlSource.Clear();

    /// <inheritdoc cref="ClearPool"/>
    /// <param name="connection">A connection of the pool.</param>
    /// <param name="cancellationToken">Cancels the method.</param>
    /// <returns>A completed task, or a cancelled one.</returns>
    public static Task ClearPoolAsync(MySqlConnection connection, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled(cancellationToken);
        ClearPool(connection);
        return Task.CompletedTask;
    }

    /// <summary>Closes the idle sessions of all pools in this process that belong to connection strings now, and the other ones when they return.</summary>
    public static void ClearAllPools() => MySqlDataSource.ClearAll();

    /// <inheritdoc cref="ClearAllPools"/>
    /// <param name="cancellationToken">Cancels the method.</param>
    /// <returns>A completed task, or a cancelled one.</returns>
    public static Task ClearAllPoolsAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled(cancellationToken);
        ClearAllPools();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    private protected override ProviderDataSource ResolveSource(string connectionString) => MySqlDataSource.For(connectionString);

    /// <inheritdoc/>
    private protected override string WithoutSecrets(string connectionString) => MySqlSource.Settings.ShownConnectionString;
}
