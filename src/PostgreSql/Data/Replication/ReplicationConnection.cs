using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.Core.Statements;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.State;

namespace Slipstream.PostgreSql.Replication;

/// <summary>
/// The base class of replication connections. Such a connection is not pooled, joins no transaction, and executes no commands but those of replication.
/// </summary>
/// <remarks>
/// While a stream is open, the driver reports its progress to the server (<see cref="WalReceiverStatusInterval"/>), even while the application handles a
/// message. Set <see cref="LastFlushedLsn"/> and <see cref="LastAppliedLsn"/>, or call <see cref="SetReplicationStatus"/>, after changes have been stored: the
/// server keeps its log until then.
/// </remarks>
public abstract class ReplicationConnection : IAsyncDisposable
{
    private const int DefaultStatusSeconds = 10;
    private const int DefaultTimeoutSeconds = 60;

    private readonly ReplicationMode _mode;
    private string _connectionString = "";
    private PgConnection? _connection;
    private TimeSpan? _commandTimeout;
    private bool _hidesSecrets;
    private bool _isDisposed;

    private protected ReplicationConnection(ReplicationMode mode) => _mode = mode;

    /// <summary>
    /// Gets or sets the connection string. <c>Pooling</c>, <c>Enlist</c> and <c>Keepalive</c> are off for replication connections, whatever the string says.
    /// After <see cref="Open"/>, the value has no secrets, unless <c>Persist Security Info</c> is on.
    /// </summary>
    /// <value>The connection string. The default is an empty string.</value>
    /// <exception cref="InvalidOperationException">The connection is open.</exception>
    /// <exception cref="ArgumentException">The string has an unknown option or a value that is not allowed.</exception>
    [AllowNull]
    public string ConnectionString
    {
        get => _hidesSecrets && new PgConnectionStringBuilder(_connectionString) is { PersistSecurityInfo: false } options
            ? options.ToStringWithoutSecrets()
            : _connectionString;
        set
        {
            if (_connection is { State: System.Data.ConnectionState.Open })
                throw new InvalidOperationException("The connection string cannot be changed while the connection is open.");
            if (!string.IsNullOrEmpty(value))
                _ = new PgConnectionStringBuilder(value);
            (_connectionString, _hidesSecrets) = (value ?? "", false);
        }
    }

    /// <summary>Gets the greatest location that the server has sent in the stream: that of the last byte + 1.</summary>
    public PgLogSequenceNumber LastReceivedLsn => new(Progress.Received);

    /// <summary>
    /// Gets or sets the location of the last byte + 1 that the application has stored durably. Status updates report it; the server may then remove its log
    /// before this location. It is reset when a stream begins.
    /// </summary>
    public PgLogSequenceNumber LastFlushedLsn
    {
        get => new(Progress.Flushed);
        set => Progress.Flushed = (ulong)value;
    }

    /// <summary>
    /// Gets or sets the location of the last byte + 1 that the application has applied. Status updates report it. It is reset when a stream begins.
    /// </summary>
    public PgLogSequenceNumber LastAppliedLsn
    {
        get => new(Progress.Applied);
        set => Progress.Applied = (ulong)value;
    }

    /// <summary>
    /// Gets or sets how often the driver sends status updates while a stream is open, even if the server does not request them. Set it below the server's
    /// wal_sender_timeout, whose default is 60 seconds.
    /// </summary>
    /// <value>
    /// The default is 10 seconds. <see cref="Timeout.InfiniteTimeSpan"/> and zero: only if the server asks, or by <see cref="SendStatusUpdate"/>.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative, or more than 24 days.</exception>
    public TimeSpan WalReceiverStatusInterval
    {
        get;
        set
        {
            StatusMilliseconds = Milliseconds(value);
            field = value;
            Operation?.Reschedule();
        }
    }

    = TimeSpan.FromSeconds(DefaultStatusSeconds);

    /// <summary>
    /// Gets or sets how long a stream waits for a message of the server. After half of this time, the driver requests one. If none arrives, the
    /// connection is closed, and the stream ends with a <see cref="PgException"/> whose inner exception is a <see cref="TimeoutException"/>.
    /// </summary>
    /// <value>The default is 60 seconds. <see cref="Timeout.InfiniteTimeSpan"/> and zero: no limit.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative, or more than 24 days.</exception>
    public TimeSpan WalReceiverTimeout
    {
        get;
        set
        {
            TimeoutMilliseconds = Milliseconds(value);
            field = value;
            Operation?.Reschedule();
        }
    }

