using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Sessions;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Sessions;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>SQL to run on a <see cref="MySqlConnection"/>.</summary>
public sealed partial class MySqlCommand : ProviderCommand, ICloneable
{
    private MySqlParameterCollection? _parameters;
    private MySqlStatement? _statement;
    private ParameterBinding? _binding;
    // A VariableChoice, or a ProcedureCall with one: few commands need either, and each pays for a field.
    private object? _rare;
    private long _lastInsertedId;

    /// <summary>A command without text and connection.</summary>
    public MySqlCommand()
    {
    }

    /// <summary>A command with its text.</summary>
    public MySqlCommand(string? commandText) => CommandText = commandText;

    /// <summary>A command on a connection.</summary>
    public MySqlCommand(MySqlConnection? connection) => OwnConnection = connection;

    /// <summary>A command on a connection, in its transaction.</summary>
    public MySqlCommand(MySqlConnection? connection, MySqlTransaction? transaction)
        : this(connection) => OwnTransaction = transaction;

    /// <summary>A command with its text, on a connection.</summary>
    public MySqlCommand(string? commandText, MySqlConnection? connection)
        : this(commandText) => OwnConnection = connection;

    /// <summary>A command with its text, on a connection, in its transaction.</summary>
    public MySqlCommand(string? commandText, MySqlConnection? connection, MySqlTransaction? transaction)
        : this(commandText, connection) => OwnTransaction = transaction;

    /// <summary>A command whose connection is open only while it runs.</summary>
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

    /// <summary>The call that a command of a batch stands for: its values come back in that command's parameters.</summary>
    internal MySqlCommand(MySqlBatchCommand one, MySqlConnection connection)
        : this(one.CommandText, connection)
    {
        CommandType = CommandType.StoredProcedure;
        _parameters = one.Parameters;
    }

    /// <summary>Where the command runs: must be open when it does.</summary>
    public new MySqlConnection? Connection
    {
        get => (MySqlConnection?)OwnConnection;
        set => OwnConnection = value;
    }

    /// <summary>The transaction of <see cref="Connection"/>: must be named while one is open, unless Ignore Command Transaction=true.</summary>
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

    /// <summary>The parameters, by name or by place; made when first asked for.</summary>
    public new MySqlParameterCollection Parameters => _parameters ??= new();

    /// <inheritdoc/>
    protected override DbParameterCollection DbParameterCollection => Parameters;

    /// <summary>
    /// Query attributes: named values that travel with the command beside its text. A server without them (MariaDB, MySQL before 8.0.26) gets none;
    /// with Query Attributes=false in the connection string the execution throws <see cref="NotSupportedException"/>.
    /// </summary>
    public MySqlAttributeCollection Attributes
    {
        get
        {
            HasAttributes = true;
            return MySqlAttributeCollection.Of(this);
        }
    }

