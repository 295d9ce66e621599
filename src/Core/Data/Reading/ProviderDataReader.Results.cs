using System.Data;
using System.Data.Common;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Data;

// Moving to the next result set, and skipping the remaining ones.
public abstract partial class ProviderDataReader
{
    /// <summary>Moves to the next result set and skips the remaining rows of the current one.</summary>
    /// <returns>False if there is no further result set.</returns>
    /// <exception cref="DbException">The server sent an error, or the connection was lost.</exception>
    /// <exception cref="InvalidOperationException">The reader is closed.</exception>
    public override bool NextResult()
    {
        ThrowIfClosed();
        if ((Behavior & CommandBehavior.SingleResult) != 0 || !ToNextResult())
            return EndOfResults(SkipAll());
        try
        {
            while (_place is Place.OnRow or Place.BeforeFirst or Place.AfterSingleRow)
                Moved(Wait());
            if (!_exchange.HasMoreResults || _exchange.IsCompleted)
                return EndOfResults(Step.Completed);
            _exchange.NextResult();
            var step = Wait();
            if (step == Step.Metadata)
                Start(Wait());
            else
                EndOfResults(step);
        }
        catch (Exception exception) when (exception is not DbException and not OperationCanceledException)
        {
            throw Failed(exception);
        }

        ThrowRefusal();
        ThrowFailure();
        return _place != Place.Nowhere;
    }

    /// <summary>Moves to the next result set asynchronously and skips the remaining rows of the current one.</summary>
    /// <param name="cancellationToken">Stops the command on the server; the reader then has no more results.</param>
    /// <returns>False if there is no further result set.</returns>
    /// <exception cref="DbException">The server sent an error, or the connection was lost.</exception>
    /// <exception cref="InvalidOperationException">The reader is closed.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public override async Task<bool> NextResultAsync(CancellationToken cancellationToken)
    {
        ThrowIfClosed();
        if (cancellationToken.IsCancellationRequested)
            return await Canceled<bool>(cancellationToken).ConfigureAwait(false);
        if ((Behavior & CommandBehavior.SingleResult) != 0 || !ToNextResult())
            return EndOfResults(await SkipAllAsync().ConfigureAwait(false));
        try
        {
            while (_place is Place.OnRow or Place.BeforeFirst or Place.AfterSingleRow)
                Moved(await WaitAsync(cancellationToken).ConfigureAwait(false));
            if (!_exchange.HasMoreResults || _exchange.IsCompleted)
                return EndOfResults(Step.Completed);
            _exchange.NextResult();
            var step = await WaitAsync(cancellationToken).ConfigureAwait(false);
            if (step == Step.Metadata)
                Start(await WaitAsync(cancellationToken).ConfigureAwait(false));
            else
                EndOfResults(step);
        }
        catch (Exception exception) when (exception is not DbException and not OperationCanceledException)
        {
            throw Failed(exception);
        }

        ThrowRefusal();
        ThrowFailure();
        return _place != Place.Nowhere;
    }

    private bool ToNextResult()
    {
        if (_place == Place.BeforeFirst)
            _place = Place.OnRow;
        return !_exchange.IsCompleted || _exchange.HasMoreResults;
    }

    private Step SkipAll()
    {
        if (_exchange.IsCompleted)
            return Step.Completed;
        _exchange.SkipRest();
        try
        {
            return Wait();
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }
    }

    private async ValueTask<Step> SkipAllAsync()
    {
        if (_exchange.IsCompleted)
            return Step.Completed;
        _exchange.SkipRest();
        try
        {
            return await WaitAsync(default).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw Failed(exception);
        }
    }

    private bool EndOfResults(Step step)
    {
        _place = Place.Nowhere;
        _flags &= ~ReaderFlags.HasRows;
        if (step == Step.Completed && _exchange.IsCompleted)
            EndExchange();
        return false;
    }
}
