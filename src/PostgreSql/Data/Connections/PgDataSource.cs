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

/// <summary>One server (or several) with one set of options: its pool, its statements. Thread-safe; make one and keep it.</summary>
public sealed class PgDataSource : ProviderDataSource
{
    private static readonly ProviderTelemetry SharedTelemetry = new("Slipstream.PostgreSql", typeof(PgDataSource).Assembly.GetName().Version?.ToString(3) ?? "");

    // By the text as it was written, so that a known one is found without parsing; several texts may share a source.
    private static readonly ConcurrentDictionary<string, PgDataSource> ByText = new(StringComparer.Ordinal);
    private static readonly ConcurrentDictionary<string, PgDataSource> ByKey = new(StringComparer.Ordinal);

    private readonly StatementTable<PgStatement> _named = new(PgStatement.ScanNamed, table: 0, tables: 3);
    private readonly StatementTable<PgStatement> _positional = new(PgStatement.ScanPositional, table: 1, tables: 3);
    private readonly StatementTable<PgStatement> _numbered = new(PgStatement.ScanNumbered, table: 2, tables: 3);

    internal PgDataSource(PgSettings settings, ILoggerFactory? loggers = null, string? name = null, SessionLimit? limit = null)
        : this(settings, loggers, new PgSessionOpener(settings, new Dialer(settings.ReadTls(), settings.KeepAlive, settings.AsyncEngine, settings.AsyncContinuations) { Levers = settings.Levers }), name, limit)
    {
    }

    /// <summary>Creates a data source from settings that have been read, with what a connection string cannot hold.</summary>
    /// <param name="settings">The connection string.</param>
    /// <param name="loggers">Where log messages go.</param>
    /// <param name="opener">Opens the sessions: over sockets, or from a recording.</param>
    /// <param name="name">The pool's name; null makes one.</param>
    /// <param name="limit">What its pool may have together with others; null when it is alone.</param>
    internal PgDataSource(PgSettings settings, ILoggerFactory? loggers, ISessionFactory<Session> opener, string? name = null, SessionLimit? limit = null)
    {
        Settings = settings;
        name ??= PoolNameOf(settings);
        var endpoint = settings.Endpoints[0];
        Telemetry = new Telemetry(SharedTelemetry, "postgresql", endpoint.Host, endpoint.Port == PgOptions.Port.Default ? 0 : endpoint.Port, settings.Database, name, loggers);
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

    /// <summary>What log messages say of commands.</summary>
    internal CommandLogging Logging
    {
        init => Telemetry.Logging = value;
    }

    /// <summary>The connection string, without secrets unless Persist Security Info is on.</summary>
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

    // Whether the server lets it, it alone knows: CheckBranches asks.
    /// <inheritdoc/>
    internal override bool BranchesCanBePrepared => true;

    /// <inheritdoc/>
    internal override string HowToPrepareBranches => "The server's setting max_prepared_transactions must not be 0, which is its default.";

    /// <inheritdoc/>
    internal override BranchStatements CreateBranch(Session session, string transaction, int number, System.Transactions.IsolationLevel isolationLevel) =>
        new PgBranch((PgSession)session, transaction, number, isolationLevel);

    /// <inheritdoc/>
    internal override SimpleExchange? CheckBranches(Session session) => session.CreateSimple(
        "DO $$BEGIN IF current_setting('max_prepared_transactions')::int = 0 THEN RAISE EXCEPTION 'prepared transactions are disabled' USING ERRCODE = '55000'; END IF; END$$");

    /// <inheritdoc/>
    internal override string DefaultDatabase => Settings.Database;

    internal PgSettings Settings { get; }

    /// <summary>Creates a data source with a pool of its own. No connection is opened yet.</summary>
    /// <exception cref="ArgumentException">The connection string has an unknown option or a value that is not allowed.</exception>
    public static PgDataSource Create(string connectionString) => new(PgSettings.Parse(connectionString));

    /// <summary>A data source with a pool of its own. Throws ArgumentException when an option is unknown or its value not allowed.</summary>
    public static PgDataSource Create(PgConnectionStringBuilder connectionStringBuilder)
    {
        ArgumentNullException.ThrowIfNull(connectionStringBuilder);
        return new(new PgSettings(connectionStringBuilder));
    }

    /// <summary>A closed connection of this source.</summary>
    public new PgConnection CreateConnection() => new(this);

    /// <summary>An open connection; disposing it gives its session back.</summary>
    public new PgConnection OpenConnection() => OpenNow(CreateConnection());

    /// <summary>An open connection; disposing it gives its session back.</summary>
    public new ValueTask<PgConnection> OpenConnectionAsync(CancellationToken cancellationToken = default) => OpenNowAsync(CreateConnection(), cancellationToken);

    /// <inheritdoc/>
    internal override DbException CreateException(ServerError error) => new PgException(error, Settings.IncludeErrorDetail);

    /// <inheritdoc/>
    protected override DbConnection CreateDbConnection() => CreateConnection();

    /// <inheritdoc/>
    protected override DbBatch CreateDbBatch() => new PgBatch(this);

    /// <inheritdoc/>
    // As in Npgsql, whose users catch it.
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
    /// Says that this text will be executed often: each session prepares it with its first execution, in the same round trip. Nothing is sent now.
    /// </summary>
    public void Prepare(string commandText)
    {
        ArgumentException.ThrowIfNullOrEmpty(commandText);
        // Whether its parameters will have names is only known then.
        StatementFor(commandText, ParameterNaming.None).ExpectManyUses();
        if (commandText.AsSpan().IndexOfAny('@', ':') < 0)
            return;
        StatementFor(commandText, ParameterNaming.Names).ExpectManyUses();
        StatementFor(commandText, ParameterNaming.Numbers).ExpectManyUses();
    }

    /// <summary>The statement for a text, scanned once.</summary>
    internal PgStatement StatementFor(string sql, ParameterNaming naming) =>
        (naming == ParameterNaming.Names ? _named : naming == ParameterNaming.None ? _positional : _numbered).Get(sql);

    /// <summary>Whether a connection with this connection string has been opened before.</summary>
    internal static bool IsKnown(string connectionString) => ByText.ContainsKey(connectionString);

    /// <summary>The source that connections with this connection string share.</summary>
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

    // Host and database say which pool it is; the user does not belong into metrics, the password nowhere.
    private static string PoolNameOf(PgSettings settings) => settings.ApplicationName.Length > 0 ? settings.ApplicationName : settings.Endpoints[0] + "/" + settings.Database;
}
