using System.Collections.Concurrent;
using System.Data.Common;
using System.Reflection;
using Microsoft.Extensions.Logging;
using Slipstream.Core.Causality;
using Slipstream.Core.Clusters;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Sessions;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql;

/// <summary>One server, or several, with one set of options: a pool and the scanned statements. It is thread-safe. Create one and keep it.</summary>
public partial class PgDataSource : ProviderDataSource
{
    private protected static readonly ProviderTelemetry SharedTelemetry =
        new("Slipstream.PostgreSql", typeof(PgDataSource).Assembly.GetName().Version?.ToString(3) ?? "");

    // By the text as it was written, so that a known text needs no parsing. Several texts may share a source.
    private static readonly ConcurrentDictionary<string, PgDataSource> ByText = new(StringComparer.Ordinal);
    private static readonly ConcurrentDictionary<string, PgDataSource> ByKey = new(StringComparer.Ordinal);

    private readonly StatementTable<PgStatement> _named;
    private readonly StatementTable<PgStatement> _positional;
    private readonly StatementTable<PgStatement> _numbered;
    private readonly PgSessionOpener? _opener;
    private readonly PgDataSource? _of;
    private readonly bool _mayEnlist = true;

    /// <summary>Creates a data source from parsed settings and from what a connection string cannot contain.</summary>
    internal PgDataSource(PgSettings settings, DataSourceParts? parts = null)
        : this(settings, CreateOpener(settings, parts ?? DataSourceParts.None), parts ?? DataSourceParts.None)
    {
    }

    /// <summary>Creates a data source with an opener of its own.</summary>
    /// <param name="settings">The settings.</param>
    /// <param name="loggers">The destination of log messages.</param>
    /// <param name="opener">Opens the sessions: over sockets, or from a recording.</param>
    internal PgDataSource(PgSettings settings, ILoggerFactory? loggers, ISessionFactory<Session> opener)
        : this(settings, opener, DataSourceParts.None with { Loggers = loggers })
    {
    }

    /// <summary>Creates a data source with sessions of its own.</summary>
    private protected PgDataSource(PgSettings settings, DataSourceParts parts, ISessionSource<Session> sessions)
        : this(settings, parts, PoolNameOf(settings)) => Sessions = sessions;

    private PgDataSource(PgSettings settings, ISessionFactory<Session> opener, DataSourceParts parts)
        : this(settings, parts, PoolNameOf(settings))
    {
        _opener = opener as PgSessionOpener;
        if (_opener is not null)
        {
            _opener.AutoPreparation.HasLost = Telemetry.StatementLost;
            _opener.PasswordFileIgnored = Telemetry.PasswordFileIgnored;
        }

        ISessionFactory<Session> factory = new TracedFactory(opener, Telemetry);
        if (parts.Initializer is { } initialize)
            factory = new InitializingFactory(factory, new Initializer(this, initialize, parts.InitializerAsync!));
        if (parts.Member is { } one)
            factory = new WatchedFactory(factory, one);
        Sessions = settings.Pooling ? CreatePool(settings, parts, factory) : new UnpooledSource<Session>(factory);
        parts.Member?.Attach(_opener!, Sessions);
    }

    private SessionPool<Session> CreatePool(PgSettings settings, DataSourceParts parts, ISessionFactory<Session> factory)
    {
        var limits = parts.Member is null ? settings.PoolLimits : settings.PoolLimits.OfMember();
        var pool = new SessionPool<Session>(factory, limits, Name, parts.Limit) { Observer = new PoolLog(Telemetry.PoolLog) };
        SharedTelemetry.Add(pool);
        return pool;
    }

