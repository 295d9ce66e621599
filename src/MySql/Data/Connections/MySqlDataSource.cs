using System.Collections.Concurrent;
using System.Data.Common;
using Microsoft.Extensions.Logging;
using Slipstream.Core.Data;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Errors;
using Slipstream.MySql.Options;
using Slipstream.MySql.Sessions;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>One MySQL or MariaDB server with one set of options: its pool of sessions and what is known of its statements. Make one and keep it.</summary>
public sealed class MySqlDataSource : ProviderDataSource
{
    private static readonly ProviderTelemetry Instruments = new("Slipstream.MySql", typeof(MySqlDataSource).Assembly.GetName().Version?.ToString(3) ?? "0");

    private static readonly ConcurrentDictionary<string, MySqlDataSource> ByConnectionString = new(StringComparer.Ordinal);
    private static readonly ConcurrentDictionary<string, MySqlDataSource> ByMeaning = new(StringComparer.Ordinal);

    private static readonly ConcurrentDictionary<string, MySqlDataSource> ByServer = new(StringComparer.Ordinal);

    private readonly MySqlDataSource? _server;
    private readonly bool _ownsServer;
    private readonly ILoggerFactory? _loggers;
    private volatile string? _renewedPassword;

    /// <summary>Creates a data source with a pool of its own. No connection is opened yet.</summary>
    /// <exception cref="ArgumentException">An option is unknown or has a bad value.</exception>
    public MySqlDataSource(string connectionString)
        : this(MySqlSettings.Parse(connectionString ?? throw new ArgumentNullException(nameof(connectionString))), null, null)
    {
    }

    /// <summary>Creates a data source from settings that have been read, with what a connection string cannot hold.</summary>
    /// <param name="settings">What the connection string says.</param>
    /// <param name="loggers">Null logs nothing.</param>
    /// <param name="name">The pool's name; null makes one.</param>
    /// <param name="dialer">Makes the connections in place of the usual one: to record them, or to play a recording.</param>
    /// <param name="tracing">What spans carry; null for what the conventions recommend.</param>
    /// <param name="callbacks">The user's own code in the making of connections.</param>
    /// <param name="limit">What its pool may have together with others; null for what the settings say.</param>
    /// <param name="server">Has the pool of all databases; null makes one where the settings ask for it.</param>
    /// <param name="isServer">It is one of those itself.</param>
    internal MySqlDataSource(
        MySqlSettings settings, ILoggerFactory? loggers, string? name, Dialer? dialer = null, Tracing? tracing = null, SecurityCallbacks? callbacks = null,
        SessionLimit? limit = null, MySqlDataSource? server = null, bool isServer = false)
    {
        Settings = settings;
        Codecs = settings.Codecs;
        Callbacks = callbacks ?? SecurityCallbacks.None;
        _loggers = loggers;
        if (settings.PoolPerServer && !isServer)
        {
            _ownsServer = server is null;
            _server = server ?? new(settings.With(""), loggers, name, dialer, tracing, callbacks, limit, isServer: true);
            name = _server.Name;
        }

        Name = name ?? PoolNameOf(settings);
        var endpoint = settings.Endpoints[0];
        Telemetry = new Telemetry(Instruments, "mysql", endpoint.Host, endpoint.Port == MySqlOptions.Port.Default ? 0 : endpoint.Port, settings.Database, Name, loggers) { Tracing = tracing ?? new() };
        if (_server is not null && settings.Database.Length > 0)
        {
            Sessions = new DatabaseSessions((SessionPool<Session>)_server.Sessions, settings.Database);
            return;
        }

        var sessions = new MySqlSessionOpener(settings, () => _renewedPassword ?? settings.Password, dialer, callbacks)
        {
            PipeliningOff = (peer, because) => Telemetry.PipeliningOff(peer.ToString(), because),
            AddressesChanged = _ => Clear(),
        };
        var opener = new TracedFactory(sessions, Telemetry);
        if (settings.Pooling)
        {
            var pool = new SessionPool<Session>(opener, settings.PoolLimits, Name, limit ?? TotalLimits.Of(settings)) { Observer = new PoolLog(Telemetry.PoolLog) };
            Instruments.Add(pool);
            Sessions = pool;
        }
        else
            Sessions = new UnpooledSource<Session>(opener);
    }

    /// <summary>What log messages say of commands.</summary>
    internal CommandLogging Logging
    {
        init => Telemetry.Logging = value;
    }

    /// <summary>The pool's name in metrics and messages.</summary>
    public string? Name { get; }

    /// <summary>Without the password, unless Persist Security Info is on.</summary>
    public override string ConnectionString => Settings.ShownConnectionString;

