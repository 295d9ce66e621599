using System.Collections.Concurrent;
using System.Data.Common;
using Microsoft.Extensions.Logging;
using Slipstream.Core.Causality;
using Slipstream.Core.Clusters;
using Slipstream.Core.Data;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conventions;
using Slipstream.MySql.Errors;
using Slipstream.MySql.Options;
using Slipstream.MySql.Sessions;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>
/// A MySQL or MariaDB server with a set of options. The data source holds a pool of sessions and what the driver knows about its statements. Create one per
/// server and keep it.
/// </summary>
public sealed partial class MySqlDataSource : ProviderDataSource
{
    private static readonly ProviderTelemetry Instruments =
        new(ThisAssembly.Conventions.TelemetryName, typeof(MySqlDataSource).Assembly.GetName().Version?.ToString(3) ?? "0");

    private static readonly ConcurrentDictionary<string, MySqlDataSource> ByConnectionString = new(StringComparer.Ordinal);
    private static readonly ConcurrentDictionary<string, MySqlDataSource> ByMeaning = new(StringComparer.Ordinal);

    private static readonly ConcurrentDictionary<string, MySqlDataSource> ByServer = new(StringComparer.Ordinal);

    private readonly MySqlDataSource? _server;
    private readonly bool _ownsServer;
    private readonly bool _ownsCluster;
    private readonly ILoggerFactory? _loggers;
    private readonly ServerCluster? _cluster;
    private readonly MySqlDataSource?[] _views = new MySqlDataSource?[ServerCluster.Types];
    private readonly RenewedPassword _renewedPassword = new();

    /// <summary>Creates a data source with its own pool. It does not open a connection yet.</summary>
    /// <param name="connectionString">The connection string.</param>
    /// <exception cref="ArgumentNullException">The string is null.</exception>
    /// <exception cref="ArgumentException">An option is unknown or has an invalid value.</exception>
    public MySqlDataSource(string connectionString)
        : this(MySqlSettings.Parse(connectionString ?? throw new ArgumentNullException(nameof(connectionString))), null, null)
    {
    }