    /// <summary>The first value that the last execution made for an AUTO_INCREMENT column; 0 when it made none.</summary>
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
            // What was prepared was the other text.
            if (base.CommandText != before)
                IsPreparedByUser = false;
        }
    }

    /// <summary>True after <see cref="Prepare"/>, until the text changes: executions use the binary protocol.</summary>
    public bool IsPrepared => IsPreparedByUser;

    /// <summary>A parameter that belongs to no command yet.</summary>
    public new MySqlParameter CreateParameter() => (MySqlParameter)CreateDbParameter();

    /// <inheritdoc/>
    protected override DbParameter CreateDbParameter() => new MySqlParameter();

    /// <inheritdoc/>
    private protected override void ThrowIfNothingToRun()
    {
        base.ThrowIfNothingToRun();
        // The server would say that the query was empty (1065); MySqlConnector does not ask it.
        if (char.IsWhiteSpace(CommandText[0]) && string.IsNullOrWhiteSpace(CommandText))
            throw new InvalidOperationException("The command has no text: set its CommandText property.");
    }

    /// <summary>
    /// A promise, not a round trip: the first execution carries the PREPARE, and what is prepared stays so for the session's life in the pool.
    /// </summary>
    /// <exception cref="InvalidOperationException">No connection, not open, no text.</exception>
    public override void Prepare()
    {
        if (Connection is not { } connection)
            throw new InvalidOperationException("The command has no connection: set its Connection property.");
        if (connection.State != ConnectionState.Open)
            throw new InvalidOperationException($"The connection must be open to prepare a command; its state is {connection.State}.");
        if (string.IsNullOrWhiteSpace(CommandText))
            throw new InvalidOperationException("The command has no text: set its CommandText property.");
        IsPreparedByUser = !connection.MySqlSource.Settings.IgnorePrepare;
    }

    /// <inheritdoc/>
    public override Task PrepareAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled(cancellationToken);
        try
        {
            Prepare();
            return Task.CompletedTask;
        }
        catch (InvalidOperationException exception)
        {
            return Task.FromException(exception);
        }
    }

    /// <summary>Executes the command and reads its rows.</summary>
    public new MySqlDataReader ExecuteReader() => (MySqlDataReader)ExecuteProviderReader(CommandBehavior.Default);

    /// <summary>
    /// Executes the command and reads its rows; with SequentialAccess large rows are read piece by piece, with SchemaOnly nothing is executed.
    /// </summary>
    public new MySqlDataReader ExecuteReader(CommandBehavior commandBehavior) => (MySqlDataReader)ExecuteProviderReader(commandBehavior);

    /// <summary>Executes the command and reads its rows. Cancelling ends the command on the server.</summary>
    public new Task<MySqlDataReader> ExecuteReaderAsync(CancellationToken cancellationToken = default) =>
        ExecuteProviderReaderAsync<MySqlDataReader>(CommandBehavior.Default, cancellationToken);

    /// <summary>Executes the command and reads its rows; see <see cref="ExecuteReader(CommandBehavior)"/>. Cancelling ends the command on the server.</summary>
    public new Task<MySqlDataReader> ExecuteReaderAsync(CommandBehavior behavior, CancellationToken cancellationToken = default) =>
        ExecuteProviderReaderAsync<MySqlDataReader>(behavior, cancellationToken);

    /// <summary>The same text, options and parameters, on the same connection; of a data source's command another command of the data source.</summary>
    public MySqlCommand Clone() => new(this);

    object ICloneable.Clone() => Clone();

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
    // LAST_INSERT_ID(), ROW_COUNT(), SHOW WARNINGS …: what reads them is not among the texts that are understood.
    private protected override bool SeesWhatIsLeft(Session session) =>
        CommandType == CommandType.StoredProcedure || !StatementOf().IsStateless(((MySqlSession)session).State.IsMariaDb);

    /// <inheritdoc/>
    private protected override bool CoversQuestion(Session session) => StatementOf().ReplacesWarnings(((MySqlSession)session).State.IsMariaDb);

    /// <inheritdoc/>
    internal override void Completed(ResultExchange exchange)
    {
        _lastInsertedId = (long)(exchange is ProcedureExchange call ? call.LastInsertId : ((CommandExchange)exchange).LastInsertId);
        if (_statement is { IsDefinition: true })
            MySqlSource.StoredPrograms.ForgetAll();
        if (Connection is { IsListenedTo: true })
            Connection.TellMessages();
    }

    /// <inheritdoc/>
    private protected override bool IgnoresTransaction(ProviderConnection connection) =>
        ((MySqlConnection)connection).MySqlSource.Settings.IgnoreCommandTransaction;

    /// <inheritdoc/>
    private protected override bool MustNameTransaction(ProviderConnection connection) =>
        connection.HasTransaction && !((MySqlConnection)connection).MySqlSource.Settings.IgnoreCommandTransaction;

    /// <inheritdoc/>
    private protected override ProviderDataReader CreateReader(Session session, CommandBehavior behavior) =>
        new MySqlDataReader(this, (MySqlSession)session, behavior);

    internal ProcedureCall Call
    {
        get
        {
            if (_rare is ProcedureCall call)
                return call;
            call = new(this);
            _rare = call;
            return call;
        }
    }

    internal MySqlDataSource MySqlSource => Connection!.MySqlSource;
}