    /// <summary>A new password for sessions opened from now on: for credentials that are renewed.</summary>
    public string Password
    {
        set
        {
            _renewedPassword = value ?? throw new ArgumentNullException(nameof(value));
            if (_server is not null)
                _server._renewedPassword = value;
        }
    }

    /// <inheritdoc/>
    internal override ISessionSource<Session> Sessions { get; }

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
    internal override string HowToPrepareBranches => "Use XA Transactions=true lets several MySQL sessions take part.";

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

    /// <summary>Called behind each opening.</summary>
    internal MySqlConnectionOpenedCallback? Opened { get; init; }

    /// <summary>The user's own code in the making of its connections.</summary>
    internal SecurityCallbacks Callbacks { get; }

    internal CodecSettings Codecs { get; }

    /// <summary>The SQL texts of this source.</summary>
    internal StatementTable<MySqlStatement> Statements { get; } = new(static sql => new MySqlStatement(sql));

    /// <summary>The stored procedures and functions that were called.</summary>
    internal StoredPrograms StoredPrograms { get; } = new();

    /// <summary>A connection of this source's pool, not yet open.</summary>
    public new MySqlConnection CreateConnection() => new(this);

    /// <summary>
    /// A data source for another database of the same server, which shares this one's pool and everything else but what is known of statements:
    /// for a database per customer. A session is moved to the database together with the first command, in the same send. Disposing of it leaves the pool to
    /// the others; <see cref="ProviderDataSource.Statistics"/> and <see cref="ProviderDataSource.Clear"/> are about the whole pool.
    /// </summary>
    /// <param name="database">Its name, as in USE. One that does not exist is an error of the first command.</param>
    /// <exception cref="InvalidOperationException">The data source was made without <c>Pool Per Server=true</c>.</exception>
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
    /// A hint: this text will be executed often, so each session prepares it at its first use in place of its third. Costs no round trip now or then.
    /// </summary>
    /// <param name="sql">The text as commands will have it. What does not prepare itself (several statements, CALL, SELECT ?) stays as it is.</param>
    public void Prepare(string sql)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(sql);
        Statements.Get(sql).IsHinted = true;
    }

    /// <summary>An open connection of this source's pool.</summary>
    public new MySqlConnection OpenConnection() => OpenNow(CreateConnection());

    /// <summary>An open connection of this source's pool.</summary>
    public new ValueTask<MySqlConnection> OpenConnectionAsync(CancellationToken cancellationToken = default) => OpenNowAsync(CreateConnection(), cancellationToken);

    /// <inheritdoc/>
    internal override DbException CreateException(ServerError error) => MySqlException.Refused(error);

    /// <summary>The shared source of a connection string.</summary>
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
        if (disposing && _ownsServer)
            _server!.Dispose();
        base.Dispose(disposing);
    }

    /// <inheritdoc/>
    protected override ValueTask DisposeAsyncCore()
    {
        if (_ownsServer)
            _server!.Dispose();
        return base.DisposeAsyncCore();
    }

    /// <summary>A command of this source: its connection is open while it runs, and no longer.</summary>
    public new MySqlCommand CreateCommand(string? commandText = null) => new(this) { CommandText = commandText };

    /// <inheritdoc/>
    protected override DbCommand CreateDbCommand(string? commandText = null) => CreateCommand(commandText);

    /// <inheritdoc/>
    protected override DbConnection CreateDbConnection() => CreateConnection();

    /// <inheritdoc/>
    protected override DbBatch CreateDbBatch() => new MySqlBatch(this);

    /// <inheritdoc/>
    // ER_QUERY_INTERRUPTED; ER_QUERY_TIMEOUT (MySQL), ER_STATEMENT_TIMEOUT (MariaDB); ER_CONNECTION_KILLED is a lost connection, not this.
    private protected override bool IsInterrupted(ServerError error) => error.Number is 1317 or 3024 or 1969;

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
    private protected override DbException CreateTimeout(string message, Exception inner) => inner is PoolExhaustedException
        ? new MySqlException(MySqlErrorCode.UnableToConnectToHost, message, inner) { RetrySafety = RetrySafety.NotSent, Kind = ErrorKind.TooManyConnections }
        : new MySqlException(MySqlErrorCode.CommandTimeoutExpired, message, inner) { RetrySafety = RetrySafety.Unknown, Kind = ErrorKind.Interrupted };

    // Host and database say which pool it is; the user does not belong into metrics, the password nowhere.
    private static string PoolNameOf(MySqlSettings settings) => settings.ApplicationName.Length > 0
        ? settings.ApplicationName
        : settings.Endpoints[0] + (settings.Database.Length > 0 ? "/" + settings.Database : "");
}