    /// <summary>Creates a data source from settings, with what a connection string cannot hold.</summary>
    /// <param name="settings">The settings of the connection string.</param>
    /// <param name="loggers">The loggers; null for no log.</param>
    /// <param name="name">The pool's name; null for a generated one.</param>
    /// <param name="dialer">Creates the connections instead of the default dialer: to record them, or to play a recording.</param>
    /// <param name="tracing">The content of spans; null for what the conventions recommend.</param>
    /// <param name="callbacks">The application's callbacks for creating sessions.</param>
    /// <param name="limit">The limit that this pool shares with others; null for that of the settings.</param>
    /// <param name="server">The data source that has the pool for all databases. If it is null, one is created if the settings require it.</param>
    /// <param name="isServer">Whether this data source is such a one.</param>
    /// <param name="member">The server of a cluster whose pool this is; null without one.</param>
    /// <param name="source">Names the servers of a cluster; null if only the connection string does.</param>
    internal MySqlDataSource(
        MySqlSettings settings, ILoggerFactory? loggers, string? name, Dialer? dialer = null, Tracing? tracing = null, SecurityCallbacks? callbacks = null,
        SessionLimit? limit = null, MySqlDataSource? server = null, bool isServer = false, ClusterMember? member = null,
        ITopologySource? source = null)
    {
        Settings = settings;
        Codecs = settings.Codecs;
        PreparedCodecs = ThisAssembly.Conventions.SendsNarrowTypes ? Codecs with { SendsNarrowTypes = true } : Codecs;
        Callbacks = callbacks ?? SecurityCallbacks.None;
        _loggers = loggers ??= ThisAssembly.Conventions.Loggers?.Invoke();
        if (settings.PoolPerServer && !isServer)
        {
            _ownsServer = server is null;
            _server = server ?? new(settings.With(""), loggers, name, dialer, tracing, callbacks, limit, isServer: true);
            name = _server.Name;
        }

        Name = name ?? PoolNameOf(settings);
        var endpoint = settings.Endpoints[0];
        Telemetry = new Telemetry(
            Instruments, "mysql", endpoint.Host, endpoint.Port == MySqlOptions.Port.Default ? 0 : endpoint.Port, settings.Database, Name, loggers)
            { Tracing = tracing ?? new(), UsualPortOfSeveral = MayUseSeveral(settings, source) ? MySqlOptions.Port.Default : null };
        if (settings.Topology != MySqlTopology.None && member is null)
        {
            var shared = limit ?? TotalLimits.Of(settings);
            _ownsCluster = true;
            var observer = Telemetry.CreateTopologyLog() is { } log ? new ClusterLog(log, Name) : null;
            _cluster = new(
                settings, source, observer,
                (own, one) => _ = new MySqlDataSource(own, loggers, $"{Name} ({one.Endpoint})", dialer, tracing, callbacks, shared, member: one));
            _cluster.Cluster.News.Sender = this;
            Instruments.Topology.Add(_cluster.Cluster, Name, MySqlOptions.Port.Default);
            Sessions = _cluster.View(settings.TargetServerType);
            return;
        }

        if (_server is not null && settings.Database.Length > 0)
        {
            Sessions = new DatabaseSessions((SessionPool<Session>)_server.Sessions, settings.Database);
            return;
        }

        var sessions = CreateOpener(settings, dialer, callbacks, Telemetry, _renewedPassword, member?.RenewedPassword);
        ISessionFactory<Session> opener = new TracedFactory(sessions, Telemetry);
        if (member is not null)
            opener = new WatchedFactory(opener, member);
        if (settings.Pooling)
        {
            var limits = member is null ? settings.PoolLimits : settings.PoolLimits.OfMember();
            var pool = new SessionPool<Session>(opener, limits, Name, limit ?? TotalLimits.Of(settings)) { Observer = new PoolLog(Telemetry.PoolLog) };
            Instruments.Add(pool);
            Sessions = pool;
        }
        else
            Sessions = new UnpooledSource<Session>(opener);
        sessions.AddressesChanged = Clearing(Sessions);
        member?.Attach(sessions, Sessions);
    }

    // The monitor of a cluster keeps the opener, which therefore must not keep the data source. Lambdas in the constructor would.
    private static MySqlSessionOpener CreateOpener(
        MySqlSettings settings, Dialer? dialer, SecurityCallbacks? callbacks, Telemetry telemetry, RenewedPassword renewed, Func<string?>? renewedForAll) =>
        new(settings, () => renewed.Read() ?? renewedForAll?.Invoke() ?? settings.Password, dialer, callbacks)
        {
            PipeliningOff = (peer, because) => telemetry.PipeliningOff(peer.ToString(), because),
        };

    private static Action<string> Clearing(ISessionSource<Session> sessions)
    {
        var pool = new WeakReference<ISessionSource<Session>>(sessions);
        return _ =>
        {
            if (pool.TryGetTarget(out var own))
                own.Clear();
        };
    }

    // A view of a cluster, which shares everything with it but its sessions.
    private MySqlDataSource(MySqlDataSource of, MySqlTargetServerType type)
        : this(of, of.Settings.For(type), of._cluster!.View(type))
    {
    }

    private MySqlDataSource(MySqlDataSource of, MySqlSettings settings, ISessionSource<Session> sessions)
    {
        (Settings, Sessions) = (settings, sessions);
        (Codecs, PreparedCodecs, Callbacks, Name, Telemetry) = (of.Codecs, of.PreparedCodecs, of.Callbacks, of.Name, of.Telemetry);
        (_loggers, _cluster, _views, Opened) = (of._loggers, of._cluster, of._views, of.Opened);
        (Statements, StoredPrograms) = (of.Statements, of.StoredPrograms);
    }

    /// <summary>What log messages contain about commands.</summary>
    internal CommandLogging Logging
    {
        init => Telemetry.Logging = value;
    }

