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

/// <summary>What every provider's command is: it encodes itself into a session's wire and lets a pump run the exchange.</summary>
public abstract partial class ProviderCommand : DbCommand
{
    private ProviderConnection? _connection;
    private ProviderTransaction? _transaction;
    private string _commandText = "";
    private int _commandTimeout = -1;
    // A CommandType, which 16 bits hold, and bits: with the timeout they are one word, and a command is made for every query.
    private short _commandType = (short)CommandType.Text;
    private CommandFlags _said;

    /// <summary>A command without text and connection.</summary>
    private protected ProviderCommand() => GC.SuppressFinalize(this);

    /// <inheritdoc/>
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

    /// <summary>Seconds; 0 is no limit. Default: the connection string's.</summary>
    public override int CommandTimeout
    {
        get => _commandTimeout >= 0 ? _commandTimeout : _connection?.Source.DefaultCommandTimeout ?? 30;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _commandTimeout = value;
        }
    }

    /// <inheritdoc/>
    public override CommandType CommandType
    {
        get => (CommandType)_commandType;
        set
        {
            if (!Enum.IsDefined(value))
                throw new ArgumentOutOfRangeException(nameof(value), value, "CommandType must be Text, StoredProcedure or TableDirect.");
            _commandType = (short)value;
        }
    }

    /// <inheritdoc/>
    public override bool DesignTimeVisible
    {
        get => Has(CommandFlags.IsVisible);
        set => Set(CommandFlags.IsVisible, value);
    }

    /// <inheritdoc/>
    public override UpdateRowSource UpdatedRowSource
    {
        get => (UpdateRowSource)(_said & CommandFlags.UpdatedRowSource);
        set
        {
            if (!Enum.IsDefined(value))
                throw new ArgumentOutOfRangeException(nameof(value), value, "UpdatedRowSource must be None, OutputParameters, FirstReturnedRecord or Both.");
            _said = (_said & ~CommandFlags.UpdatedRowSource) | (CommandFlags)value;
        }
    }

    /// <summary>What looks like a parameter and has none is the server's to understand, whatever the connection string says.</summary>
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

    private bool Has(CommandFlags what) => (_said & what) != 0;

    private void Set(CommandFlags what, bool value) => _said = value ? _said | what : _said & ~what;

    /// <summary>True after <c>Prepare</c>: executions use the binary protocol.</summary>
    private protected bool IsPreparedByUser
    {
        get => Has(CommandFlags.IsPreparedByUser);
        set => Set(CommandFlags.IsPreparedByUser, value);
    }

    /// <summary>
    /// True once somebody asked for what travels with the command beside its text: for providers that have such a thing.
    /// Here, and not in theirs, it costs no byte.
    /// </summary>
    private protected bool HasAttributes
    {
        get => Has(CommandFlags.HasAttributes);
        set => Set(CommandFlags.HasAttributes, value);
    }

    /// <summary>The connection it runs on.</summary>
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

    /// <summary>The transaction it names.</summary>
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
    /// Appends the command's bytes to the session's wire and begins its exchange in the session's queue. Whatever it throws leaves the
    /// session as it was.
    /// </summary>
    private protected abstract void Encode(Session session, Goal goal, CommandBehavior behavior, ScalarTarget? scalar);

    /// <summary>Whether the command could see what a lease leaves that was proven to leave nothing else: then the reset is not left out.</summary>
    private protected virtual bool SeesWhatIsLeft(Session session) => false;

    /// <summary>
    /// Whether a command that does not see what is left replaces it, too, so that nobody sees what a question in front of the command leaves.
    /// </summary>
    private protected virtual bool CoversQuestion(Session session) => true;

    /// <summary>After the last answer: output parameters, last inserted id.</summary>
    internal virtual void Completed(ResultExchange exchange)
    {
        // Most providers have nothing to take.
    }

    /// <summary>The provider's reader of the session's exchange.</summary>
    private protected abstract ProviderDataReader CreateReader(Session session, CommandBehavior behavior);

    /// <summary>Throws when the command has nothing to execute.</summary>
    /// <exception cref="InvalidOperationException">The command has no text.</exception>
    private protected virtual void ThrowIfNothingToRun()
    {
        if (_commandText.Length == 0)
            throw new InvalidOperationException("The command has no text: set its CommandText property.");
    }

    /// <summary>The last touch on the exception of a server's refusal: a batch adds which of its commands it was.</summary>
    internal virtual Exception Refused(Exception refusal) => refusal;

    /// <summary>Whether a command's transaction does not matter.</summary>
    private protected virtual bool IgnoresTransaction(ProviderConnection connection) => false;

    /// <summary>Whether the provider insists that a command names the connection's open transaction.</summary>
    private protected virtual bool MustNameTransaction(ProviderConnection connection) => false;

    /// <summary>
    /// Asks the server to stop what this command is doing, over another connection. Returns at once; does nothing when the command is not running.
    /// </summary>
    public override void Cancel()
    {
        // The order is that of Begin turned round: which operation runs on the session, then whose command began last,
        // then whether the connection has that session still. If all are this command's, the operation is, or it has ended since. One that comes late hits
        // nothing, neither the next command nor the session's next user.
        if (_connection is not { } connection || connection.SessionOrNull is not { } session)
            return;
        var number = session.Operation.Number;
        Interlocked.MemoryBarrier();
        if (ReferenceEquals(connection.LastCommand, this) && ReferenceEquals(connection.SessionOrNull, session))
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

    /// <summary>The connection, open.</summary>
    private protected ProviderConnection OpenConnection =>
        _connection ?? throw new InvalidOperationException("The command has no connection: set its Connection property.");

    internal ProviderConnection? ReadersConnection => _connection;

    // What the open reader reads was asked with this text on this connection.
    private void ThrowIfReading()
    {
        if (_connection?.ActiveReader is { } reader && ReferenceEquals(reader.Command, this))
            throw new InvalidOperationException("The command's data reader is still open: dispose it before changing the command's text or connection.");
    }

    /// <summary>What the command's text does. Asked only while somebody listens; the provider keeps the answer with the statement.</summary>
    private protected abstract QuerySummary? Summarize(Session session);

    /// <summary>What the command does; null when that is not known.</summary>
    internal QuerySummary? SummaryFor(Session session)
    {
        try
        {
            return OpenConnection.Source.SummaryOf(CommandType, _commandText) ?? Summarize(session);
        }
        catch (ArgumentException)
        {
            // A text that cannot be sent: its encoding tells the caller.
            return null;
        }
    }

    /// <summary>The command as the log shows it where the application has asked for that.</summary>
    internal virtual void Write(StringBuilder log, Session session, bool withValues) =>
        LoggedText.Append(log, SummaryFor(session), CommandType, _commandText, withValues ? DbParameterCollection : null);

    /// <summary>What the command's span says of it: no value of a parameter, and no text with literals unless it was asked for.</summary>
    internal virtual void Describe(Activity span, Tracing tracing, QuerySummary? summary)
    {
        if (CommandType == CommandType.StoredProcedure)
            span.SetTag("db.stored_procedure.name", _commandText);
        else if (summary is not { MayHoldPassword: true }
            && (tracing.QueryTexts == QueryTexts.All || (tracing.QueryTexts == QueryTexts.Parameterized && DbParameterCollection.Count > 0)))
            span.SetTag("db.query.text", _commandText);
    }
}
