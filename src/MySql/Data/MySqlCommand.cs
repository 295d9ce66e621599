using System.Data;
using System.Data.Common;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Sessions;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>SQL to run on a <see cref="MySqlConnection"/>.</summary>
public sealed partial class MySqlCommand : ProviderCommand, ICloneable, IExecution
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

    /// <summary>True when executions of this command use the binary protocol.</summary>
    public bool IsPrepared => IsPreparedByUser;

    /// <summary>A parameter that belongs to no command yet.</summary>
    public new MySqlParameter CreateParameter() => (MySqlParameter)CreateDbParameter();

    /// <inheritdoc/>
    protected override DbParameter CreateDbParameter() => new MySqlParameter();

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
    protected override void Encode(Session session, Goal goal, CommandBehavior behavior, ScalarTarget? scalar)
    {
        var own = (MySqlSession)session;
        if (CommandType == CommandType.StoredProcedure && (behavior & CommandBehavior.SchemaOnly) == 0)
        {
            own.Procedure.Begin(Call, goal, scalar);
            own.Queue.Begin(own.Procedure);
            return;
        }

        var statement = StatementOf();
        var streams = (behavior & CommandBehavior.SequentialAccess) != 0;
        var onlyDescribes = (behavior & CommandBehavior.SchemaOnly) != 0;
        if (onlyDescribes || (IsPreparedByUser && !statement.IsNotPreparable && statement.Slot >= 0))
            EncodePrepared(own, statement, goal, scalar, streams, onlyDescribes, isAutomatic: false);
        else if (own.AutoPrepare.IsOn && !statement.StaysText && statement.Slot >= 0 && PreparesItself(own, statement))
            EncodePrepared(own, statement, goal, scalar, streams, onlyDescribes: false, isAutomatic: true);
        else
            EncodeText(own, statement, goal, scalar, streams);
        own.Queue.Begin(own.Results);
    }

    /// <inheritdoc/>
    protected override ProviderCommand Snapshot()
    {
        var copy = new MySqlCommand(this) { IsPreparedByUser = IsPreparedByUser };
        if (CommandType == CommandType.StoredProcedure)
            copy.Call.Original = this;
        return copy;
    }

    /// <inheritdoc/>
    protected override void TakeOver(ProviderCommand snapshot) => _lastInsertedId = ((MySqlCommand)snapshot)._lastInsertedId;

    /// <inheritdoc/>
    // LAST_INSERT_ID(), ROW_COUNT(), SHOW WARNINGS …: what reads them is not among the texts that are understood.
    protected override bool SeesWhatIsLeft(Session session) => CommandType == CommandType.StoredProcedure || !StatementOf().LeavesNoTrace(((MySqlSession)session).IsMariaDb);

    /// <inheritdoc/>
    protected override void Completed(ResultExchange exchange)
    {
        _lastInsertedId = (long)(exchange is ProcedureExchange call ? call.LastInsertId : ((CommandExchange)exchange).LastInsertId);
        if (_statement is { IsDefinition: true })
            MySqlSource.StoredPrograms.ForgetAll();
        if (Connection is { IsListenedTo: true })
            Connection.TellMessages();
    }

    /// <inheritdoc/>
    protected override bool IgnoresTransaction(ProviderConnection connection) => ((MySqlConnection)connection).MySqlSource.Settings.IgnoreCommandTransaction;

    /// <inheritdoc/>
    protected override bool MustNameTransaction(ProviderConnection connection) =>
        connection.HasTransaction && !((MySqlConnection)connection).MySqlSource.Settings.IgnoreCommandTransaction;

    /// <inheritdoc/>
    protected override ProviderDataReader CreateReader(Session session, CommandBehavior behavior) =>
        new MySqlDataReader(this, (MySqlSession)session, behavior);

    void IExecution.EncodeExecution(MySqlSession session, PreparedStatement prepared) => EncodeExecution(session, prepared, Scan(session, _statement!));

    LongValue[]? IExecution.LongValues => _binding?.LongValues;

    void IExecution.EncodeText(MySqlSession session)
    {
        // A CALL that cannot be prepared leaves its output parameters in variables.
        if (CommandType == CommandType.StoredProcedure && Call.SelectingTextInstead() is { } text)
            Take(text);
        EncodeText(session, Scan(session, _statement!));
    }

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

    /// <summary>Appends the call of a procedure and begins its answer in the session's inner exchange.</summary>
    internal void EncodeCall(MySqlSession session, string text, bool prepares)
    {
        var statement = Take(text);
        if (prepares && !statement.IsNotPreparable && statement.Slot >= 0)
            EncodePrepared(session, statement, Goal.Rows, null, streams: false, onlyDescribes: false, isAutomatic: false);
        else
        {
            var at = session.Wire.Out.TotalLength;
            ((IExecution)this).EncodeText(session);
            session.Results.BeginQuery(_statement!, session.Wire.Out.TotalLength - at, Goal.Rows, null, streams: false);
        }
    }

    private MySqlStatement Take(string text)
    {
        // The text of a call is made anew each time: the same one must not look up its parameters again.
        if (_statement is { } known && (ReferenceEquals(known.Sql, text) || (CommandType == CommandType.StoredProcedure && known.Sql == text)))
            return known;
        _binding = null;
        return _statement = MySqlSource.Statements.Get(text);
    }

    private void EncodeText(MySqlSession session, ScannedSql scanned)
    {
        var attributes = AttributesFor(session);
        if (scanned.Parameters.Length == 0 && attributes is null)
            Query.Write(session.Wire.Out, scanned.Prepared);
        else
            BindingFor(scanned).WriteText(session.Wire.Out, scanned, Parameters, session.Literals, session.Codecs, attributes);
    }

    private void EncodeText(MySqlSession session, MySqlStatement statement, Goal goal, ScalarTarget? scalar, bool streams)
    {
        var at = session.Wire.Out.TotalLength;
        var scanned = Scan(session, statement);
        // Before and behind it: a procedure may be another one from now on.
        if (scanned.Kind == StatementKind.Definition)
            MySqlSource.StoredPrograms.ForgetAll();
        EncodeText(session, scanned);
        session.Results.BeginQuery(statement, session.Wire.Out.TotalLength - at, goal, scalar, streams);
    }

    private void EncodePrepared(MySqlSession session, MySqlStatement statement, Goal goal, ScalarTarget? scalar, bool streams, bool onlyDescribes, bool isAutomatic)
    {
        var scanned = Scan(session, statement);
        // A server prepares one statement at a time: several are text, whoever asked for it.
        if (scanned.HasSeveralStatements && !onlyDescribes)
        {
            EncodeText(session, statement, goal, scalar, streams);
            return;
        }

        var longValues = !isAutomatic && !onlyDescribes && scanned.Parameters.Length > 0 ? BindingFor(scanned).FindLongValues(Parameters) : null;
        if (longValues is not null && session.Prepared.Find(statement) is { } known && known.IsFor(scanned))
        {
            session.Results.BeginLongData(statement, known, this, longValues, goal, scalar, streams);
            return;
        }

        if (longValues is null && session.Prepared.Find(statement) is { } prepared && !onlyDescribes && (isAutomatic || CanExecute(session, prepared, scanned)))
        {
            var at = session.Wire.Out.TotalLength;
            EncodeExecution(session, prepared, scanned);
            session.Results.BeginExecute(statement, prepared, session.Wire.Out.TotalLength - at, goal, scalar, streams);
            return;
        }

        // Found out now, before anything is sent: a parameter without a value must not leave a half-done exchange.
        if (!onlyDescribes && scanned.Parameters.Length > 0)
            BindingFor(scanned).Check(Parameters, session.Codecs);
        var asksTypes = session.SettlesTypes && scanned.Parameters.Length > 0 && statement.Settled is null;
        var preparation = new Preparation(session, scanned, session.Codecs, asksTypes);
        var sent = session.Wire.Out.TotalLength;
        // What prepares itself is executed only when the types are known to make no difference.
        if (!onlyDescribes && longValues is null && !(isAutomatic && asksTypes) && session.NextStatementNumber is { } number)
        {
            preparation.Result.Id = number;
            EncodeExecution(session, preparation.Result, scanned);
        }

        session.Results.BeginPrepare(statement, goal, scalar, streams, onlyDescribes)
            .Begin(statement, preparation, onlyDescribes ? null : this, session.Wire.Out.TotalLength - sent, isAutomatic);
    }

    private bool PreparesItself(MySqlSession session, MySqlStatement statement)
    {
        var prepared = session.Prepared.Find(statement);
        if (prepared is null && !session.AutoPrepare.Pays(session, statement))
            return false;
        var scanned = Scan(session, statement);
        if (statement.IsNotPreparable || !scanned.MayPrepareItself)
        {
            statement.StaysText = true;
            return false;
        }

        if (prepared is not null && !prepared.IsFor(scanned))
            return false;
        // Values of another type are written as text: two types in turn would prepare at every turn.
        return scanned.Parameters.Length == 0
            || (prepared is not null ? BindingFor(scanned).IsTakenAsItIs(statement, prepared, Parameters, session.Codecs)
                : statement.Settled is null || BindingFor(scanned).Fits(statement.Settled, Parameters, session.Codecs));
    }

    bool IExecution.Fits(MySqlSession session) =>
        _statement!.Settled is not { } settled || BindingFor(Scan(session, _statement)).Fits(settled, Parameters, session.Codecs);

    // What cannot be executed is prepared anew; the stale one is closed when the new one takes its place.
    private bool CanExecute(MySqlSession session, PreparedStatement prepared, ScannedSql scanned) =>
        prepared.IsFor(scanned)
        && (session.IsMariaDb || scanned.Parameters.Length == 0 || BindingFor(scanned).IsTakenBy(prepared, _parameters!, session.Codecs));

    private void EncodeExecution(MySqlSession session, PreparedStatement prepared, ScannedSql scanned)
    {
        var attributes = AttributesFor(session);
        if (scanned.Parameters.Length == 0 && attributes is null)
            StatementExecute.Write(session.Wire.Out, prepared.Id);
        else
            BindingFor(scanned).WriteBinary(session.Wire.Out, prepared, Parameters, session.Codecs, session.IsMariaDb, attributes);
    }

    private MySqlAttributeCollection? AttributesFor(MySqlSession session)
    {
        var own = HasAttributes ? Attributes.For(session, MySqlSource.Settings) : null;
        return session.SendsTraceContext ? TraceContext.Add(session, own) : own;
    }

    private MySqlStatement StatementOf() => Take(CommandType switch
    {
        CommandType.TableDirect => "SELECT * FROM " + CommandText,
        CommandType.StoredProcedure => Call.TextAsItIs(Connection!.MySqlSession),
        _ => CommandText,
    });

    private ScannedSql Scan(MySqlSession session, MySqlStatement statement)
    {
        var rules = session.Quoting;
        if (CommandType == CommandType.StoredProcedure || LeavesUnknownNames || Connection!.MySqlSource.Settings.AllowUserVariables)
            rules |= QuotingRules.AllowUserVariables;
        var scanned = statement.Scan(rules);
        return scanned.MayUseVariables ? WithoutVariables(scanned) : scanned;
    }

    private ScannedSql WithoutVariables(ScannedSql scanned)
    {
        var call = _rare as ProcedureCall;
        var choice = call is null ? _rare as VariableChoice : call.Variables;
        if (choice is not null && choice.IsFor(scanned, _parameters))
            return choice.Chosen;
        choice = new VariableChoice(scanned, _parameters);
        if (call is not null)
            call.Variables = choice;
        else
            _rare = choice;
        return choice.Chosen;
    }

    private ParameterBinding BindingFor(ScannedSql scanned)
    {
        var parameters = Parameters;
        if (_binding is null || !_binding.IsFor(scanned, parameters))
            _binding = new ParameterBinding(scanned, parameters);
        return _binding;
    }
}