    = TimeSpan.FromSeconds(DefaultTimeoutSeconds);

    /// <summary>Gets the version of the server.</summary>
    /// <exception cref="InvalidOperationException">The connection is not open.</exception>
    public Version PostgreSqlVersion => Connection.PostgreSqlVersion;

    /// <summary>Gets the version of the server as it reports it (server_version).</summary>
    /// <exception cref="InvalidOperationException">The connection is not open.</exception>
    public string ServerVersion => Connection.ServerVersion;

    /// <summary>Gets or sets the time limit of commands. It is rounded up to whole seconds.</summary>
    /// <value>
    /// The default is <c>Command Timeout</c> of the connection string, whose default is 30 seconds. <see cref="Timeout.InfiniteTimeSpan"/> and zero: no limit.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative, or more than 24 days.</exception>
    public TimeSpan CommandTimeout
    {
        get => _commandTimeout ?? TimeSpan.FromSeconds(new PgConnectionStringBuilder(_connectionString).CommandTimeout);
        set
        {
            Milliseconds(value);
            _commandTimeout = value;
        }
    }

    /// <summary>Gets the encoding of texts: UTF-8.</summary>
    /// <exception cref="InvalidOperationException">The connection is not open.</exception>
    public Encoding Encoding
    {
        get
        {
            _ = Connection.Session;
            return Encoding.UTF8;
        }
    }

    /// <summary>Gets the process id of the session on the server, as in pg_stat_replication.</summary>
    /// <exception cref="InvalidOperationException">The connection is not open.</exception>
    public int ProcessID => Connection.ProcessID;

    internal ReplicationProgress Progress { get; } = new();

    /// <summary>Gets or sets the open stream; null without one.</summary>
    internal ReplicationOperation? Operation { get; set; }

    /// <summary>Gets or sets whether a stream of the session was ended by the client.</summary>
    internal bool HasLeftStream { get; set; }

    /// <summary>
    /// Throws if the server has ended a stream because of an earlier one: PostgreSQL 18 and earlier do not forget that the client has sent CopyDone before they
    /// begin another logical stream (StartLogicalReplication in walsender.c). Without this check, the stream would look empty.
    /// </summary>
    internal void RequireFirstStream()
    {
        if (HasLeftStream && _mode == ReplicationMode.Logical)
            throw new InvalidOperationException(
                "The server has ended the stream at once, because another logical stream was ended on this connection before: open another "
                    + "LogicalReplicationConnection for the next stream.");
    }

    internal long StatusMilliseconds { get; private set; } = DefaultStatusSeconds * 1000L;

    internal long TimeoutMilliseconds { get; private set; } = DefaultTimeoutSeconds * 1000L;

    internal int CommandSeconds => (int)((Milliseconds(CommandTimeout) + 999) / 1000);