    // Everything but the sessions.
    private PgDataSource(PgSettings settings, DataSourceParts parts, string defaultName)
    {
        Settings = settings;
        Callbacks = parts.Callbacks;
        _named = new(PgStatement.ScanNamed, table: 0, tables: 3);
        _positional = new(PgStatement.ScanPositional, table: 1, tables: 3);
        _numbered = new(PgStatement.ScanNumbered, table: 2, tables: 3);
        Name = parts.Name ?? defaultName;
        Sessions = null!;
        var endpoint = settings.Endpoints[0];
        Telemetry = new Telemetry(
            SharedTelemetry, "postgresql", endpoint.Host, endpoint.Port == PgOptions.Port.Default ? 0 : endpoint.Port, settings.Database, Name, parts.Loggers)
        {
            Tracing = parts.Tracing,
            UsualPortOfSeveral = settings.Endpoints.Count > 1 || parts.Source is not null ? PgOptions.Port.Default : null,
            Logging = settings.LogParameters ? parts.Logging with { ParameterValues = true } : parts.Logging,
        };
    }

    /// <summary>Creates a view of a data source, which shares everything with it but its sessions.</summary>
    /// <param name="of">The data source.</param>
    /// <param name="sessions">The sessions.</param>
    /// <param name="mayEnlist">Whether connections join an ambient transaction if the options allow it.</param>
    /// <param name="settings">The settings, for other connection strings of its connections; null for the same.</param>
    internal PgDataSource(PgDataSource of, ISessionSource<Session> sessions, bool mayEnlist = true, PgSettings? settings = null)
    {
        _of = of;
        Settings = settings ?? of.Settings;
        Callbacks = of.Callbacks;
        Name = of.Name;
        Telemetry = of.Telemetry;
        Sessions = sessions;
        (_named, _positional, _numbered) = (of._named, of._positional, of._numbered);
        _mayEnlist = mayEnlist;
    }

    private static PgSessionOpener CreateOpener(PgSettings settings, DataSourceParts parts)
    {
        var tls = parts.Callbacks.Apply(settings.ReadTls());
        return new(
            settings,
            parts.Streams is null
                ? new Dialer(tls, settings.KeepAlive, settings.AsyncEngine, settings.AsyncContinuations) { Optimizations = settings.Optimizations }
                : new StreamDialer(tls, parts.Streams),
            parts.Callbacks)
        {
            OwnersPassword = parts.Member?.RenewedPassword,
            TracksWrites = parts.Member is not null || settings.TrackWriteToken,
        };
    }

    /// <summary>Gets the pool's name in metrics and messages.</summary>
    internal string Name { get; }

    /// <summary>Gets the application's callbacks for creating sessions.</summary>
    internal SecurityCallbacks Callbacks { get; }

    /// <summary>Sets the password of sessions that are opened from now on: for credentials that change.</summary>
    /// <value>The password; null or empty for that of the connection string.</value>
    /// <exception cref="NotSupportedException">The data source has a password provider.</exception>
    public string? Password
    {
        set
        {
            if (Callbacks.ProvidesPassword)
                throw new NotSupportedException("The data source has a password provider: let the provider return the new password, or remove it.");
            Renew(value);
        }
    }

    /// <summary>Sets the password of new sessions.</summary>
    private protected virtual void Renew(string? password)
    {
        _of?.Renew(password);
        if (_opener is not null)
            _opener.RenewedPassword = password;
    }

    /// <summary>Gets the password that <see cref="Password"/> has set; null if there is none.</summary>
    internal virtual string? RenewedPassword => _of is null ? _opener?.RenewedPassword : _of.RenewedPassword;

    /// <summary>Gets the connection string, without secrets unless Persist Security Info is on.</summary>
    public override string ConnectionString => Settings.ShownConnectionString;

    /// <inheritdoc/>
    internal override ISessionSource<Session> Sessions { get; }

    /// <inheritdoc/>
    internal override IReadOnlyList<Endpoint> Endpoints => Settings.Endpoints;

    /// <inheritdoc/>
    internal override Telemetry Telemetry { get; }

    /// <inheritdoc/>
    internal override long ConnectTimeout => Settings.ConnectionTimeout;

    /// <inheritdoc/>
    internal override int DefaultCommandTimeout => Settings.DefaultCommandTimeout;

    /// <inheritdoc/>
    internal override int ReaderTimeout => Settings.ReaderTimeout;

    /// <inheritdoc/>
    internal override bool EnlistsAutomatically => _mayEnlist && Settings.Enlist;

