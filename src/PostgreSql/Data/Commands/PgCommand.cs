using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Data;
using Slipstream.Core.Sessions;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>One or more SQL statements with parameters: "@name" or ":name" by name, "$1" by position.</summary>
public sealed partial class PgCommand : ProviderCommand, ICloneable
{
    /// <summary>Creates a command without a text and a connection. Set them before the execution.</summary>
    public PgCommand() => UpdatedRowSource = UpdateRowSource.Both;

    /// <summary>Creates a command with a text.</summary>
    /// <param name="cmdText">One or more SQL statements.</param>
    public PgCommand(string? cmdText)
        : this() => CommandText = cmdText;

    /// <summary>Creates a command with a text and a connection.</summary>
    /// <param name="cmdText">One or more SQL statements.</param>
    /// <param name="connection">The connection. It must be open when the command is executed.</param>
    public PgCommand(string? cmdText, PgConnection? connection)
        : this(cmdText) => OwnConnection = connection;

    /// <summary>Creates a command with a text, a connection and a transaction.</summary>
    /// <param name="cmdText">One or more SQL statements.</param>
    /// <param name="connection">The connection. It must be open when the command is executed.</param>
    /// <param name="transaction">The connection's transaction, or null.</param>
    public PgCommand(string? cmdText, PgConnection? connection, PgTransaction? transaction)
        : this(cmdText, connection) => OwnTransaction = transaction;

    /// <summary>Creates a command whose connection is open only during the execution.</summary>
    internal PgCommand(PgDataSource source)
        : this("", source.CreateConnection()) => OpensItsConnection = true;

    /// <summary>Gets or sets the connection. It must be open when the command is executed.</summary>
    public new PgConnection? Connection
    {
        get => (PgConnection?)OwnConnection;
        set
        {
            // Statements are prepared for one session.
            IsPreparedByUser &= ReferenceEquals(value, OwnConnection);
            OwnConnection = value;
        }
    }

    /// <summary>Gets or sets the connection's transaction; null if there is none.</summary>
    public new PgTransaction? Transaction
    {
        get => (PgTransaction?)OwnTransaction;
        set => OwnTransaction = value;
    }

    /// <inheritdoc/>
    protected override DbConnection? DbConnection
    {
        get => OwnConnection;
        set => Connection = (PgConnection?)value;
    }

    /// <inheritdoc/>
    protected override DbTransaction? DbTransaction
    {
        get => OwnTransaction;
        set => OwnTransaction = (PgTransaction?)value;
    }

    /// <summary>Gets the parameters.</summary>
    public new PgParameterCollection Parameters => _encoder.Parameters;

    /// <inheritdoc/>
    [AllowNull]
    public override string CommandText
    {
        get => base.CommandText;
        set
        {
            base.CommandText = value;
            IsPreparedByUser = false;
        }
    }

    /// <summary>Gets whether <see cref="Prepare"/> has been called for the current text.</summary>
    public bool IsPrepared => IsPreparedByUser;

    /// <inheritdoc/>
    protected override DbParameterCollection DbParameterCollection => Parameters;

    /// <summary>Creates a parameter. It is not added to the command.</summary>
    /// <returns>The parameter.</returns>
    [SuppressMessage("Performance", "CA1822:Mark members as static", Justification = "ADO.NET makes it a command's.")]
    public new PgParameter CreateParameter() => new();

    /// <summary>
    /// Requests that the next execution prepares the statements on the server. This takes no additional round trip; later executions send only the values.
    /// </summary>
    /// <exception cref="InvalidOperationException">The connection is missing or not open, or the command has no text.</exception>
    /// <exception cref="NotSupportedException">The command belongs to a data source.</exception>
    public override void Prepare()
    {
        if (OpensItsConnection)
            throw new NotSupportedException("A command of a data source cannot be prepared, because it has no connection of its own: "
                + "create the command with the connection's CreateCommand.");
        if (OpenConnection.State is var state and not ConnectionState.Open)
            throw new InvalidOperationException($"The connection must be open to prepare a command; its state is {state}: call Open or OpenAsync first.");
        if (CommandText.Length == 0)
            throw new InvalidOperationException("The command has no text: set its CommandText property.");
        IsPreparedByUser = true;
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
        catch (Exception exception)
        {
            return Task.FromException(exception);
        }
    }