    /// <summary>Gets the pool's name in metrics and messages.</summary>
    public string? Name { get; }

    /// <summary>Gets the connection string, without the password unless Persist Security Info=true.</summary>
    public override string ConnectionString => Settings.ShownConnectionString;

    /// <summary>Sets a new password for sessions that are opened from now on: for renewed credentials.</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public string Password
    {
        set
        {
            _renewedPassword.Set(value ?? throw new ArgumentNullException(nameof(value)));
            _cluster?.Renew(value);
            _server?._renewedPassword.Set(value);
        }
    }

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
    internal override bool EnlistsAutomatically => Settings.AutoEnlist;

    /// <inheritdoc/>
    internal override bool BranchesCanBePrepared => Settings.UseXaTransactions;

    /// <inheritdoc/>
    internal override string PrepareBranchesAdvice => "Set Use XA Transactions=true to let several MySQL sessions take part.";

    /// <inheritdoc/>
    internal override BranchStatements CreateBranch(Session session, string transaction, int number, System.Transactions.IsolationLevel isolationLevel) =>
        Settings.UseXaTransactions
            ? new XaBranch((MySqlSession)session, transaction, number, isolationLevel)
            : new PlainBranch((MySqlSession)session, transaction, number, isolationLevel);

    /// <inheritdoc/>
    internal override bool AllowsConcurrentCommands => Settings.AllowConcurrentCommands;

    /// <inheritdoc/>
    internal override string DefaultDatabase => Settings.Database;

    internal MySqlSettings Settings { get; }

    /// <summary>The callback after each opening.</summary>
    internal MySqlConnectionOpenedCallback? Opened { get; init; }

    /// <summary>The application's callbacks for creating sessions.</summary>
    internal SecurityCallbacks Callbacks { get; }

    internal CodecSettings Codecs { get; }

    /// <summary>How the values of a command are written that the application has prepared.</summary>
    internal CodecSettings PreparedCodecs { get; }

    /// <summary>The SQL texts of this data source.</summary>
    internal StatementTable<MySqlStatement> Statements { get; } = new(static sql => new MySqlStatement(sql));

    /// <summary>The stored procedures and functions that were called.</summary>
    internal StoredPrograms StoredPrograms { get; } = new();

    /// <inheritdoc cref="WithTargetServerType"/>
    /// <summary>Gets a data source for the primary.</summary>
    public MySqlDataSource Primary => WithTargetServerType(MySqlTargetServerType.Primary);

    /// <inheritdoc cref="WithTargetServerType"/>
    /// <summary>Gets a data source for the primary; if there is none, for the replicas.</summary>
    public MySqlDataSource PreferPrimary => WithTargetServerType(MySqlTargetServerType.PreferPrimary);

    /// <inheritdoc cref="WithTargetServerType"/>
    /// <summary>Gets a data source for the replicas.</summary>
    public MySqlDataSource Replica => WithTargetServerType(MySqlTargetServerType.Replica);

    /// <inheritdoc cref="WithTargetServerType"/>
    /// <summary>Gets a data source for the replicas; if there is none, for the primary.</summary>
    public MySqlDataSource PreferReplica => WithTargetServerType(MySqlTargetServerType.PreferReplica);

    /// <inheritdoc cref="WithTargetServerType"/>
    /// <summary>Gets a data source for all servers.</summary>
    public MySqlDataSource Any => WithTargetServerType(MySqlTargetServerType.Any);

    /// <summary>Returns a data source for the servers of the cluster with a role. It shares everything with this one; disposing it has no effect.</summary>
    /// <param name="type">The role, in place of the option Target Server Type.</param>
    /// <returns>The data source, the same for the same role.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The value is not a member of the enumeration.</exception>
    /// <exception cref="InvalidOperationException">The option Topology is not set.</exception>
    public MySqlDataSource WithTargetServerType(MySqlTargetServerType type)
    {
        if (!Enum.IsDefined(type))
            throw new ArgumentOutOfRangeException(nameof(type), type, "The target server type must be a member of the enumeration.");
        if (_cluster is null)
            throw new InvalidOperationException("The data source does not know the roles of its servers: set Topology, for example to Auto.");
        ref var view = ref _views[(int)type];
        return Volatile.Read(ref view) ?? Interlocked.CompareExchange(ref view, new(this, type), null) ?? view!;
    }

