using System.Buffers.Binary;
using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Protocol;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>Rows that are too large to wait for as a whole: they are read, or dropped, as their bytes arrive.</summary>
/// <param name="row">Gets the values of the rows that are read.</param>
/// <param name="maxValueBytes">Bytes of a value from which the session ends instead of filling the memory.</param>
/// <param name="maxRowBytes">The most bytes of a row that are held at once.</param>
internal sealed class LargeRows(PgRow row, long maxValueBytes, long maxRowBytes)
{
    private LargeRow? _reader;
    private long _toDrop;

    /// <summary>Whether the caller reads large values from the wire (<c>SequentialAccess</c>).</summary>
    public bool AreSequential { get; set; }

    /// <summary>Reads the row that <see cref="TryBegin"/> found, if it is wanted.</summary>
    public LargeRow Reader => _reader!;

    /// <summary>Moves back before a row that has arrived completely if it is so large that it is read like one that has not.</summary>
    public static bool TryReturn(Wire wire, int start, int end)
    {
        if (end - start < MessagePart.StreamedFrom)
            return false;
        wire.Start = start - Frame.HeaderLength;
        return true;
    }

    /// <summary>
    /// Takes the header of the message that has begun to arrive, if it is a large row. <see cref="Reader"/> or <see cref="TryDrop"/> takes the rest.
    /// </summary>
    /// <param name="wire">Has the message.</param>
    /// <param name="columns">How many columns the row has.</param>
    /// <param name="streams">The caller reads its large values from the wire.</param>
    /// <param name="isWanted">False: the row is dropped.</param>
    public bool TryBegin(Wire wire, int columns, bool streams, bool isWanted)
    {
        if (wire.Buffered < Frame.HeaderLength || wire.In[wire.Start] != (byte)BackendMessage.DataRow)
            return false;
        var length = BinaryPrimitives.ReadInt32BigEndian(wire.In.AsSpan(wire.Start + 1)) - 4;
        if (streams
            ? length < MessagePart.StreamedFrom
            : length < LargeRow.LargeValue || (!wire.Optimizations.PassesLargeValues && length <= maxValueBytes))
        {
            return false;
        }

        wire.Start += Frame.HeaderLength;
        wire.Want = 0;
        if (!isWanted)
        {
            _toDrop = length;
            return true;
        }

        if (!streams && length > maxRowBytes)
            throw LargeRow.TooLarge(maxRowBytes);
        _reader ??= new LargeRow(row, maxValueBytes, maxRowBytes);
        _reader.Begin(length, columns, streams);
        return true;
    }

    /// <summary>Releases the values of the last row.</summary>
    public void Leave() => _reader?.Leave();

    /// <summary>Drops what has arrived of an unwanted row. False if more follows.</summary>
    public bool TryDrop(Wire wire)
    {
        var count = (int)Math.Min(_toDrop, wire.Buffered);
        wire.Start += count;
        _toDrop -= count;
        return _toDrop == 0;
    }
}