    /// <summary>
    /// Deallocates the command's prepared statements: on the server, together with the next command. Later executions send the text again.
    /// </summary>
    public void Unprepare()
    {
        IsPreparedByUser = false;
        if (Connection is { State: ConnectionState.Open } connection)
        {
            var statement = _encoder.Find(connection.PgSource, CommandText, CommandType);
            connection.PgSession.Prepared.Close(statement);
        }
    }

    /// <summary>Deallocates the command's prepared statements, as <see cref="Unprepare"/> does. It completes immediately.</summary>
    /// <param name="cancellationToken">If it is already cancelled, nothing happens.</param>
    /// <returns>A completed task.</returns>
    public Task UnprepareAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled(cancellationToken);
        Unprepare();
        return Task.CompletedTask;
    }

    /// <summary>Executes the command and returns a reader at its first result.</summary>
    /// <param name="behavior">The behaviour of the reader. Default: <see cref="CommandBehavior.Default"/>.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="InvalidOperationException">The connection is missing, not open or busy, or a parameter is missing.</exception>
    /// <exception cref="PgException">The server rejected the command, or the network or a time-out ended it.</exception>
    public new PgDataReader ExecuteReader(CommandBehavior behavior = CommandBehavior.Default) => (PgDataReader)ExecuteProviderReader(behavior);

    /// <summary>Executes the command and returns a reader at its first result.</summary>
    /// <param name="cancellationToken">Cancels the command on the server.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="InvalidOperationException">The connection is missing, not open or busy, or a parameter is missing.</exception>
    /// <exception cref="PgException">The server rejected the command, or the network or a time-out ended it.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public new Task<PgDataReader> ExecuteReaderAsync(CancellationToken cancellationToken = default) =>
        ExecuteReaderAsync(CommandBehavior.Default, cancellationToken);

    /// <summary>Executes the command and returns a reader at its first result.</summary>
    /// <param name="behavior">The behaviour of the reader.</param>
    /// <param name="cancellationToken">Cancels the command on the server.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="InvalidOperationException">The connection is missing, not open or busy, or a parameter is missing.</exception>
    /// <exception cref="PgException">The server rejected the command, or the network or a time-out ended it.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public new Task<PgDataReader> ExecuteReaderAsync(CommandBehavior behavior, CancellationToken cancellationToken = default) =>
        ExecuteProviderReaderAsync<PgDataReader>(behavior, cancellationToken);

    /// <summary>Returns a command with the same text, settings, connection and transaction, and with clones of the parameters.</summary>
    /// <returns>The clone.</returns>
    public PgCommand Clone()
    {
        var connection = OpensItsConnection ? Connection!.PgSource.CreateConnection() : Connection;
        var clone = new PgCommand(CommandText, connection, Transaction)
        {
            OpensItsConnection = OpensItsConnection,
            AllResultTypesAreUnknown = AllResultTypesAreUnknown,
            UnknownResultTypeList = UnknownResultTypeList,
            CommandTimeout = CommandTimeout,
            CommandType = CommandType,
            UpdatedRowSource = UpdatedRowSource,
            DesignTimeVisible = DesignTimeVisible,
        };
        if (_encoder.HasParameters)
            clone.Parameters.AddClonesOf(Parameters);
        return clone;
    }

    object ICloneable.Clone() => Clone();

    /// <inheritdoc/>
    protected override DbParameter CreateDbParameter() => CreateParameter();

    /// <inheritdoc/>
    private protected override ProviderDataReader CreateReader(Session session, CommandBehavior behavior) =>
        new PgDataReader(this, (PgSession)session, behavior);
}
