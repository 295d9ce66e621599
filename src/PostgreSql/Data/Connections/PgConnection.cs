using System.Data;
using System.Data.Common;
using Slipstream.Core.Data;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>A connection to a PostgreSQL server: leases a session from its data source while it is open.</summary>
public sealed class PgConnection : ProviderConnection, ICloneable, INoticeSink
{
    /// <summary>The TCP port of a server that says no other.</summary>
    public const int DefaultPort = 5432;

    /// <summary>A closed connection.</summary>
    public PgConnection()
    {
    }

    /// <summary>A closed connection.</summary>
    public PgConnection(string? connectionString) => ConnectionString = connectionString;

    private PgConnection(PgDataSource source, string connectionString)
        : base(source, connectionString)
    {
    }

    internal PgConnection(PgDataSource source)
        : base(source, source.Settings.ConnectionString)
    {
    }

    /// <summary>The server remarks something while the connection is open. Raised on the thread that reads the answers.</summary>
    public event PgNoticeEventHandler? Notice;

    /// <inheritdoc/>
    public override string Database => FullConnectionString.Length == 0 ? "" : PgSource.Settings.Database;

    /// <summary>The host of the open session, or the path of its unix socket; of a closed connection, the first that the connection string names.</summary>
    public string Host => Endpoint.Host;

    /// <summary>Its TCP port; 0 for a unix socket.</summary>
    public int Port => Endpoint.Port;

    private Endpoint Endpoint => SessionOrNull?.Endpoint ?? PgSource.Settings.Endpoints[0];

    /// <summary>The user whom the connection string names.</summary>
    public string UserName => PgSource.Settings.Username;

    /// <summary>Seconds that new commands get.</summary>
    public int CommandTimeout => PgSource.Settings.DefaultCommandTimeout;

    /// <summary>The number of the server's process behind the session: what pg_stat_activity shows.</summary>
    public int ProcessID => (int)Session.ServerId;

    /// <summary>The session's TimeZone.</summary>
    public string Timezone => PostgresParameters.GetValueOrDefault("TimeZone", "");

    /// <summary>The server's settings that it reports.</summary>
    public IReadOnlyDictionary<string, string> PostgresParameters => PgSession.State.Settings;

    /// <summary>The server's version as numbers.</summary>
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

    /// <summary>The state, with Fetching while a reader is open.</summary>
    public ConnectionState FullState => ActiveReader is not null ? State | ConnectionState.Fetching : State;

    /// <inheritdoc/>
    private protected override SchemaCatalog SchemaCatalog => PgSchema.Catalog;

    /// <inheritdoc/>
    protected override DbProviderFactory DbProviderFactory => PgFactory.Instance;

    /// <inheritdoc/>
    private protected override void CheckConnectionString(string connectionString)
    {
        // One that has been opened before is found without reading it again.
        if (!PgDataSource.IsKnown(connectionString))
            _ = PgConnectionStringBuilder.ForReading(connectionString);
    }

    internal PgSession PgSession => (PgSession)Session;

    internal PgDataSource PgSource => (PgDataSource)Source;

    /// <summary>A command on this connection.</summary>
    public new PgCommand CreateCommand() => new("", this);

    /// <inheritdoc/>
    public override bool CanCreateBatch => true;

    /// <summary>A batch on this connection.</summary>
    public new PgBatch CreateBatch() => new(this);

    /// <summary>
    /// Begins a transaction; its BEGIN travels in front of its first command.
    /// Throws InvalidOperationException when the connection is not open or has a transaction.
    /// </summary>
    public new PgTransaction BeginTransaction() => BeginTransaction(IsolationLevel.Unspecified);

    /// <summary>
    /// Begins a transaction; its BEGIN travels in front of its first command.
    /// Throws InvalidOperationException when the connection is not open or has a transaction.
    /// </summary>
    public new PgTransaction BeginTransaction(IsolationLevel level)
    {
        _ = Session;
        var transaction = new PgTransaction(this, level);
        transaction.Begin();
        return transaction;
    }

