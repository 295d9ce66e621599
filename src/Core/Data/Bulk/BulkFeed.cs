using System.Runtime.CompilerServices;
using Slipstream.Core.Conversations;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <summary>Fills a bulk exchange from a source, as often as it asks. What the source throws is kept for the end of the exchange.</summary>
/// <param name="session">Where the rows go: an interruption of its operation ends the rows.</param>
/// <param name="exchange">What asks.</param>
/// <param name="source">Supplies the rows.</param>
/// <param name="row">Where a row's values are written.</param>
/// <param name="notifyAfter">After so many rows <paramref name="notify"/> is called; 0 for never.</param>
/// <param name="notify">Gets the number of rows; false ends the rows.</param>
internal sealed class BulkFeed<TRow>(Session session, BulkExchange exchange, BulkSource<TRow> source, TRow row, int notifyAfter, Func<long, bool> notify)
    : ExternalSource where TRow : struct, IBulkRow
{
    private long _nextNotice = notifyAfter > 0 ? notifyAfter : long.MaxValue;
    private bool _isMapped;
    private bool _isInRow;

    public override void Wait()
    {
        try
        {
            Map();
            while (IsWanted)
            {
                if (!source.MoveNext())
                {
                    exchange.IsAtEnd = true;
                    return;
                }

                Take();
            }
        }
        catch (Exception exception)
        {
            exchange.Fail(exception, _isInRow);
        }
    }

    // Pooled: asked for every packet, and most sources are ahead of the server.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public override async ValueTask WaitAsync()
    {
        try
        {
            Map();
            while (IsWanted)
            {
                if (!await source.MoveNextAsync().ConfigureAwait(false))
                {
                    exchange.IsAtEnd = true;
                    return;
                }

                Take();
            }
        }
        catch (Exception exception)
        {
            exchange.Fail(exception, _isInRow);
        }
    }

    private bool IsWanted => !exchange.IsFull && !exchange.IsAtEnd && session.Operation.Interruption == Interruption.None;

    private void Map()
    {
        if (_isMapped)
            return;
        _isMapped = true;
        source.Map(exchange.SourceOrdinals);
    }

    private void Take()
    {
        _isInRow = true;
        source.Write(row);
        exchange.EndRow();
        _isInRow = false;
        if (exchange.RowsTaken < _nextNotice)
            return;
        _nextNotice += notifyAfter;
        exchange.IsAtEnd |= !notify(exchange.RowsTaken);
    }
}