    /// <summary>
    /// Returns a data source whose connections see the writes of a token: a replica that has executed them, or the primary. It shares everything with this
    /// one; disposing it has no effect.
    /// </summary>
    /// <param name="token">The token, such as <see cref="ProviderConnection.LastWriteToken"/> of a connection that has written; null for no writes.</param>
    /// <returns>The data source; this one if the token is null.</returns>
    /// <exception cref="InvalidOperationException">The option Topology is not set.</exception>
    public MySqlDataSource WithToken(WriteToken? token) => token is null ? this : new(this, Settings, CausalView.With(token));

    /// <summary>Creates a closed connection of this data source's pool.</summary>
    /// <returns>The connection.</returns>
    public new MySqlConnection CreateConnection() => new(this);

    /// <summary>
    /// Creates a data source for another database of the same server: for a database per customer. It shares this one's pool and everything else except what is
    /// known about statements. A session changes to the database with the first command, in the same send. Disposing the new data source keeps the pool.
    /// <see cref="ProviderDataSource.Statistics"/> and <see cref="ProviderDataSource.Clear"/> concern the whole pool.
    /// </summary>
    /// <param name="database">The name, as in USE. If the database does not exist, the first command fails.</param>
    /// <returns>The data source.</returns>
    /// <exception cref="ArgumentException">The name is null or empty.</exception>
    /// <exception cref="InvalidOperationException">This data source was created without <c>Pool Per Server=true</c>.</exception>
    public MySqlDataSource ForDatabase(string database)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(database);
        return _server is null
            ? throw new InvalidOperationException(
                "Sessions of this data source cannot change their database: create the data source with Pool Per Server=true.")
            : new(Settings.With(database), _loggers, null, tracing: Telemetry.Tracing, callbacks: Callbacks, server: _server)
            {
                Opened = Opened,
                Logging = Telemetry.Logging,
            };
    }

    /// <summary>
    /// Marks a text that the application will execute often: each session prepares it at its first use instead of its third. Neither this call nor the
    /// preparation costs a round trip.
    /// </summary>
    /// <param name="sql">The text, exactly as in the commands. Texts that the driver does not prepare automatically (several statements, CALL, SELECT ?) are
    /// not affected.</param>
    /// <exception cref="ArgumentException">The text is null or empty.</exception>
    public void Prepare(string sql)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(sql);
        Statements.Get(sql).IsHinted = true;
    }

    /// <summary>Opens a connection of this data source's pool.</summary>
    /// <returns>The connection.</returns>
    /// <exception cref="MySqlException">The driver could not connect, the server refused the login, or the time limit expired.</exception>
    public new MySqlConnection OpenConnection() => OpenNow(CreateConnection());

    /// <summary>Opens a connection of this data source's pool.</summary>
    /// <param name="cancellationToken">Cancels the opening.</param>
    /// <returns>The connection.</returns>
    /// <exception cref="MySqlException">The driver could not connect, the server refused the login, or the time limit expired.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public new ValueTask<MySqlConnection> OpenConnectionAsync(CancellationToken cancellationToken = default) =>
        OpenNowAsync(CreateConnection(), cancellationToken);

    /// <inheritdoc/>
    internal override DbException CreateException(ServerError error) => MySqlException.Refused(error);

    /// <summary>Returns the shared data source of a connection string.</summary>
    internal static MySqlDataSource For(string connectionString)
    {
        if (ByConnectionString.TryGetValue(connectionString, out var source))
            return source;
        var settings = MySqlSettings.Parse(connectionString);
        source = ByMeaning.GetOrAdd(settings.Key, static (_, made) => new MySqlDataSource(made, null, null, server: ServerOf(made)), settings);
        ByConnectionString.TryAdd(connectionString, source);
        return source;
    }

    private static MySqlDataSource? ServerOf(MySqlSettings settings)
    {
        if (!settings.PoolPerServer)
            return null;
        var server = settings.With("");
        return ByServer.GetOrAdd(server.Key, static (_, made) => new MySqlDataSource(made, null, null, isServer: true), server);
    }

    internal static void ClearAll()
    {
        foreach (var source in ByMeaning.Values)
            source.Clear();
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
            DisposeOwned();
        base.Dispose(disposing);
    }

    /// <inheritdoc/>
    protected override ValueTask DisposeAsyncCore()
    {
        DisposeOwned();
        return base.DisposeAsyncCore();
    }

    private void DisposeOwned()
    {
        if (_ownsServer)
            _server!.Dispose();
        if (_ownsCluster)
            _cluster!.Dispose();
    }

    /// <summary>Creates a command of this data source. Its connection is open only during an execution.</summary>
    /// <param name="commandText">The text; null to set it later.</param>
    /// <returns>The command.</returns>
    public new MySqlCommand CreateCommand(string? commandText = null) => new(this) { CommandText = commandText };

    /// <inheritdoc/>
    protected override DbCommand CreateDbCommand(string? commandText = null) => CreateCommand(commandText);

    /// <inheritdoc/>
    protected override DbConnection CreateDbConnection() => CreateConnection();

    /// <inheritdoc/>
    protected override DbBatch CreateDbBatch() => new MySqlBatch(this);

    /// <inheritdoc/>
    // ER_QUERY_INTERRUPTED; ER_QUERY_TIMEOUT (MySQL), ER_STATEMENT_TIMEOUT (MariaDB). In a group, KILL ends the wait for the certification of a
    // commit with ER_RUN_HOOK_ERROR. ER_CONNECTION_KILLED is a lost connection and not an interruption.
    private protected override bool IsInterrupted(ServerError error) => error.Number is 1317 or 3024 or 1969 or ErrorKinds.HookFailed;

    /// <inheritdoc/>
    private protected override bool IsOutOfTime(ServerError error) => Settings.ServerDeadlines && error.Number is (3024 or 1969);

    /// <inheritdoc/>
    private protected override DbException CreateException(WireException failure) => MySqlException.From(failure);

    /// <inheritdoc/>
    private protected override Exception CreateException(ProtocolException failure) => new MySqlProtocolException(failure);

    /// <inheritdoc/>
    private protected override Exception TranslateOther(Exception exception) => exception is CallbackException failed
        ? new MySqlException(MySqlErrorCode.ProvidePasswordCallbackFailed, failed.Message, failed.InnerException)
        : exception;

    /// <inheritdoc/>
    private protected override DbException CreateTimeout(string message, Exception inner, RetrySafety safety = RetrySafety.Unknown) =>
        inner is PoolExhaustedException
        ? new MySqlException(MySqlErrorCode.UnableToConnectToHost, message, inner) { RetrySafety = RetrySafety.NotSent, Kind = ErrorKind.TooManyConnections }
        : new MySqlException(MySqlErrorCode.CommandTimeoutExpired, message, inner) { RetrySafety = safety, Kind = ErrorKind.Interrupted };

    private static bool MayUseSeveral(MySqlSettings settings, ITopologySource? source) =>
        settings.Endpoints.Count > 1 || source is not null || settings.TopologyDiscovery != MySqlTopologyDiscovery.Off;

    // Host and database identify the pool. The user does not belong in metrics, and the password does not belong anywhere.
    private static string PoolNameOf(MySqlSettings settings) => settings.ApplicationName.Length > 0
        ? settings.ApplicationName
        : settings.Endpoints[0] + (settings.Database.Length > 0 ? "/" + settings.Database : "");
}
