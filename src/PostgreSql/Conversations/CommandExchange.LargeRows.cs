using System.Buffers.Binary;
using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Protocol;

namespace Slipstream.PostgreSql.Conversations;

// Rows larger than the buffer.
internal sealed partial class CommandExchange
{
    // Output parameters are filled from the whole row.
    private bool IsStreaming => _isSequential && _goal == Goal.Rows && _outputs is null;

    // A row that has arrived whole, and was taken, is read as one is that has not.
    private bool TakeBack(Wire wire, int start, int end)
    {
        if (end - start < MessagePart.StreamedFrom)
            return false;
        wire.Start = start - Frame.HeaderLength;
        return BeginLarge(wire);
    }

    // True when the message that is not there yet is a row too large to wait for as a whole: it is read, or dropped, as it comes.
    private bool BeginLarge(Wire wire)
    {
        if (_awaited != Awaited.Rows || _row.Metadata is not { } metadata || wire.Buffered < Frame.HeaderLength || wire.In[wire.Start] != (byte)BackendMessage.DataRow)
            return false;
        var length = BinaryPrimitives.ReadInt32BigEndian(wire.In.AsSpan(wire.Start + 1)) - 4;
        if (IsStreaming ? length < MessagePart.StreamedFrom : length < LargeRow.LargeValue || (!wire.Levers.PassesLargeValues && length <= maxValueBytes))
            return false;
        wire.Start += Frame.HeaderLength;
        wire.Want = 0;
        if (IsUnwanted)
        {
            _drop = length;
            return true;
        }

        if (!IsStreaming && length > maxRowBytes)
            throw LargeRow.TooLarge(maxRowBytes);
        _large ??= new LargeRow(_row, maxValueBytes, maxRowBytes);
        _large.Begin(length, metadata.Count, IsStreaming);
        _inLargeRow = true;
        return true;
    }

    // Goes on with a large row, or leaves it when it was handed out before. Null when it has been left.
    private Step? AdvanceLarge(Wire wire)
    {
        if (Part is not null)
        {
            if (!_large!.TryFinish(wire))
                return Step.Receive;
            Part = null;
            _inLargeRow = false;
            return null;
        }

        if (_large!.Advance(wire) is var step && step != Step.Completed)
            return step;
        if (_large.IsSequential)
        {
            Part = _large;
            return Step.Row;
        }

        _inLargeRow = false;
        return HandOut();
    }

    private bool Drop(Wire wire)
    {
        var count = (int)Math.Min(_drop, wire.Buffered);
        wire.Start += count;
        _drop -= count;
        return _drop == 0;
    }
}
