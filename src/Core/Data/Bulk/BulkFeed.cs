using System.Runtime.CompilerServices;
using Slipstream.Core.Conversations;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <summary>
/// Fills a bulk exchange with rows of a source, whenever the exchange requests it. An exception of the source is kept until the end of the exchange.
/// </summary>
/// <param name="session">The session that receives the rows. An interruption of its operation ends the rows.</param>
/// <param name="exchange">The exchange to fill.</param>
/// <param name="source">The source of the rows.</param>
/// <param name="row">Writes the values of a row.</param>
/// <param name="notifyAfter">Number of rows after which <paramref name="notify"/> is called; 0: never.</param>
/// <param name="notify">Receives the number of rows. If it returns false, the rows end.</param>
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

    // Pooled: called for every packet, and most sources are faster than the server.
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
