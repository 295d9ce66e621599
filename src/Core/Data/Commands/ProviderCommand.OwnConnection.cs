using System.Data;
using System.Data.Common;
using System.Runtime.CompilerServices;

namespace Slipstream.Core.Data;

/// <content>Commands of a data source, whose connection is open only while they run.</content>
public abstract partial class ProviderCommand
{
    /// <summary>Whether the command belongs to a data source: its connection is open only while the command runs.</summary>
    private protected bool OpensItsConnection
    {
        get => Has(CommandFlags.OpensItsConnection);
        set => Set(CommandFlags.OpensItsConnection, value);
    }

    private bool OpensNow => OpensItsConnection && _connection is { State: ConnectionState.Closed };

    /// <summary>Throws if the connection or transaction of a data source's command is set.</summary>
    /// <exception cref="NotSupportedException">The command belongs to a data source.</exception>
    private void ThrowIfOpensItsConnection(bool unless)
    {
        if (OpensItsConnection && !unless)
            throw new NotSupportedException("The connection and the transaction of a data source's command cannot be set: create the command with the "
                + "connection's CreateCommand.");
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
        await OpenConnection.OpenAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await ExecuteScalarAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            OpenConnection.Close();
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<T?> TypedScalarInOwnConnection<T>(CancellationToken cancellationToken)
    {
        await OpenConnection.OpenAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await ExecuteScalarAsync<T>(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            OpenConnection.Close();
        }
    }

    private async Task<int> CountInOwnConnection(CancellationToken cancellationToken)
    {
        await OpenConnection.OpenAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            OpenConnection.Close();
        }
    }

    private async Task<TReader> ReaderInOwnConnection<TReader>(CommandBehavior behavior, CancellationToken cancellationToken)
        where TReader : DbDataReader
    {
        await OpenConnection.OpenAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await ExecuteProviderReaderAsync<TReader>(behavior | CommandBehavior.CloseConnection, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            OpenConnection.Close();
            throw;
        }
    }
}