    /// <summary>
    /// Begins a transaction; its BEGIN travels in front of its first command.
    /// Throws InvalidOperationException when the connection is not open or has a transaction.
    /// </summary>
    public new ValueTask<PgTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default) => BeginTransactionAsync(IsolationLevel.Unspecified, cancellationToken);

    /// <summary>
    /// Begins a transaction; its BEGIN travels in front of its first command.
    /// Throws InvalidOperationException when the connection is not open or has a transaction.
    /// </summary>
    public new async ValueTask<PgTransaction> BeginTransactionAsync(IsolationLevel level, CancellationToken cancellationToken = default)
    {
        _ = Session;
        var transaction = new PgTransaction(this, level);
        await transaction.BeginAsync(cancellationToken).ConfigureAwait(false);
        return transaction;
    }

    /// <summary>
    /// Opens a session of another database: a PostgreSQL session belongs to one database for its life.
    /// When that fails, the connection stays as it was, open on its database.
    /// </summary>
    public override void ChangeDatabase(string databaseName)
    {
        var (old, other) = (FullConnectionString, WithDatabase(databaseName));

        // What it opens is the pool's, and taken from there below.
        using (var first = new PgConnection(other))
            first.Open();
        Close();
        ConnectionString = other;
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
    public override async Task ChangeDatabaseAsync(string databaseName, CancellationToken cancellationToken = default)
    {
        var (old, other) = (FullConnectionString, WithDatabase(databaseName));
        var first = new PgConnection(other);
        await using (first.ConfigureAwait(false))
            await first.OpenAsync(cancellationToken).ConfigureAwait(false);
        await CloseAsync().ConfigureAwait(false);
        ConnectionString = other;
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

    /// <summary>The session forgets every prepared statement, on the server, too.</summary>
    public void UnprepareAll()
    {
        Run(Session.CreateSimple("DEALLOCATE ALL"));
        PgSession.Prepared.Clear();
    }

    /// <summary>Closes the idle sessions of the connection's data source now, and the others when they come back.</summary>
    public static void ClearPool(PgConnection connection)
    {
        ArgumentNullException.ThrowIfNull(connection);
        connection.PgSource.Clear();
    }

    /// <summary>Does that for every data source that connection strings have made.</summary>
    public static void ClearAllPools() => PgDataSource.ClearAll();

    /// <summary>
    /// A closed connection with the same options; of the same data source, if this one was opened or made by one,
    /// and then it shows the password no more than this one does.
    /// </summary>
    public PgConnection Clone() => SourceOrNull is PgDataSource source ? new(source, FullConnectionString) : new(FullConnectionString);

    /// <summary>
    /// A closed connection with another connection string. This one's password is added when it has none,
    /// unless the string asks for it to be shown (Persist Security Info) and this connection's did not.
    /// </summary>
    public PgConnection CloneWith(string connectionString)
    {
        var wanted = new PgConnectionStringBuilder(connectionString);
        var own = new PgConnectionStringBuilder(FullConnectionString);
        var takesPassword = wanted.Password.Length == 0 && (!wanted.PersistSecurityInfo || own.PersistSecurityInfo);
        if (takesPassword)
            wanted.Password = own.Password;
        var text = wanted.ConnectionString;
        // A password that this connection does not show any more, the other one does not show either.
        return takesPassword && SourceOrNull is not null ? new(PgDataSource.ForConnectionString(text), text) : new(text);
    }

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

    void INoticeSink.Hear(ErrorFields fields) => Notice?.Invoke(this, new PgNoticeEventArgs(new PgNotice(fields)));

    private string WithDatabase(string databaseName)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(databaseName);
        _ = Session;
        return new PgConnectionStringBuilder(FullConnectionString) { Database = databaseName }.ConnectionString;
    }
}
