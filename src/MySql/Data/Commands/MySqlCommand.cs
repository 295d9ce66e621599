using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Sessions;
using Slipstream.MySql.Conventions;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Sessions;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>An SQL command for a <see cref="MySqlConnection"/>.</summary>
public sealed partial class MySqlCommand : ProviderCommand, ICloneable
{
    private MySqlParameterCollection? _parameters;
    private MySqlStatement? _statement;
    private ParameterBinding? _binding;
    // A VariableChoice, or a ProcedureCall with one. Few commands need either, and each command pays for a field.
    private object? _extras;
    private long _lastInsertedId;

    /// <summary>Creates a command without text and connection.</summary>
    public MySqlCommand()
    {
    }

    /// <summary>Creates a command with its text.</summary>
    /// <param name="commandText">The text; null to set it later.</param>
    public MySqlCommand(string? commandText) => CommandText = commandText;

    /// <summary>Creates a command for a connection.</summary>
    /// <param name="connection">The connection, which must be open when the command is executed; null to set it later.</param>
    public MySqlCommand(MySqlConnection? connection) => OwnConnection = connection;

    /// <summary>Creates a command for a connection and its transaction.</summary>
    /// <param name="connection">The connection, which must be open when the command is executed; null to set it later.</param>
    /// <param name="transaction">The connection's open transaction; null for none.</param>
    public MySqlCommand(MySqlConnection? connection, MySqlTransaction? transaction)
        : this(connection) => OwnTransaction = transaction;

    /// <summary>Creates a command with its text for a connection.</summary>
    /// <param name="commandText">The text; null to set it later.</param>
    /// <param name="connection">The connection, which must be open when the command is executed; null to set it later.</param>
    public MySqlCommand(string? commandText, MySqlConnection? connection)
        : this(commandText) => OwnConnection = connection;

    /// <summary>Creates a command with its text for a connection and its transaction.</summary>
    /// <param name="commandText">The text; null to set it later.</param>
    /// <param name="connection">The connection, which must be open when the command is executed; null to set it later.</param>
    /// <param name="transaction">The connection's open transaction; null for none.</param>
    public MySqlCommand(string? commandText, MySqlConnection? connection, MySqlTransaction? transaction)
        : this(commandText, connection) => OwnTransaction = transaction;

    /// <summary>Creates a command that opens its connection only for its execution.</summary>
    internal MySqlCommand(MySqlDataSource source)
        : this(source.CreateConnection()) => OpensItsConnection = true;

    internal static MySqlCommand OfScript(MySqlConnection connection) => new(connection) { LeavesUnknownNames = true };

    private MySqlCommand(MySqlCommand other)
        : this(other.CommandText, other.OpensItsConnection ? other.Connection!.MySqlSource.CreateConnection() : other.Connection, other.Transaction)
    {
        OpensItsConnection = other.OpensItsConnection;
        CommandTimeout = other.CommandTimeout;
        CommandType = other.CommandType;
        UpdatedRowSource = other.UpdatedRowSource;
        if (other._parameters is { } parameters)
            Parameters.AddClonesOf(parameters);
        if (other.HasAttributes)
            foreach (var attribute in other.Attributes)
                Attributes.Add(attribute.Clone());
    }

    /// <summary>Creates the call of a batch command. The output values are stored in that command's parameters.</summary>
    internal MySqlCommand(MySqlBatchCommand one, MySqlConnection connection)
        : this(one.CommandText, connection)
    {
        CommandType = CommandType.StoredProcedure;
        _parameters = one.Parameters;
    }

    /// <summary>Gets or sets the connection. It must be open when the command is executed.</summary>
    public new MySqlConnection? Connection
    {
        get => (MySqlConnection?)OwnConnection;
        set => OwnConnection = value;
    }

    /// <summary>
    /// Gets or sets the transaction of <see cref="Connection"/>. If a transaction is open, this property must be set, unless Ignore Command Transaction=true.
    /// </summary>
    public new MySqlTransaction? Transaction
    {
        get => (MySqlTransaction?)OwnTransaction;
        set => OwnTransaction = value;
    }