    // Only the server knows whether it allows prepared transactions: CheckBranches asks it.
    /// <inheritdoc/>
    internal override bool BranchesCanBePrepared => true;

    /// <inheritdoc/>
    internal override string PrepareBranchesAdvice => "Set the server's max_prepared_transactions to more than 0, which is its default.";

    /// <inheritdoc/>
    internal override BranchStatements CreateBranch(Session session, string transaction, int number, System.Transactions.IsolationLevel isolationLevel) =>
        new PgBranch((PgSession)session, transaction, number, isolationLevel);

    /// <inheritdoc/>
    internal override SimpleExchange? CheckBranches(Session session) => session.CreateSimple(
        "DO $$BEGIN IF current_setting('max_prepared_transactions')::int = 0 THEN RAISE EXCEPTION 'prepared transactions are disabled' USING ERRCODE = "
            + "'55000'; END IF; END$$");

    /// <inheritdoc/>
    internal override string DefaultDatabase => Settings.Database;

    internal PgSettings Settings { get; }

    /// <summary>Creates a data source with its own pool. It opens no connection yet.</summary>
    /// <param name="connectionString">The connection string.</param>
    /// <returns>The data source.</returns>
    /// <exception cref="ArgumentException">The connection string has an unknown option or a value that is not allowed.</exception>
    public static PgDataSource Create(string connectionString) =>
        Create(PgSettings.Parse(connectionString, GlobalTypeMapper.Instance.Configuration), DataSourceParts.None);

    /// <summary>Creates a data source with its own pool. It opens no connection yet.</summary>
    /// <param name="connectionStringBuilder">The options.</param>
    /// <returns>The data source.</returns>
    /// <exception cref="ArgumentNullException">The builder is null.</exception>
    /// <exception cref="ArgumentException">Options contradict each other.</exception>
    public static PgDataSource Create(PgConnectionStringBuilder connectionStringBuilder)
    {
        ArgumentNullException.ThrowIfNull(connectionStringBuilder);
        return Create(new PgSettings(connectionStringBuilder, types: GlobalTypeMapper.Instance.Configuration), DataSourceParts.None);
    }

    /// <summary>Creates a data source of the kind that the settings need.</summary>
    internal static PgDataSource Create(PgSettings settings, DataSourceParts parts) =>
        settings.Target == TargetSessionAttributes.Any && parts.Source is null ? new PgDataSource(settings, parts) : new PgMultiHostDataSource(settings, parts);

    /// <summary>
    /// Returns a data source whose connections see the writes of a token: a standby that has executed them, or the primary. It shares everything with this one;
    /// disposing it has no effect.
    /// </summary>
    /// <param name="token">The token, such as <see cref="ProviderConnection.LastWriteToken"/> of a connection that has written; null for no writes.</param>
    /// <returns>The data source; this one if the token is null.</returns>
    /// <exception cref="InvalidOperationException">The data source does not know the roles of its servers: use BuildMultiHost.</exception>
    public PgDataSource WithToken(WriteToken? token) => token is null ? this : new(this, CausalView.With(token));

    /// <summary>Creates a closed connection of this data source.</summary>
    /// <returns>The connection.</returns>
    public new PgConnection CreateConnection() => new(this);

    /// <summary>Opens a connection. Its disposal returns the session to the pool.</summary>
    /// <returns>The open connection.</returns>
    /// <exception cref="PgException">The server rejected the connection or cannot be reached, or the time limit has passed.</exception>
    public new PgConnection OpenConnection() => OpenNow(CreateConnection());

    /// <summary>Opens a connection. Its disposal returns the session to the pool.</summary>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The open connection.</returns>
    /// <exception cref="PgException">The server rejected the connection or cannot be reached, or the time limit has passed.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public new ValueTask<PgConnection> OpenConnectionAsync(CancellationToken cancellationToken = default) =>
        OpenNowAsync(CreateConnection(), cancellationToken);

