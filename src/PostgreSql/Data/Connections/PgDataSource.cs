using System.Collections.Concurrent;
using System.Data.Common;
using System.Reflection;
using Microsoft.Extensions.Logging;
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
public sealed class PgDataSource : ProviderDataSource
{
    private static readonly ProviderTelemetry SharedTelemetry =
        new("Slipstream.PostgreSql", typeof(PgDataSource).Assembly.GetName().Version?.ToString(3) ?? "");

    // By the text as it was written, so that a known text needs no parsing. Several texts may share a source.
    private static readonly ConcurrentDictionary<string, PgDataSource> ByText = new(StringComparer.Ordinal);
    private static readonly ConcurrentDictionary<string, PgDataSource> ByKey = new(StringComparer.Ordinal);

    private readonly StatementTable<PgStatement> _named = new(PgStatement.ScanNamed, table: 0, tables: 3);
    private readonly StatementTable<PgStatement> _positional = new(PgStatement.ScanPositional, table: 1, tables: 3);
    private readonly StatementTable<PgStatement> _numbered = new(PgStatement.ScanNumbered, table: 2, tables: 3);

    internal PgDataSource(PgSettings settings, ILoggerFactory? loggers = null, string? name = null, SessionLimit? limit = null)
        : this(
            settings, loggers,
            new PgSessionOpener(
                settings,
                new Dialer(settings.ReadTls(), settings.KeepAlive, settings.AsyncEngine, settings.AsyncContinuations)
                { Optimizations = settings.Optimizations }),
            name, limit)
    {
    }

    /// <summary>Creates a data source from parsed settings and from properties that a connection string cannot contain.</summary>
    /// <param name="settings">The settings.</param>
    /// <param name="loggers">The destination of log messages.</param>
    /// <param name="opener">Opens the sessions: over sockets, or from a recording.</param>
    /// <param name="name">The pool's name; null for a name derived from the settings.</param>
    /// <param name="limit">The limit that its pool shares with others; null for none.</param>
    internal PgDataSource(PgSettings settings, ILoggerFactory? loggers, ISessionFactory<Session> opener, string? name = null, SessionLimit? limit = null)
    {
        Settings = settings;
        name ??= PoolNameOf(settings);
        var endpoint = settings.Endpoints[0];
        Telemetry = new Telemetry(
            SharedTelemetry, "postgresql", endpoint.Host, endpoint.Port == PgOptions.Port.Default ? 0 : endpoint.Port, settings.Database, name, loggers);
        if (opener is PgSessionOpener { AutoPreparation: var preparation })
            preparation.HasLost = Telemetry.StatementLost;
        var traced = new TracedFactory(opener, Telemetry);
        if (!settings.Pooling)
        {
            Sessions = new UnpooledSource<Session>(traced);
            return;
        }

        var pool = new SessionPool<Session>(traced, settings.PoolLimits, name, limit) { Observer = new PoolLog(Telemetry.PoolLog) };
        SharedTelemetry.Add(pool);
        Sessions = pool;
    }

    /// <summary>Sets what log messages contain about commands.</summary>
    internal CommandLogging Logging
    {
        init => Telemetry.Logging = value;
    }

    /// <summary>Gets the connection string, without secrets unless Persist Security Info is on.</summary>
    public override string ConnectionString => Settings.ShownConnectionString;

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
    internal override bool EnlistsAutomatically => Settings.Enlist;

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
    public static PgDataSource Create(string connectionString) => new(PgSettings.Parse(connectionString));

    /// <summary>Creates a data source with its own pool. It opens no connection yet.</summary>
    /// <param name="connectionStringBuilder">The options.</param>
    /// <returns>The data source.</returns>
    /// <exception cref="ArgumentNullException">The builder is null.</exception>
    /// <exception cref="ArgumentException">Options contradict each other.</exception>
    public static PgDataSource Create(PgConnectionStringBuilder connectionStringBuilder)
    {
        ArgumentNullException.ThrowIfNull(connectionStringBuilder);
        return new(new PgSettings(connectionStringBuilder));
    }

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

    /// <inheritdoc/>
    internal override DbException CreateException(ServerError error) => new PgException(error, Settings.IncludeErrorDetail);

    /// <inheritdoc/>
    protected override DbConnection CreateDbConnection() => CreateConnection();

    /// <inheritdoc/>
    protected override DbBatch CreateDbBatch() => new PgBatch(this);

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
    private protected override DbException CreateTimeout(string message, Exception inner) => new PgException(message, new TimeoutException(message, inner))
    {
        Kind = inner is PoolExhaustedException ? ErrorKind.TooManyConnections : ErrorKind.Interrupted,
        RetrySafety = inner is PoolExhaustedException ? RetrySafety.NotSent : RetrySafety.Unknown,
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
        var settings = PgSettings.Parse(connectionString);
        var source = ByKey.GetOrAdd(settings.Key, static (_, settings) => new PgDataSource(settings), settings);
        ByText[connectionString] = source;
        return source;
    }

    internal static void ClearAll()
    {
        foreach (var source in ByKey.Values)
            source.Clear();
    }

    // Host and database identify the pool. The user name must not appear in metrics, and the password must not appear anywhere.
    private static string PoolNameOf(PgSettings settings) =>
        settings.ApplicationName.Length > 0 ? settings.ApplicationName : settings.Endpoints[0] + "/" + settings.Database;
}