    /// <inheritdoc/>
    protected override DbConnection? DbConnection
    {
        get => OwnConnection;
        set => OwnConnection = (MySqlConnection?)value;
    }

    /// <inheritdoc/>
    protected override DbTransaction? DbTransaction
    {
        get => OwnTransaction;
        set => OwnTransaction = (MySqlTransaction?)value;
    }

    /// <summary>Gets the parameters, by name or by position.</summary>
    public new MySqlParameterCollection Parameters => _parameters ??= new();

    /// <inheritdoc/>
    protected override DbParameterCollection DbParameterCollection => Parameters;

    /// <summary>
    /// Gets the query attributes: named values that are sent with the command but are not part of its text. The driver does not send them to a server without
    /// support (MariaDB, MySQL before 8.0.26). With Query Attributes=false in the connection string, executing a command with attributes throws a
    /// <see cref="NotSupportedException"/>.
    /// </summary>
    public MySqlAttributeCollection Attributes
    {
        get
        {
            HasAttributes = true;
            return MySqlAttributeCollection.Of(this);
        }
    }

    /// <summary>Gets the first value that the last execution generated for an AUTO_INCREMENT column; 0 if it generated none.</summary>
    public long LastInsertedId => _lastInsertedId;

    /// <inheritdoc/>
    [AllowNull]
    public override string CommandText
    {
        get => base.CommandText;
        set
        {
            var before = base.CommandText;
            base.CommandText = value;
            // The prepared statement has the old text.
            if (base.CommandText != before)
                IsPreparedByUser = false;
        }
    }

    /// <summary>Gets whether <see cref="Prepare"/> was called for the current text. If so, executions use the binary protocol.</summary>
    public bool IsPrepared => ThisAssembly.Conventions.PreparesAtOnce ? IsPreparedInSession : IsPreparedByUser;

    private bool IsPreparedInSession
    {
        get
        {
            if (CommandType != CommandType.Text || Connection?.OpenSession is not { } session || string.IsNullOrWhiteSpace(CommandText))
                return false;
            var statement = Take(CommandText);
            return Scan(session, statement).HasSeveralStatements ? IsPreparedByUser
                : !session.NeedsReset && session.Prepared.Find(statement) is { IsByUser: true };
        }
    }

    /// <inheritdoc/>
    public override int CommandTimeout
    {
        get => base.CommandTimeout;
        set => base.CommandTimeout = ThisAssembly.Conventions.LimitsTimeouts ? Math.Min(value, MaxTimeout) : value;
    }

    // In milliseconds, it fits 31 bits.
    private const int MaxTimeout = int.MaxValue / 1000;

    /// <summary>Creates a parameter that does not belong to a command yet.</summary>
    /// <returns>The new parameter.</returns>
    public new MySqlParameter CreateParameter() => (MySqlParameter)CreateDbParameter();

    /// <inheritdoc/>
    protected override DbParameter CreateDbParameter() => new MySqlParameter();

    /// <inheritdoc/>
    private protected override void ThrowIfNothingToRun()
    {
        base.ThrowIfNothingToRun();
        // The server would report an empty query (1065). MySqlConnector does not send it.
        if (char.IsWhiteSpace(CommandText[0]) && string.IsNullOrWhiteSpace(CommandText))
            throw new InvalidOperationException("The command has no text: set its CommandText property.");
    }

    /// <summary>
    /// Marks the command for preparation, without a round trip: the first execution sends the PREPARE with it. The statement remains prepared while the session
    /// is in the pool.
    /// </summary>
    /// <exception cref="InvalidOperationException">The connection is missing or not open, or the command has no text.</exception>
    public override void Prepare()
    {
        CheckPreparable();
        if (Preparing() is { } exchange)
            Connection!.RunOwn(exchange, CommandTimeout);
        IsPreparedByUser = !MySqlSource.Settings.IgnorePrepare;
    }

