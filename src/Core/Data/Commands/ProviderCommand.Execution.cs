using System.Data;
using System.Data.Common;
using System.Runtime.CompilerServices;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Data;

/// <content>Executions: each method encodes the command, lets a pump run the exchange, and returns its result.</content>
public abstract partial class ProviderCommand
{
    /// <summary>Executes the command and returns the first column of the first row.</summary>
    /// <returns>The value; <see cref="DBNull"/> for NULL; null if there is no row.</returns>
    /// <exception cref="DbException">The server refused the command, or the connection was lost.</exception>
    /// <exception cref="InvalidOperationException">There is no open connection, it is busy, or the command has no text.</exception>
    public override object? ExecuteScalar()
    {
        if (OpensNow)
            return InOwnConnection(static command => command.ExecuteScalar());
        var session = Begin(default);
        var target = session.ScalarTarget<object>();
        Run(session, Goal.Scalar, target);
        return target.TakeValue();
    }

    /// <summary>Executes the command and returns the first column of the first row as <typeparamref name="T"/>, without boxing.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <returns>The value; the type's default if there is no row.</returns>
    /// <exception cref="System.Data.Common.DbException">The server refused the command, or the connection was lost.</exception>
    /// <exception cref="InvalidCastException">The value cannot be converted to <typeparamref name="T"/>, or it is NULL and <typeparamref name="T"/> is not
    /// nullable.</exception>
    /// <exception cref="InvalidOperationException">There is no open connection, it is busy, or the command has no text.</exception>
    public T? ExecuteScalar<T>()
    {
        if (OpensNow)
            return InOwnConnection(static command => command.ExecuteScalar<T>());
        var session = Begin(default);
        var target = session.ScalarTarget<T>();
        Run(session, Goal.Scalar, target);
        return target.TakeValue();
    }

    /// <summary>Executes the command and returns the number of changed rows.</summary>
    /// <returns>The number of rows that the statements changed; −1 if none of them changes rows.</returns>
    /// <exception cref="DbException">The server refused the command, or the connection was lost.</exception>
    /// <exception cref="InvalidOperationException">There is no open connection, it is busy, or the command has no text.</exception>
    public override int ExecuteNonQuery()
    {
        if (OpensNow)
            return InOwnConnection(static command => command.ExecuteNonQuery());
        return (int)Run(Begin(default), Goal.Count, null).Exchange.RecordsAffected;
    }

    /// <summary>Executes the command asynchronously and returns the first column of the first row.</summary>
    /// <param name="cancellationToken">Cancels the execution.</param>
    /// <returns>The value; <see cref="DBNull"/> for NULL; null if there is no row.</returns>
    /// <exception cref="DbException">The server refused the command, or the connection was lost.</exception>
    /// <exception cref="InvalidOperationException">There is no open connection, it is busy, or the command has no text.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public override Task<object?> ExecuteScalarAsync(CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled<object?>(cancellationToken);
        if (OpensNow)
            return ScalarInOwnConnection(cancellationToken);
        if (WaitsForTurn)
            return InTurn(static (command, token) => command.ExecuteScalarAsync(token), cancellationToken);
        try
        {
            var session = Begin(cancellationToken);
            Encode(session, Goal.Scalar, session.ScalarTarget<object>());
        }
        catch (Exception exception)
        {
            return Task.FromException<object?>(exception);
        }

