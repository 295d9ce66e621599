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
    /// <summary>A command with what is given; the rest is set before it is executed.</summary>
    public PgCommand()
    {
    }

    /// <summary>A command with what is given; the rest is set before it is executed.</summary>
    public PgCommand(string? cmdText) => CommandText = cmdText;

    /// <summary>A command with what is given; the rest is set before it is executed.</summary>
    public PgCommand(string? cmdText, PgConnection? connection)
        : this(cmdText) => OwnConnection = connection;

    /// <summary>A command with what is given; the rest is set before it is executed.</summary>
    public PgCommand(string? cmdText, PgConnection? connection, PgTransaction? transaction)
        : this(cmdText, connection) => OwnTransaction = transaction;

    /// <summary>The connection it runs on; it must be open when the command is executed.</summary>
    public new PgConnection? Connection
    {
        get => (PgConnection?)OwnConnection;
        set => OwnConnection = value;
    }

    /// <summary>The connection's transaction, or null.</summary>
    public new PgTransaction? Transaction
    {
        get => (PgTransaction?)OwnTransaction;
        set => OwnTransaction = value;
    }

    /// <inheritdoc/>
    protected override DbConnection? DbConnection
    {
        get => OwnConnection;
        set => OwnConnection = (PgConnection?)value;
    }

    /// <inheritdoc/>
    protected override DbTransaction? DbTransaction
    {
        get => OwnTransaction;
        set => OwnTransaction = (PgTransaction?)value;
    }

    /// <summary>The values of its parameters.</summary>
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

    /// <summary>True after <see cref="Prepare"/>, until the text changes.</summary>
    public bool IsPrepared => IsPreparedByUser;

    /// <inheritdoc/>
    protected override DbParameterCollection DbParameterCollection => Parameters;

    /// <summary>A parameter that is not yet added to the command.</summary>
    [SuppressMessage("Performance", "CA1822:Mark members as static", Justification = "ADO.NET makes it a command's.")]
    public new PgParameter CreateParameter() => new();

    /// <summary>The next execution prepares the statements on the server, in the same round trip; later ones only send values.</summary>
    public override void Prepare()
    {
        if (OpenConnection.State is var state and not ConnectionState.Open)
            throw new InvalidOperationException($"The connection must be open to prepare a command; its state is {state}.");
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

    /// <summary>The session forgets the command's statements, on the server with the next command; executions send the text again.</summary>
    public void Unprepare()
    {
        IsPreparedByUser = false;
        if (Connection is { State: ConnectionState.Open } connection)
        {
            var statement = _encoder.Find(connection.PgSource, CommandText, CommandType);
            connection.PgSession.Prepared.Close(statement);
        }
    }

    /// <summary>The same; nothing is waited for.</summary>
    public Task UnprepareAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled(cancellationToken);
        Unprepare();
        return Task.CompletedTask;
    }

    /// <summary>Executes the command and returns a reader at its first result.</summary>
    public new PgDataReader ExecuteReader(CommandBehavior behavior = CommandBehavior.Default) => (PgDataReader)ExecuteProviderReader(behavior);

    /// <summary>Executes the command and returns a reader at its first result.</summary>
    public new Task<PgDataReader> ExecuteReaderAsync(CancellationToken cancellationToken = default) => ExecuteReaderAsync(CommandBehavior.Default, cancellationToken);

    /// <summary>Executes the command and returns a reader at its first result.</summary>
    public new Task<PgDataReader> ExecuteReaderAsync(CommandBehavior behavior, CancellationToken cancellationToken = default) =>
        ExecuteProviderReaderAsync<PgDataReader>(behavior, cancellationToken);

    /// <summary>The same text, parameters and settings, on the same connection.</summary>
    public PgCommand Clone()
    {
        var clone = new PgCommand(CommandText, Connection, Transaction)
        {
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
