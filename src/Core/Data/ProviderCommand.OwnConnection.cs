using System.Data;
using System.Data.Common;
using System.Runtime.CompilerServices;
using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Data;

/// <content>Commands of a data source: their connection is open while they run, on a session of their own or on one that others use at the same time.</content>
public abstract partial class ProviderCommand
{
    /// <summary>True for a command of a data source: its connection is open while it runs, and no longer.</summary>
    protected bool OpensItsConnection
    {
        get => Has(Said.OpensItsConnection);
        set => Set(Said.OpensItsConnection, value);
    }

    /// <summary>
    /// Whether the command, as it is now, could run on a session that others use at the same time:
    /// what it does, and what it would wait for, must not concern them.
    /// </summary>
    protected virtual bool CanShare(CommandBehavior behavior) => false;

    /// <summary>Of a command that could: whether it does so now, because it is known to be small and quick.</summary>
    protected virtual bool IsQuick => false;

    /// <summary>How a command that could share has run.</summary>
    /// <param name="wasShared">False when it had a session of its own.</param>
    /// <param name="microseconds">How long it took; when shared, while nobody else's answer was awaited first.</param>
    /// <param name="bytes">How much was answered; of a reader on a session of its own what came before its first row.</param>
    /// <param name="failed">An exception is on its way to the caller.</param>
    protected virtual void Ran(bool wasShared, long microseconds, long bytes, bool failed)
    {
        // Only a provider that shares sessions wants to know.
    }

    private bool OpensNow => OpensItsConnection && _connection is { State: ConnectionState.Closed };

    /// <exception cref="NotSupportedException">It is a command of a data source.</exception>
    private void ThrowIfOpensItsConnection(bool unless)
    {
        if (OpensItsConnection && !unless)
            throw new NotSupportedException("A command of a data source has no connection or transaction that could be set: make one with CreateCommand of a connection.");
    }

    private T InOwnConnection<T>(Func<ProviderCommand, T> execute)
    {
        OpenConnection.Open();
        try
        {
            return execute(this);
        }
        finally
        {
            OpenConnection.Close();
        }
    }

    private ProviderDataReader ReaderInOwnConnection(CommandBehavior behavior)
    {
        OpenConnection.Open();
        try
        {
            return ExecuteProviderReader(behavior | CommandBehavior.CloseConnection);
        }
        catch
        {
            OpenConnection.Close();
            throw;
        }
    }

    private async Task<object?> ScalarInOwnConnection(CancellationToken cancellationToken)
    {
        var run = await BeginRunAsync(CommandBehavior.Default, cancellationToken).ConfigureAwait(false);
        var isDone = false;
        try
        {
            var result = await ExecuteScalarAsync(cancellationToken).ConfigureAwait(false);
            isDone = true;
            return result;
        }
        finally
        {
            EndRun(run, isDone, closes: true);
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<T?> TypedScalarInOwnConnection<T>(CancellationToken cancellationToken)
    {
        var run = await BeginRunAsync(CommandBehavior.Default, cancellationToken).ConfigureAwait(false);
        var isDone = false;
        try
        {
            var result = await ExecuteScalarAsync<T>(cancellationToken).ConfigureAwait(false);
            isDone = true;
            return result;
        }
        finally
        {
            EndRun(run, isDone, closes: true);
        }
    }

    private async Task<int> CountInOwnConnection(CancellationToken cancellationToken)
    {
        var run = await BeginRunAsync(CommandBehavior.Default, cancellationToken).ConfigureAwait(false);
        var isDone = false;
        try
        {
            var result = await ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
            isDone = true;
            return result;
        }
        finally
        {
            EndRun(run, isDone, closes: true);
        }
    }

    private async Task<TReader> ReaderInOwnConnection<TReader>(CommandBehavior behavior, CancellationToken cancellationToken)
        where TReader : DbDataReader
    {
        var run = await BeginRunAsync(behavior, cancellationToken).ConfigureAwait(false);
        var isDone = false;
        try
        {
            var reader = await ExecuteProviderReaderAsync<TReader>(behavior | CommandBehavior.CloseConnection, cancellationToken).ConfigureAwait(false);
            isDone = true;
            return reader;
        }
        finally
        {
            EndRun(run, isDone, closes: !isDone);
        }
    }

    // On a shared session when that may be and there is one; then nothing is waited for.
    private ValueTask<Lease> BeginRunAsync(CommandBehavior behavior, CancellationToken cancellationToken)
    {
        var connection = OpenConnection;
        if (connection.Source.Sharing is not { } sharing || System.Transactions.Transaction.Current is not null || !CanShare(behavior))
            return OpenAloneAsync(connection, cancellationToken);
        sharing.Enter();
        try
        {
            // Alone, it says what is wrong with it: disposed, for instance.
            if (!Has(Said.IsDisposed) && IsQuick && sharing.TryLease() is { } session)
            {
                connection.OpenOn(session);
                return new(new Lease(sharing, session, 0, session.Wire.Received));
            }
        }
        catch
        {
            sharing.Leave();
            throw;
        }

        return OpenNotSharedAsync(connection, sharing, cancellationToken);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private static async ValueTask<Lease> OpenAloneAsync(ProviderConnection connection, CancellationToken cancellationToken)
    {
        await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
        return default;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private static async ValueTask<Lease> OpenNotSharedAsync(ProviderConnection connection, SharedSessions sharing, CancellationToken cancellationToken)
    {
        try
        {
            await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            sharing.Leave();
            throw;
        }

        var session = connection.Session;
        return new Lease(sharing, session, Clock.Microseconds, session.Wire.Received);
    }

    private void EndRun(in Lease run, bool isDone, bool closes)
    {
        if (run.Sharing is { } sharing)
        {
            sharing.Leave();
            var session = run.Session!;
            var shared = session.Wire.Transport as SharedTransport;
            Ran(shared is not null, shared?.ServiceMicroseconds ?? Clock.Microseconds - run.Began, shared?.AnswerBytes ?? session.Wire.Received - run.Received, !isDone);
        }

        if (closes)
            OpenConnection.Close();
    }

    private readonly record struct Lease(SharedSessions? Sharing, Session? Session, long Began, long Received);
}
