using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// The messages of a COPY … FROM STDIN, as they are written, and the rows of the binary format in them. A message may end anywhere, also inside a row.
/// </summary>
internal sealed class CopyRows
{
    /// <summary>The length of a message, in bytes. Larger ones gain nothing; the server parses one while the next is written.</summary>
    public const int MessageLength = 64 * 1024;

    private const int BetweenRows = -1;

    private int _message = -1;
    private int _column = BetweenRows;

    /// <summary>The number of values in a row.</summary>
    public int Columns { get; set; }

    /// <summary>The number of values of the current row that have been written; −1 between two rows.</summary>
    public int Column => _column;

    /// <summary>Whether a message has begun and not ended.</summary>
    public bool IsInMessage => _message >= 0;

    /// <summary>Begins a message, unless one has begun.</summary>
    public void BeginMessage(ByteWriter writer)
    {
        if (_message < 0)
            _message = CopyData.Begin(writer);
    }

    /// <summary>Ends the message that has begun, if there is one.</summary>
    public void EndMessage(ByteWriter writer)
    {
        if (_message < 0)
            return;
        var start = _message;
        _message = -1;
        writer.End(start);
    }

    /// <summary>Forgets the message that has begun: its bytes were removed from the writer.</summary>
    public void ForgetMessage() => _message = -1;

    /// <summary>Begins a row.</summary>
    public void BeginRow(ByteWriter writer)
    {
        writer.Int16BigEndian((short)Columns);
        _column = 0;
    }

    /// <summary>Counts the next value of the row.</summary>
    /// <returns>The index of its column.</returns>
    /// <exception cref="InvalidOperationException">The row has all its values already.</exception>
    public int NextColumn()
    {
        RequireColumns(_column + 1);
        return _column++;
    }

    /// <summary>Checks the number of a row's values, before the first one is written.</summary>
    /// <exception cref="InvalidOperationException">There are more values than columns.</exception>
    public void RequireColumns(int values)
    {
        if (values > Columns)
            throw new InvalidOperationException($"The row has more values than the {Columns} columns that the copy fills.");
    }

    /// <summary>Ends the row.</summary>
    /// <exception cref="InvalidOperationException">The row has too few values.</exception>
    public void EndRow()
    {
        if (_column != Columns)
            throw new InvalidOperationException($"The row has {Math.Max(_column, 0)} values, but the copy fills {Columns} columns.");
        _column = BetweenRows;
    }

    /// <summary>Drops the unfinished row, whose bytes the caller removes from the writer.</summary>
    public void DropRow() => _column = BetweenRows;

    /// <summary>Takes back the last value of the row, whose bytes the caller removes from the writer.</summary>
    public void DropValue() => _column--;
}