    private void CheckPreparable()
    {
        if (Connection is not { } connection)
            throw new InvalidOperationException("The command has no connection: set its Connection property.");
        if (connection.State != ConnectionState.Open)
            throw new InvalidOperationException(
                $"The connection must be open to prepare a command; its state is {connection.State}: call Open or OpenAsync first.");
        if (string.IsNullOrWhiteSpace(CommandText))
            throw new InvalidOperationException("The command has no text: set its CommandText property.");
    }

    // Null if there is nothing to send: the session has prepared the text, or it is not prepared at all.
    private PrepareExchange? Preparing()
    {
        if (!ThisAssembly.Conventions.PreparesAtOnce || CommandType != CommandType.Text || MySqlSource.Settings.IgnorePrepare)
            return null;
        var session = Connection!.MySqlSession;
        var statement = Take(CommandText);
        var scanned = Scan(session, statement);
        return scanned.HasSeveralStatements || statement.Slot < 0
            || (!session.NeedsReset && session.Prepared.Find(statement) is { IsByUser: true } known && known.IsFor(scanned))
            ? null
            : new PrepareExchange(session.Context, statement, scanned);
    }

    /// <inheritdoc/>
    public override async Task PrepareAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        CheckPreparable();
        if (Preparing() is { } exchange)
            await Connection!.RunOwnAsync(exchange, CommandTimeout, cancellationToken).ConfigureAwait(false);
        IsPreparedByUser = !MySqlSource.Settings.IgnorePrepare;
    }

    /// <inheritdoc/>
    public override int ExecuteNonQuery()
    {
        if (!ThisAssembly.Conventions.LoadsFilesByName || CommandType != CommandType.Text || Connection?.OpenSession is not { } session
            || LocalLoad.Of(this, session, FileOptions.SequentialScan) is not var (exchange, file))
            return base.ExecuteNonQuery();
        using (file)
        {
            Connection.RunOwn(exchange, CommandTimeout);
            return (int)exchange.RowsInserted;
        }
    }

    /// <inheritdoc/>
    public override Task<int> ExecuteNonQueryAsync(CancellationToken cancellationToken)
    {
        if (!ThisAssembly.Conventions.LoadsFilesByName || CommandType != CommandType.Text || Connection?.OpenSession is not { } session
            || LocalLoad.Of(this, session, FileOptions.SequentialScan | FileOptions.Asynchronous) is not var (exchange, file))
            return base.ExecuteNonQueryAsync(cancellationToken);
        return Load(exchange, file, cancellationToken);
    }

    internal bool HasSeveralStatements(MySqlSession session) => Scan(session, Take(CommandText)).HasSeveralStatements;

    private async Task<int> Load(LoadDataExchange exchange, FileStream file, CancellationToken cancellationToken)
    {
        using (file)
        {
            await Connection!.RunOwnAsync(exchange, CommandTimeout, cancellationToken).ConfigureAwait(false);
            return (int)exchange.RowsInserted;
        }
    }

    /// <summary>Executes the command and reads its rows.</summary>
    /// <returns>The reader.</returns>
    /// <exception cref="InvalidOperationException">The connection is missing or not open, or the command has no text.</exception>
    /// <exception cref="MySqlException">The server refused the command, or the network or a time limit ended it.</exception>
    public new MySqlDataReader ExecuteReader() => (MySqlDataReader)ExecuteProviderReader(CommandBehavior.Default);

    /// <summary>Executes the command and reads its rows.</summary>
    /// <param name="commandBehavior">Options for the execution. With <see cref="CommandBehavior.SequentialAccess"/>, the reader reads large rows piece by
    /// piece. With <see cref="CommandBehavior.SchemaOnly"/>, the server only describes the result set.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="InvalidOperationException">The connection is missing or not open, or the command has no text.</exception>
    /// <exception cref="MySqlException">The server refused the command, or the network or a time limit ended it.</exception>
    public new MySqlDataReader ExecuteReader(CommandBehavior commandBehavior) => (MySqlDataReader)ExecuteProviderReader(commandBehavior);

    /// <summary>Executes the command and reads its rows.</summary>
    /// <param name="cancellationToken">Cancels the command on the server.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="InvalidOperationException">The connection is missing or not open, or the command has no text.</exception>
    /// <exception cref="MySqlException">The server refused the command, or the network or a time limit ended it.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public new Task<MySqlDataReader> ExecuteReaderAsync(CancellationToken cancellationToken = default) =>
        ExecuteProviderReaderAsync<MySqlDataReader>(CommandBehavior.Default, cancellationToken);

    /// <summary>Executes the command and reads its rows.</summary>
    /// <param name="behavior">Options for the execution; see <see cref="ExecuteReader(CommandBehavior)"/>.</param>
    /// <param name="cancellationToken">Cancels the command on the server.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="InvalidOperationException">The connection is missing or not open, or the command has no text.</exception>
    /// <exception cref="MySqlException">The server refused the command, or the network or a time limit ended it.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public new Task<MySqlDataReader> ExecuteReaderAsync(CommandBehavior behavior, CancellationToken cancellationToken = default) =>
        ExecuteProviderReaderAsync<MySqlDataReader>(behavior, cancellationToken);

    /// <summary>
    /// Creates a command with the same text, options and parameters for the same connection. The clone of a data source's command is another command of the
    /// data source.
    /// </summary>
    /// <returns>The new command.</returns>
    public MySqlCommand Clone() => new(this);

    object ICloneable.Clone() => Clone();

    /// <inheritdoc/>
    private protected override void CheckCommandType(CommandType type)
    {
        if (type == CommandType.TableDirect && ThisAssembly.Conventions.RefusesTableDirect)
            throw new ArgumentException("CommandType must be Text or StoredProcedure.", nameof(type));
    }

    /// <inheritdoc/>
    private protected override ProviderCommand Snapshot()
    {
        var copy = new MySqlCommand(this) { IsPreparedByUser = IsPreparedByUser };
        if (CommandType == CommandType.StoredProcedure)
            copy.Call.Original = this;
        return copy;
    }

    /// <inheritdoc/>
    private protected override void TakeOver(ProviderCommand snapshot) => _lastInsertedId = ((MySqlCommand)snapshot)._lastInsertedId;

    /// <inheritdoc/>
    // LAST_INSERT_ID(), ROW_COUNT(), SHOW WARNINGS and others: the scanner does not classify texts that read them as stateless.
    private protected override bool DependsOnReset(Session session) =>
        CommandType == CommandType.StoredProcedure || !StatementOf().IsStateless(((MySqlSession)session).State.IsMariaDb);

    /// <inheritdoc/>
    private protected override bool CoversQuestion(Session session) => StatementOf().ReplacesWarnings(((MySqlSession)session).State.IsMariaDb);

    /// <inheritdoc/>
    internal override void Completed(ResultExchange exchange)
    {
        _lastInsertedId = (long)(exchange is ProcedureExchange call ? call.LastInsertId : ((CommandExchange)exchange).LastInsertId);
        if (_statement is { IsDefinition: true })
            MySqlSource.StoredPrograms.ForgetAll();
        if (Connection is { QueriesWarnings: true })
            Connection.RaiseInfoMessage();
    }

    /// <inheritdoc/>
    private protected override bool IgnoresTransaction(ProviderConnection connection) =>
        ((MySqlConnection)connection).MySqlSource.Settings.IgnoreCommandTransaction;

    /// <inheritdoc/>
    private protected override bool MustNameTransaction(ProviderConnection connection) =>
        connection.HasTransaction && !((MySqlConnection)connection).MySqlSource.Settings.IgnoreCommandTransaction;

    /// <inheritdoc/>
    private protected override ProviderDataReader CreateReader(Session session, CommandBehavior behavior) =>
        new MySqlDataReader(
            this, (MySqlSession)session, ThisAssembly.Conventions.IgnoresSequentialAccess ? behavior & ~CommandBehavior.SequentialAccess : behavior);

    internal ProcedureCall Call
    {
        get
        {
            if (_extras is ProcedureCall call)
                return call;
            call = new(this);
            _extras = call;
            return call;
        }
    }

    internal MySqlDataSource MySqlSource => Connection!.MySqlSource;
}
