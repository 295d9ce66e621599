using System.Data;
using System.Data.Common;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;

namespace Slipstream.Core.Data;

/// <summary>The base class of the providers' commands. A command encodes itself into a session's wire and lets a pump run the exchange.</summary>
public abstract partial class ProviderCommand : DbCommand
{
    private ProviderConnection? _connection;
    private ProviderTransaction? _transaction;
    private string _commandText = "";
    private int _commandTimeout = -1;
    // A CommandType, for which 16 bits suffice, and flags: together with the timeout they are one word, because a command is created for every query.
    private short _commandType = (short)CommandType.Text;
    private CommandFlags _flags;

    /// <summary>Creates a command without text and connection.</summary>
    private protected ProviderCommand() => GC.SuppressFinalize(this);

    /// <summary>Gets or sets the SQL statement, the name of a stored procedure, or the name of a table, depending on <see cref="CommandType"/>.</summary>
    /// <value>The text. The default is an empty string, which cannot be executed.</value>
    /// <exception cref="InvalidOperationException">The reader of the command is still open.</exception>
    [AllowNull]
    public override string CommandText
    {
        get => _commandText;
        set
        {
            ThrowIfReading();
            _commandText = value ?? "";
        }
    }

    /// <summary>Gets or sets the time limit of an execution, in seconds.</summary>
    /// <value>0: no limit. The default is that of the connection string.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public override int CommandTimeout
    {
        get => _commandTimeout >= 0 ? _commandTimeout : _connection?.Source.DefaultCommandTimeout ?? 30;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _commandTimeout = value;
        }
    }

    /// <summary>Gets or sets the meaning of <see cref="CommandText"/>.</summary>
    /// <value>The default is <see cref="CommandType.Text"/>.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is not defined.</exception>
    public override CommandType CommandType
    {
        get => (CommandType)_commandType;
        set
        {
            if (!Enum.IsDefined(value))
                throw new ArgumentOutOfRangeException(nameof(value), value, "CommandType must be Text, StoredProcedure or TableDirect.");
            CheckCommandType(value);
            _commandType = (short)value;
        }
    }

    /// <summary>Checks a command type that is defined.</summary>
    /// <exception cref="ArgumentException">The provider refuses it.</exception>
    private protected virtual void CheckCommandType(CommandType type)
    {
    }

    /// <inheritdoc/>
    public override bool DesignTimeVisible
    {
        get => Has(CommandFlags.IsVisible);
        set => Set(CommandFlags.IsVisible, value);
    }

    /// <summary>Gets or sets how a data adapter applies the results of the command to a row.</summary>
    /// <value>The default is <see cref="UpdateRowSource.None"/>.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is not defined.</exception>
    public override UpdateRowSource UpdatedRowSource
    {
        get => (UpdateRowSource)(_flags & CommandFlags.UpdatedRowSource);
        set
        {
            if (!Enum.IsDefined(value))
                throw new ArgumentOutOfRangeException(nameof(value), value, "UpdatedRowSource must be None, OutputParameters, FirstReturnedRecord or Both.");
            _flags = (_flags & ~CommandFlags.UpdatedRowSource) | (CommandFlags)value;
        }
    }

    /// <summary>Whether names in the text that look like parameters but have none are left to the server, whatever the connection string says.</summary>
    internal bool LeavesUnknownNames
    {
        get => Has(CommandFlags.LeavesUnknownNames);
        set => Set(CommandFlags.LeavesUnknownNames, value);
    }

    [Flags]
    private enum CommandFlags : ushort
    {
        /// <summary>The two bits of an <see cref="UpdateRowSource"/>.</summary>
        UpdatedRowSource = 3,
        IsVisible = 4,
        LeavesUnknownNames = 8,
        IsPreparedByUser = 16,
        HasAttributes = 32,
        HasTurn = 64,
        OpensItsConnection = 128,
        IsDisposed = 256,
    }

    private bool Has(CommandFlags what) => (_flags & what) != 0;

    private void Set(CommandFlags what, bool value) => _flags = value ? _flags | what : _flags & ~what;

    /// <summary>Whether <c>Prepare</c> was called: executions then use the binary protocol.</summary>
    private protected bool IsPreparedByUser
    {
        get => Has(CommandFlags.IsPreparedByUser);
        set => Set(CommandFlags.IsPreparedByUser, value);
    }

    /// <summary>
    /// Whether data that travels with the command beside its text was requested, for providers that support it. The flag is declared here because it needs no
    /// additional memory.
    /// </summary>
    private protected bool HasAttributes
    {
        get => Has(CommandFlags.HasAttributes);
        set => Set(CommandFlags.HasAttributes, value);
    }

    /// <summary>The command's connection.</summary>
    private protected ProviderConnection? OwnConnection
    {
        get => _connection;
        set
        {
            ThrowIfReading();
            ThrowIfOpensItsConnection(value is null || ReferenceEquals(value, _connection));
            _connection = value;
        }
    }

    /// <summary>The command's transaction.</summary>
    private protected ProviderTransaction? OwnTransaction
    {
        get => _transaction;
        set
        {
            ThrowIfOpensItsConnection(value is null);
            _transaction = value;
        }
    }

    /// <inheritdoc/>
    protected override DbConnection? DbConnection
    {
        get => _connection;
        set => OwnConnection = (ProviderConnection?)value;
    }

    /// <inheritdoc/>
    protected override DbTransaction? DbTransaction
    {
        get => OwnTransaction;
        set => OwnTransaction = (ProviderTransaction?)value;
    }

    /// <summary>
    /// Appends the command's bytes to the session's wire and begins its exchange in the session's queue. An exception leaves the session unchanged.
    /// </summary>
    private protected abstract void Encode(Session session, Goal goal, CommandBehavior behavior, ScalarTarget? scalar);

    /// <summary>Whether the command could see what a clean lease still leaves. Then the reset is not left out.</summary>
    private protected virtual bool DependsOnReset(Session session) => false;

    /// <summary>
    /// Whether a command that does not see what is left also replaces it, so that the effect of a preceding question remains invisible.
    /// </summary>
    private protected virtual bool CoversQuestion(Session session) => true;

    /// <summary>Called after the last answer, to take results such as output parameters and the last inserted id.</summary>
    internal virtual void Completed(ResultExchange exchange)
    {
        // Most providers have no such results.
    }

    /// <summary>Creates the provider's reader of the session's exchange.</summary>
    private protected abstract ProviderDataReader CreateReader(Session session, CommandBehavior behavior);

    /// <summary>Throws if the command has nothing to execute.</summary>
    /// <exception cref="InvalidOperationException">The command has no text.</exception>
    private protected virtual void ThrowIfNothingToRun()
    {
        if (_commandText.Length == 0)
            throw new InvalidOperationException("The command has no text: set its CommandText property.");
    }

    /// <summary>Completes the exception for a server's error: a batch adds which of its commands failed.</summary>
    internal virtual Exception Refused(Exception refusal) => refusal;

    /// <summary>Whether the command's transaction is ignored.</summary>
    private protected virtual bool IgnoresTransaction(ProviderConnection connection) => false;

    /// <summary>Whether the provider requires that a command names the connection's open transaction.</summary>
    private protected virtual bool MustNameTransaction(ProviderConnection connection) => false;

    /// <summary>
    /// Asks the server, over another connection, to stop this command. Returns at once. Does nothing if the command is not running.
    /// </summary>
    public override void Cancel()
    {
        // The order is the reverse of that in Begin: the session's current operation, then the last command of the connection, then whether the connection
        // still has the session. If all belong to this command, the operation does, or it has already ended. A late call affects neither the next command nor
        // the session's next user.
        if (_connection is not { } connection || connection.SessionOrNull is not { } session)
            return;
        var number = session.Operation.Number;
        var search = session.PendingSearch;
        Interlocked.MemoryBarrier();
        if (!ReferenceEquals(connection.LastCommand, this) || !ReferenceEquals(connection.SessionOrNull, session))
            return;
        search?.Cancel();
        session.Interrupt(number, Interruption.Asked);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        Set(CommandFlags.IsDisposed, true);
        if (disposing && OpensItsConnection)
            _connection?.Dispose();
        base.Dispose(disposing);
    }

    /// <summary>The connection, which must be set.</summary>
    private protected ProviderConnection OpenConnection =>
        _connection ?? throw new InvalidOperationException("The command has no connection: set its Connection property.");

    internal ProviderConnection? ReadersConnection => _connection;

    // The open reader reads the results of this text on this connection.
    private void ThrowIfReading()
    {
        if (_connection?.ActiveReader is { } reader && ReferenceEquals(reader.Command, this))
            throw new InvalidOperationException("The command's data reader is still open: dispose it before changing the command's text or connection.");
    }

    /// <summary>Summary of the command's text. Called only while a listener exists; the provider caches the result in the statement.</summary>
    private protected abstract QuerySummary? Summarize(Session session);

    /// <summary>Summary of the command; null if unknown.</summary>
    internal QuerySummary? SummaryFor(Session session)
    {
        try
        {
            return OpenConnection.Source.SummaryOf(CommandType, _commandText) ?? Summarize(session);
        }
        catch (ArgumentException)
        {
            // The text cannot be sent. Encoding it throws the exception for the caller.
            return null;
        }
    }

    /// <summary>Writes the command for the log, if the application has enabled that.</summary>
    internal virtual void Write(StringBuilder log, Session session, bool withValues) =>
        LoggedText.Append(log, SummaryFor(session), CommandType, _commandText, withValues ? DbParameterCollection : null);

    /// <summary>Sets the tags of the command's span: no value of a parameter, and a text with literals only if the application has enabled that.</summary>
    internal virtual void Describe(Activity span, Tracing tracing, QuerySummary? summary)
    {
        if (CommandType == CommandType.StoredProcedure)
            span.SetTag("db.stored_procedure.name", _commandText);
        else if (summary is not { MayHoldPassword: true }
            && (tracing.QueryTexts == QueryTexts.All || (tracing.QueryTexts == QueryTexts.Parameterized && DbParameterCollection.Count > 0)))
            span.SetTag("db.query.text", _commandText);
    }
}
