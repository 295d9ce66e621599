using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol;

namespace Slipstream.MySql.Conversations;

// The rows of a result, and those that are larger than the buffer.
internal sealed partial class CommandExchange
{
    /// <summary>Takes the row that has been set. True if it is an outcome.</summary>
    private bool TakeRow()
    {
        if (Use.ShowsRows())
            return true;
        if (Use == RowUse.Scalar)
            KeepScalar();
        return false;
    }

    private void KeepScalar()
    {
        try
        {
            TakeScalar(_row);
        }
        catch (Exception exception) when (exception is not ProtocolException)
        {
            // The value is not available as that type: the exchange goes on to its end, the session stays in sync.
            ScalarFailure = exception;
        }
    }

    // A row that has not arrived whole: wait for the rest, or take it apart while it arrives.
    private Step MissingRow(Wire wire) => IncomingPackets.PeekLength(wire) < _splitFrom ? Step.Receive : TakeApart(wire);

    // A row that has arrived whole, and was taken, is read in the same way as one that has not.
    private Step TakeBack(Wire wire, int at)
    {
        wire.Start = at - Packets.HeaderLength;
        wire.Sequence--;
        return TakeApart(wire);
    }

    private Step TakeApart(Wire wire)
    {
        _awaiting = Awaiting.LargeRow;
        var use = Use switch
        {
            RowUse.Shown or RowUse.Scalar => LargeRowUse.Hold,
            RowUse.Streamed => LargeRowUse.Pass,
            _ => LargeRowUse.Skip,
        };
        _large.Begin(wire, _metadata!, _prepared is not null, use);
        return AdvanceLargeRow(wire) ?? Advance(wire);
    }

    /// <summary>Returns null if the large row is behind us and is not an outcome, or was shown before.</summary>
    private Step? AdvanceLargeRow(Wire wire)
    {
        if (Part is not null)
        {
            // It was shown, and the caller has moved on.
            Part = null;
            _large.SkipRest();
        }

        if (_large.Advance(wire) == Step.Receive)
            return Step.Receive;
        if (_large.IsSkipped)
        {
            _awaiting = Awaiting.Rows;
            return null;
        }

        if (Use == RowUse.Streamed)
        {
            Part = _large;
            return Step.Row;
        }

        _awaiting = Awaiting.Rows;
        return TakeRow() ? Step.Row : null;
    }
}