        return AwaitScalar();
    }

    // Deliberately few locals: the state machine is the cost of an asynchronous scalar.
    private async Task<object?> AwaitScalar()
    {
        try
        {
            await RunningExchange().ConfigureAwait(false);
            if (IsRefused)
                await RunAgainAsync(Goal.Scalar).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }

        return End().ScalarTargetAs<object>().TakeValue();
    }

    /// <summary>
    /// Executes the command and returns the first column of the first row as <typeparamref name="T"/>. This is the only asynchronous execution that allocates
    /// nothing.
    /// </summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="cancellationToken">Cancels the execution.</param>
    /// <returns>The value; the type's default if there is no row.</returns>
    /// <exception cref="System.Data.Common.DbException">The server refused the command, or the connection was lost.</exception>
    /// <exception cref="InvalidCastException">The value cannot be converted to <typeparamref name="T"/>, or it is NULL and <typeparamref name="T"/> is not
    /// nullable.</exception>
    /// <exception cref="InvalidOperationException">There is no open connection, it is busy, or the command has no text.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public ValueTask<T?> ExecuteScalarAsync<T>(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<T?>(cancellationToken);
        if (OpensNow)
            return TypedScalarInOwnConnection<T>(cancellationToken);
        if (WaitsForTurn)
            return new(InTurn(static (command, token) => command.ExecuteScalarAsync<T>(token).AsTask(), cancellationToken));
        try
        {
            var session = Begin(cancellationToken);
            Encode(session, Goal.Scalar, session.ScalarTarget<T>());
        }
        catch (Exception exception)
        {
            return ValueTask.FromException<T?>(exception);
        }

        return AwaitTypedScalar<T>();
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<T?> AwaitTypedScalar<T>()
    {
        try
        {
            await RunningExchange().ConfigureAwait(false);
            if (IsRefused)
                await RunAgainAsync(Goal.Scalar).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }

        return End().ScalarTargetAs<T>().TakeValue();
    }

    /// <summary>Executes the command asynchronously and returns the number of changed rows.</summary>
    /// <param name="cancellationToken">Cancels the execution.</param>
    /// <returns>The number of rows that the statements changed; −1 if none of them changes rows.</returns>
    /// <exception cref="DbException">The server refused the command, or the connection was lost.</exception>
    /// <exception cref="InvalidOperationException">There is no open connection, it is busy, or the command has no text.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public override Task<int> ExecuteNonQueryAsync(CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled<int>(cancellationToken);
        if (OpensNow)
            return CountInOwnConnection(cancellationToken);
        if (WaitsForTurn)
            return InTurn(static (command, token) => command.ExecuteNonQueryAsync(token), cancellationToken);
        try
        {
            Encode(Begin(cancellationToken), Goal.Count, null);
        }
        catch (Exception exception)
        {
            return Task.FromException<int>(exception);
        }

        return AwaitCount();
    }

    private async Task<int> AwaitCount()
    {
        try
        {
            await RunningExchange().ConfigureAwait(false);
            if (IsRefused)
                await RunAgainAsync(Goal.Count).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }

        return (int)End().Exchange.RecordsAffected;
    }

    /// <inheritdoc/>
    protected override DbDataReader ExecuteDbDataReader(CommandBehavior behavior) => ExecuteProviderReader(behavior);

    /// <summary>Executes the command and returns its reader at the first result.</summary>
    private protected ProviderDataReader ExecuteProviderReader(CommandBehavior behavior)
    {
        if (OpensNow)
            return ReaderInOwnConnection(behavior);
        var session = BeginReader(default);
        try
        {
            Encode(session, Goal.Rows, null, behavior);
            return RunReader(CreateReader(session, behavior), session);
        }
        catch when ((behavior & CommandBehavior.CloseConnection) != 0)
        {
            CloseFailed();
            throw;
        }
    }

    private ProviderDataReader RunReader(ProviderDataReader reader, Session session)
    {
        try
        {
            if (BlockingPump.Run(session.Queue, session.Wire) == Step.Metadata)
                reader.Start(BlockingPump.Run(session.Queue, session.Wire));
            if (IsRefused)
                (reader, session) = RunReaderAgain(reader, session);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }

        return Started(reader, session);
    }

    // No reader was created whose end would close the connection. A failure while closing does not matter to the caller.
    private void CloseFailed()
    {
        try
        {
            _connection?.Close();
        }
        catch (DbException)
        {
            // The connection is closed nevertheless.
        }
    }

    /// <inheritdoc/>
    protected override Task<DbDataReader> ExecuteDbDataReaderAsync(CommandBehavior behavior, CancellationToken cancellationToken) =>
        ExecuteProviderReaderAsync<DbDataReader>(behavior, cancellationToken);

    /// <summary>Executes the command. The task's result is a reader before the first row.</summary>
    /// <typeparam name="TReader">The type of the reader that the caller expects, so that no second task is needed for a conversion.</typeparam>
    private protected Task<TReader> ExecuteProviderReaderAsync<TReader>(CommandBehavior behavior, CancellationToken cancellationToken)
        where TReader : DbDataReader
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled<TReader>(cancellationToken);
        if (OpensNow)
            return ReaderInOwnConnection<TReader>(behavior, cancellationToken);
        if (WaitsForTurn)
            return InTurn((command, token) => command.ExecuteProviderReaderAsync<TReader>(behavior, token), cancellationToken);
        var hasBegun = false;
        try
        {
            var session = BeginReader(cancellationToken);
            hasBegun = true;
            Encode(session, Goal.Rows, null, behavior);
            return AwaitReader<TReader>(CreateReader(session, behavior));
        }
        catch (Exception exception)
        {
            if (hasBegun && (behavior & CommandBehavior.CloseConnection) != 0)
                CloseFailed();
            return Task.FromException<TReader>(exception);
        }
    }

    private async Task<TReader> AwaitReader<TReader>(ProviderDataReader reader)
        where TReader : DbDataReader
    {
        try
        {
            if (await RunningExchange().ConfigureAwait(false) == Step.Metadata)
                reader.Start(await RunningExchange().ConfigureAwait(false));
            if (IsRefused)
            {
                var step = await RunAgainAsync(Goal.Rows, reader.Behavior).ConfigureAwait(false);
                reader = ReaderFor(OpenConnection.Session, reader);
                if (step == Step.Metadata)
                    reader.Start(await RunningExchange().ConfigureAwait(false));
            }
        }
        catch (Exception exception)
        {
            var failure = Failed(exception);
            if (reader.ClosesConnection)
                CloseFailed();
            throw failure;
        }

        try
        {
            return (TReader)(DbDataReader)Started(reader, OpenConnection.Session);
        }
        catch when (reader.ClosesConnection)
        {
            CloseFailed();
            throw;
        }
    }

    // ---------------------------------------------------------------- one execution

    private Session Begin(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(Has(CommandFlags.IsDisposed), this);
        var connection = OpenConnection;
        ThrowIfNothingToRun();
        var session = connection.BeginCommand(OwnTransaction is not null && IgnoresTransaction(connection) ? null : OwnTransaction, HasTurn);
        if (OwnTransaction is null && MustNameTransaction(connection))
            connection.RequireTransaction(OwnTransaction);
        connection.RequireWholeTransaction(session);
        var seconds = _commandTimeout >= 0 ? _commandTimeout : connection.Source.DefaultCommandTimeout;
        Execution.Begin(connection, session, this, seconds * 1000L, cancellationToken);
        CommandTelemetry.Begin(session, connection.Source, this);
        return session;
    }

    private Session BeginReader(CancellationToken cancellationToken)
    {
        var session = Begin(cancellationToken);
        if (_connection!.Source.ReaderTimeout is > 0 and var seconds)
            session.Operation.LimitWhole(seconds * 1000L);
        return session;
    }

    private void Encode(Session session, Goal goal, ScalarTarget? scalar, CommandBehavior behavior = CommandBehavior.Default) =>
        Execution.Encode(OpenConnection, session, new Request(this, goal, scalar, behavior));

    private Session Run(Session session, Goal goal, ScalarTarget? scalar)
    {
        Encode(session, goal, scalar);
        try
        {
            BlockingPump.Run(session.Queue, session.Wire);
            if (IsRefused)
                RunAgain(session, goal);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }

        return End();
    }

    private ValueTask<Step> RunningExchange()
    {
        var session = OpenConnection.Session;
        return AsyncPump.RunAsync(session.Queue, session.Wire);
    }

    private ProviderDataReader Started(ProviderDataReader reader, Session session)
    {
        session.UnregisterToken();
        var exchange = session.Exchange;
        CommandTelemetry.Answered(session, OpenConnection.Source);
        if (session.IsBroken
            || exchange.Error is not null
            || exchange.ScalarFailure is not null
            || session.Operation.Interruption != Interruption.None && exchange.IsCompleted)
            End();
        if (exchange.IsCompleted)
            EndTelemetry(session, null);
        else
            session.Operation.Quiet();
        OpenConnection.ActiveReader = reader;
        return reader;
    }

    private Session End() => CommandOutcome.End(this, OpenConnection);

    private Exception Failed(Exception exception) => CommandOutcome.Failed(OpenConnection, exception);

    internal void EndTelemetry(Session session, ServerError? error) => CommandTelemetry.End(session, _connection!.Source, error);

    private readonly struct Request(ProviderCommand command, Goal goal, ScalarTarget? scalar, CommandBehavior behavior) : IRequest
    {
        public bool DependsOnReset(Session session) => command.DependsOnReset(session);

        public bool CoversQuestion(Session session) => command.CoversQuestion(session);

        public void Encode(Session session) => command.Encode(session, goal, behavior, scalar);
    }
}