    /// <summary>
    /// Loads the types of the database again, over a connection of the data source. Call it after a program has created types, so that all connections know
    /// them. Each of several hosts has its own types: only those of the host that the connection reaches are loaded.
    /// </summary>
    /// <exception cref="PgException">No connection could be opened, the server refused the query, or the connection was lost.</exception>
    public void ReloadTypes()
    {
        using var connection = OpenConnection();
        connection.ReloadTypes();
    }

    /// <inheritdoc cref="ReloadTypes"/>
    /// <param name="cancellationToken">Cancels the load.</param>
    /// <returns>A task that ends with the load.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task ReloadTypesAsync(CancellationToken cancellationToken = default)
    {
        var connection = await OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
            await connection.ReloadTypesAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc cref="ListenAsync(IEnumerable{string}, CancellationToken)"/>
    /// <param name="channel">The name of the channel, without quotes.</param>
    /// <param name="cancellationToken">Ends the sequence with an <see cref="OperationCanceledException"/>.</param>
    public IAsyncEnumerable<PgNotification> ListenAsync(string channel, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(channel);
        return ListenAsync([channel], cancellationToken);
    }

    /// <summary>
    /// Listens to channels (LISTEN) on a connection of its own, and opens another one after that was lost. The first element, and the first one after each
    /// loss, has <see cref="PgNotification.MayHaveMissed"/>: read the announced state again.
    /// </summary>
    /// <remarks>
    /// Each enumeration uses one connection of the data source until it ends. Notifications that the consumer has not taken yet are kept, up to 1000; if more
    /// arrive, they are dropped, and an element with <see cref="PgNotification.MayHaveMissed"/> takes their place.
    /// </remarks>
    /// <param name="channels">The names of the channels, without quotes: at least one.</param>
    /// <param name="cancellationToken">Ends the sequence with an <see cref="OperationCanceledException"/>.</param>
    /// <returns>The notifications, in the order in which the server sends them. The sequence has no end of its own.</returns>
    /// <exception cref="ArgumentException">There is no channel, or the name of a channel is empty or contains a zero character.</exception>
    /// <exception cref="PgException">
    /// The first connection could not be opened, or the server refused LISTEN or a later login for a permanent reason. Thrown by the enumeration.
    /// </exception>
    public IAsyncEnumerable<PgNotification> ListenAsync(IEnumerable<string> channels, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(channels);
        return new NotificationStream(this, [.. channels], cancellationToken);
    }

    /// <inheritdoc/>
    internal override DbException CreateException(ServerError error) => new PgException(error, Settings.IncludeErrorDetail);

    /// <inheritdoc/>
    internal override Exception CreateBusy(InvalidOperationException exception, ProviderCommand? running) =>
        new PgOperationInProgressException(exception.Message, running as PgCommand);

    /// <inheritdoc/>
    protected override DbConnection CreateDbConnection() => CreateConnection();

    /// <summary>Creates a command whose connection is open only while it runs. To prepare it, create it with a connection's CreateCommand instead.</summary>
    /// <param name="commandText">One or more SQL statements; null to set the text later.</param>
    /// <returns>The command.</returns>
    public new PgCommand CreateCommand(string? commandText = null) => new(this) { CommandText = commandText };

    /// <inheritdoc/>
    protected override DbCommand CreateDbCommand(string? commandText = null) => CreateCommand(commandText);

    /// <summary>Creates a batch whose connection is open only while it runs. To prepare it, create it with a connection's CreateBatch instead.</summary>
    /// <returns>The batch.</returns>
    public new PgBatch CreateBatch() => new(this);

    /// <inheritdoc/>
    protected override DbBatch CreateDbBatch() => CreateBatch();

    /// <inheritdoc/>
    // As in Npgsql, whose users catch this exception.
    private protected override bool CancelIsCancellation => true;

    /// <inheritdoc/>
    private protected override bool IsInterrupted(ServerError error)
    {
        ArgumentNullException.ThrowIfNull(error);
        return error.SqlState == PgErrorCodes.QueryCanceled;
    }

    /// <inheritdoc/>
    private protected override DbException CreateException(WireException failure) => new PgException(failure);

    /// <inheritdoc/>
    private protected override Exception CreateException(ProtocolException failure) =>
        new PgException(failure.Message, failure) { RetrySafety = RetrySafety.Unknown };

    /// <inheritdoc/>
    private protected override Exception TranslateOther(Exception exception) => exception is CallbackException failed
        ? new PgException(failed.Message, failed.InnerException) { RetrySafety = RetrySafety.NotSent, Kind = ErrorKind.AuthenticationFailed }
        : exception;

    /// <inheritdoc/>
    private protected override DbException CreateTimeout(string message, Exception inner, RetrySafety safety = RetrySafety.Unknown) =>
        new PgException(message, new TimeoutException(message, inner))
    {
        Kind = inner is PoolExhaustedException ? ErrorKind.TooManyConnections : ErrorKind.Interrupted,
        RetrySafety = inner is PoolExhaustedException ? RetrySafety.NotSent : safety,
    };

    /// <summary>
    /// Announces that a text will be executed often. Each session prepares it with its first execution, in the same round trip. This call sends nothing.
    /// </summary>
    /// <param name="commandText">The text of the commands.</param>
    /// <exception cref="ArgumentException">The text is null or empty.</exception>
    public void Prepare(string commandText)
    {
        ArgumentException.ThrowIfNullOrEmpty(commandText);
        // Whether its parameters have names is known only at the execution.
        StatementFor(commandText, ParameterNaming.None).ExpectManyUses();
        if (commandText.AsSpan().IndexOfAny('@', ':') < 0)
            return;
        StatementFor(commandText, ParameterNaming.Names).ExpectManyUses();
        StatementFor(commandText, ParameterNaming.Numbers).ExpectManyUses();
    }

    /// <summary>Returns the statement for a text, which is scanned once.</summary>
    internal PgStatement StatementFor(string sql, ParameterNaming naming) =>
        (naming == ParameterNaming.Names ? _named : naming == ParameterNaming.None ? _positional : _numbered).Get(sql);

    /// <summary>Returns true if a connection with this connection string has been opened before.</summary>
    internal static bool IsKnown(string connectionString) => ByText.ContainsKey(connectionString);

    /// <summary>Returns the data source that connections with this connection string share.</summary>
    internal static PgDataSource ForConnectionString(string connectionString)
    {
        if (ByText.TryGetValue(connectionString, out var known))
            return known;
        if (connectionString.Length == 0)
            throw new InvalidOperationException("The connection has no connection string: set its ConnectionString property.");
        var settings = PgSettings.Parse(connectionString, GlobalTypeMapper.Instance.Configuration);
        var source = ByKey.GetOrAdd(settings.Key, static (_, settings) => Create(settings, PgLoggingConfiguration.Parts), settings);
        ByText[connectionString] = source;
        return source;
    }

    internal static void ClearAll()
    {
        foreach (var source in ByKey.Values)
            source.Clear();
    }

    /// <summary>Creates a closed connection that has only one session, which stays as the connection leaves it. It joins no ambient transaction.</summary>
    internal PgConnection ConnectionOver(Session session) => new(new PgDataSource(this, new SingleSession(session), mayEnlist: false));

    // Runs the application's initializer on a connection that has only the new session. It joins no ambient transaction: the session is for any caller.
    private sealed class Initializer(PgDataSource source, Action<PgConnection> initialize, Func<PgConnection, Task> initializeAsync) : ISessionInitializer
    {
        public void Initialize(Session session)
        {
            using var connection = source.ConnectionOver(session);
            connection.Open();
            initialize(connection);
        }

        public async Task InitializeAsync(Session session)
        {
            var connection = source.ConnectionOver(session);
            await using (connection.ConfigureAwait(false))
            {
                await connection.OpenAsync(CancellationToken.None).ConfigureAwait(false);
                await initializeAsync(connection).ConfigureAwait(false);
            }
        }
    }

    // Host and database identify the pool. The user name must not appear in metrics, and the password must not appear anywhere.
    private protected static string PoolNameOf(PgSettings settings) =>
        settings.ApplicationName.Length > 0 ? settings.ApplicationName : settings.Endpoints[0] + "/" + settings.Database;
}
