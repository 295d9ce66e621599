using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Sessions;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>A connection to a MySQL or MariaDB server. Opening one leases a session from its data source's pool; closing gives it back.</summary>
public sealed partial class MySqlConnection : ProviderConnection, ICloneable
{
    /// <summary>A connection that needs a connection string before it is opened.</summary>
    public MySqlConnection()
    {
    }

    /// <summary>A connection of the pool that belongs to this connection string, not yet open.</summary>
    public MySqlConnection(string? connectionString) => ConnectionString = connectionString;

    internal MySqlConnection(MySqlDataSource source)
        : base(source, source.Settings.ConnectionString)
    {
    }

    /// <summary>The default database: what the server last said it is, when open.</summary>
    // A session that owes a reset, or a move, still says what its last user chose.
    public override string Database =>
        SessionOrNull is MySqlSession { NeedsReset: false, OwesDatabase: false } session ? session.State.Database
            : FullConnectionString.Length == 0 ? "" : MySqlSource.DefaultDatabase;

    /// <summary>The server's number for this session: what KILL and the process list name.</summary>
    public int ServerThread => (int)Session.ServerId;

    /// <summary>
    /// True when the server has answered in this session that the account's password has expired and must be changed first; false while closed.
    /// With Can Handle Expired Passwords=true it is known when Open returns. It stays true until the connection is closed, also behind ALTER USER.
    /// (Of MySql.Data.)
    /// </summary>
    public bool IsPasswordExpired => SessionOrNull is MySqlSession { State.IsPasswordExpired: true };

    /// <summary>Warnings of the last statement: SHOW WARNINGS lists them. (Not in MySqlConnector.)</summary>
    public int WarningCount => MySqlSession.Results.Warnings;

    /// <summary>
    /// What the server said about the last statement without rows, such as "Rows matched: 1 Changed: 0 Warnings: 0"; empty when nothing.
    /// (Not in MySqlConnector.)
    /// </summary>
    public string LastInfo => MySqlSession.Results.Info;

    /// <inheritdoc/>
    public override bool CanCreateBatch => true;

    internal MySqlDataSource MySqlSource => (MySqlDataSource)Source;

    internal void RunOwn(SimpleExchange exchange, int timeout) => Run(exchange, timeout);

    internal ValueTask RunOwnAsync(SimpleExchange exchange, int timeout, CancellationToken cancellationToken) => RunAsync(exchange, timeout, cancellationToken);

    internal MySqlSession MySqlSession => (MySqlSession)Session;

    internal MySqlTransaction? OpenTransaction => (MySqlTransaction?)CurrentTransaction;

    /// <inheritdoc/>
    // As MySqlConnector.
    private protected override bool TellsConnecting => true;

    /// <inheritdoc/>
    private protected override SchemaCatalog SchemaCatalog => MySqlSchema.Of(SessionOrNull is MySqlSession { State.IsMariaDb: true });

    /// <inheritdoc/>
    protected override DbProviderFactory DbProviderFactory => MySqlConnectorFactory.Instance;

    /// <summary>A command on this connection.</summary>
    public new MySqlCommand CreateCommand() => new(this);

    /// <inheritdoc/>
    protected override DbCommand CreateDbCommand() => new MySqlCommand(this);

    /// <summary>A batch on this connection.</summary>
    public new MySqlBatch CreateBatch() => new(this);

    /// <inheritdoc/>
    protected override DbBatch CreateDbBatch() => CreateBatch();

    /// <summary>
    /// Begins a transaction of REPEATABLE READ. That is not a round trip, its START TRANSACTION travels with the first command; unless it may end what came
    /// before: work that SQL has begun, or table locks.
    /// </summary>
    public new MySqlTransaction BeginTransaction() => BeginTransaction(IsolationLevel.Unspecified);

    /// <summary>Begins a transaction of this isolation; Snapshot is START TRANSACTION WITH CONSISTENT SNAPSHOT.</summary>
    public new MySqlTransaction BeginTransaction(IsolationLevel isolationLevel) => BeginTransactionOf(isolationLevel, isReadOnly: null);

    /// <summary>Begins a transaction of this isolation, in which a read-only one refuses changes.</summary>
    public MySqlTransaction BeginTransaction(IsolationLevel isolationLevel, bool isReadOnly) => BeginTransactionOf(isolationLevel, isReadOnly);

    private MySqlTransaction BeginTransactionOf(IsolationLevel isolationLevel, bool? isReadOnly)
    {
        var transaction = new MySqlTransaction(this, isolationLevel, isReadOnly);
        transaction.Begin();
        return transaction;
    }

    /// <summary>
    /// Begins a transaction of REPEATABLE READ. That is not a round trip, its START TRANSACTION travels with the first command; unless it may end what came
    /// before: work that SQL has begun, or table locks.
    /// </summary>
    public new ValueTask<MySqlTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default) =>
        BeginTransactionOf(IsolationLevel.Unspecified, isReadOnly: null, cancellationToken);

    /// <summary>Begins a transaction of this isolation; Snapshot is START TRANSACTION WITH CONSISTENT SNAPSHOT.</summary>
    public new ValueTask<MySqlTransaction> BeginTransactionAsync(IsolationLevel isolationLevel, CancellationToken cancellationToken = default) =>
        BeginTransactionOf(isolationLevel, isReadOnly: null, cancellationToken);

    /// <summary>Begins a transaction of this isolation, in which a read-only one refuses changes.</summary>
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

    /// <summary>Asks whether the server is still there. False instead of an exception when it is not.</summary>
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

    /// <summary>Asks whether the server is still there. False instead of an exception when it is not.</summary>
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

    /// <summary>Brings the session back to the state of a new one before its next command.</summary>
    public ValueTask ResetConnectionAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        Session.NeedsReset = true;
        return RunAsync(Session.CreatePing(), cancellationToken);
    }

    object ICloneable.Clone() => Clone();

    /// <summary>Closes the idle sessions of the connection's pool now and the others when they come back.</summary>
    public static void ClearPool(MySqlConnection connection) => (connection ?? throw new ArgumentNullException(nameof(connection))).MySqlSource.Clear();

    /// <inheritdoc cref="ClearPool"/>
    public static Task ClearPoolAsync(MySqlConnection connection, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled(cancellationToken);
        ClearPool(connection);
        return Task.CompletedTask;
    }

    /// <summary>Does so for all pools of this process that belong to connection strings.</summary>
    public static void ClearAllPools() => MySqlDataSource.ClearAll();

    /// <inheritdoc cref="ClearAllPools"/>
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