    internal PgConnection Connection
    {
        get
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            return _connection ?? throw new InvalidOperationException("The replication connection is not open: call Open first.");
        }
    }

    /// <summary>Opens the connection.</summary>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>A task that completes when the connection is open.</returns>
    /// <exception cref="InvalidOperationException">The connection is open, or has no connection string.</exception>
    /// <exception cref="ObjectDisposedException">The connection has been disposed.</exception>
    /// <exception cref="ArgumentException">The connection string is not valid.</exception>
    /// <exception cref="NotSupportedException">The connection string has Target Session Attributes.</exception>
    /// <exception cref="PgException">The server rejected the connection or cannot be reached, or the time limit has passed.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task Open(CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (_connection is { State: System.Data.ConnectionState.Open })
            throw new InvalidOperationException("The replication connection is open already.");
        if (_connectionString.Length == 0)
            throw new InvalidOperationException("The connection has no connection string: set its ConnectionString property.");
        var options = new PgConnectionStringBuilder(_connectionString) { Pooling = false, Enlist = false, KeepAlive = 0 };
        var settings = new PgSettings(options, types: GlobalTypeMapper.Instance.Configuration).For(_mode);
        if (settings.Target != TargetSessionAttributes.Any)
            throw new NotSupportedException(
                "A replication connection cannot ask a server for its role: remove Target Session Attributes, and name the server.");
        var connection = new PgConnection(new PgDataSource(settings));
        try
        {
            await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }

        (_connection, _hidesSecrets, HasLeftStream) = (connection, true, false);
    }

    /// <summary>Ends an open stream, and closes the connection. Temporary slots of the connection are dropped by the server.</summary>
    /// <returns>A task that completes when the connection is closed.</returns>
    public async ValueTask DisposeAsync()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        GC.SuppressFinalize(this);
        if (_connection is null)
            return;
        if (Operation is { } operation)
            await operation.AbandonAsync().ConfigureAwait(false);
        await _connection.DisposeAsync().ConfigureAwait(false);
    }

    // ---------------------------------------------------------------- commands

    /// <summary>Asks the server to identify itself (IDENTIFY_SYSTEM).</summary>
    /// <param name="cancellationToken">Cancels the command.</param>
    /// <returns>The identification.</returns>
    /// <exception cref="InvalidOperationException">The connection is not open, or a stream is open.</exception>
    /// <exception cref="PgException">The server refused the command, or the connection was lost.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<ReplicationSystemIdentification> IdentifySystem(CancellationToken cancellationToken = default)
    {
        var row = await Require("IDENTIFY_SYSTEM", 4, cancellationToken).ConfigureAwait(false);
        return new(Text(row, 0), Number(row, 1), Location(row, 2), TextOrNull(row, 3));
    }

    /// <summary>Returns the value of a setting of the server (SHOW).</summary>
    /// <param name="parameterName">The name of the setting.</param>
    /// <param name="cancellationToken">Cancels the command.</param>
    /// <returns>The value.</returns>
    /// <exception cref="ArgumentException">The name is null, empty or contains a zero character.</exception>
    /// <inheritdoc cref="IdentifySystem" path="/exception"/>
    public async Task<string> Show(string parameterName, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(parameterName);
        Core.Statements.Names.Checked(parameterName, "setting's name", nameof(parameterName));
        var name = string.Join('.', parameterName.Split('.').Select(ReplicationNames.Quoted));
        return Text(await Require($"SHOW {name}", 1, cancellationToken).ConfigureAwait(false), 0);
    }

    /// <summary>Returns the history file of a timeline (TIMELINE_HISTORY).</summary>
    /// <param name="tli">The timeline. The first one, 1, has no history.</param>
    /// <param name="cancellationToken">Cancels the command.</param>
    /// <returns>The file.</returns>
    /// <inheritdoc cref="IdentifySystem" path="/exception"/>
    public async Task<TimelineHistoryFile> TimelineHistory(uint tli, CancellationToken cancellationToken = default)
    {
        var row = await Require(string.Create(CultureInfo.InvariantCulture, $"TIMELINE_HISTORY {tli}"), 2, cancellationToken).ConfigureAwait(false);
        return new(Text(row, 0), row[1] ?? []);
    }

    /// <summary>Drops a replication slot (DROP_REPLICATION_SLOT).</summary>
    /// <param name="slotName">The name of the slot.</param>
    /// <param name="wait">True to wait until the slot is no longer used; false to fail if it is used.</param>
    /// <param name="cancellationToken">Cancels the command.</param>
    /// <returns>A task that completes when the slot has been dropped.</returns>
    /// <exception cref="ArgumentException">The name is null, empty or contains a zero character.</exception>
    /// <inheritdoc cref="IdentifySystem" path="/exception"/>
    public async Task DropReplicationSlot(string slotName, bool wait = false, CancellationToken cancellationToken = default) =>
        await Run($"DROP_REPLICATION_SLOT {ReplicationNames.Slot(slotName, nameof(slotName))}{(wait ? " WAIT" : "")}", cancellationToken)
            .ConfigureAwait(false);

    // ---------------------------------------------------------------- progress

    /// <summary>
    /// Sets <see cref="LastAppliedLsn"/> and <see cref="LastFlushedLsn"/>. The next status update reports them: when the server asks for one, after
    /// <see cref="WalReceiverStatusInterval"/>, or by <see cref="SendStatusUpdate"/>.
    /// </summary>
    /// <param name="lastAppliedAndFlushedLsn">The location of the last byte + 1 that was applied and stored durably.</param>
    public void SetReplicationStatus(PgLogSequenceNumber lastAppliedAndFlushedLsn)
    {
        Progress.Applied = (ulong)lastAppliedAndFlushedLsn;
        Progress.Flushed = (ulong)lastAppliedAndFlushedLsn;
    }

    /// <summary>Sends a status update at once. It may be called by any thread, even while another one waits for the next message.</summary>
    /// <param name="cancellationToken">Ends the wait for the sending.</param>
    /// <returns>A task that completes when the update has been sent. The server does not answer it.</returns>
    /// <exception cref="InvalidOperationException">The connection is not open, or no stream is open.</exception>
    /// <exception cref="PgException">The connection was lost.</exception>
    public Task SendStatusUpdate(CancellationToken cancellationToken = default)
    {
        try
        {
            _ = Connection;
            return Operation is { IsOpen: true } operation
                ? operation.SendStatusAsync(cancellationToken)
                : throw new InvalidOperationException("A status update can only be sent while a replication stream is open.");
        }
        catch (Exception exception)
        {
            return Task.FromException(exception);
        }
    }

    // ---------------------------------------------------------------- for the derived classes

    /// <summary>Executes a command. Returns the values of its row; null if it has none.</summary>
    internal async ValueTask<byte[]?[]?> Run(string command, CancellationToken cancellationToken)
    {
        var connection = Connection;
        var session = connection.PgSession;
        var exchange = new OneRowCommand(session, session.State, command, connection.PgSource.Settings.MaxRowBytes);
        await SimpleExecution.RunAsync(connection, exchange, CommandSeconds, SummaryOf(connection, command), cancellationToken).ConfigureAwait(false);
        return exchange.Row;
    }

    // The name in spans and metrics is the first word: a slot's name may differ each time.
    internal static QuerySummary? SummaryOf(PgConnection connection, string command)
    {
        if (!connection.Source.Telemetry.HasListeners)
            return null;
        var end = command.IndexOf(' ', StringComparison.Ordinal);
        return QuerySummary.Of(end < 0 ? command : command[..end], null);
    }

    /// <summary>Executes a command whose result is one row.</summary>
    /// <exception cref="PgException">The row is missing, or has fewer columns. The connection is closed.</exception>
    internal async ValueTask<byte[]?[]> Require(string command, int columns, CancellationToken cancellationToken)
    {
        var row = await Run(command, cancellationToken).ConfigureAwait(false);
        return row is not null && row.Length >= columns
            ? row
            : throw Unexpected($"a row of {columns} columns in answer to {command}", row is null ? "no row" : $"a row of {row.Length} columns");
    }

    /// <summary>Returns a value as text; an empty string for NULL.</summary>
    internal static string Text(byte[]?[] row, int column) => TextOrNull(row, column) ?? "";

    /// <summary>Returns a value as text; null for NULL.</summary>
    internal static string? TextOrNull(byte[]?[] row, int column) => row[column] is { } value ? Encoding.UTF8.GetString(value) : null;

    /// <summary>Returns a value as a number.</summary>
    internal uint Number(byte[]?[] row, int column) => uint.TryParse(Text(row, column), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
        ? number
        : throw Unexpected("a number in the answer to a command of replication", ServerText.OneLine(Text(row, column), 64));

    /// <summary>Returns a value as a location in the log.</summary>
    internal PgLogSequenceNumber Location(byte[]?[] row, int column) => PgLogSequenceNumber.TryParse(Text(row, column), out var location)
        ? location
        : throw Unexpected("a location of the log in the answer to a command of replication", ServerText.OneLine(Text(row, column), 64));

    private Exception Unexpected(string expected, string came)
    {
        var connection = Connection;
        return connection.Failed(connection.Session, new ProtocolException(expected, came), default);
    }

    private static long Milliseconds(TimeSpan value) => value == Timeout.InfiniteTimeSpan
        ? 0
        : value < TimeSpan.Zero || value.TotalMilliseconds > int.MaxValue
            ? throw new ArgumentOutOfRangeException(
                nameof(value), value, "The time must be zero or more and at most 24 days (2,147,483,647 ms), or Timeout.InfiniteTimeSpan.")
            : (long)Math.Ceiling(value.TotalMilliseconds);
}
