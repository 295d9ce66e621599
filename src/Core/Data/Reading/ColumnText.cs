using System.Text;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Data;

/// <summary>A large column's value as characters, read forward only from the wire with two small buffers, whatever its length.</summary>
internal sealed class ColumnText
{
    private readonly Decoder _decoder = new UTF8Encoding(false).GetDecoder();
    private readonly byte[] _bytes = new byte[4096];
    private readonly char[] _characters = new char[4096 + 1];
    private int _at;
    private int _end;
    private bool _isAtEnd;
    private int _row;
    private int _ordinal;
    // Number of the value's bytes that have been taken from the wire.
    private long _bytesTaken;

    /// <summary>The error that the reader has already thrown.</summary>
    public ServerError? Reported { get; set; }

    /// <summary>Number of characters that have been returned.</summary>
    public long Position { get; private set; }

    /// <summary>Starts at the beginning of a value.</summary>
    /// <param name="row">Number of the row.</param>
    /// <param name="ordinal">The column.</param>
    public void Begin(int row, int ordinal)
    {
        (_row, _ordinal) = (row, ordinal);
        _decoder.Reset();
        (_at, _end, _isAtEnd) = (0, 0, false);
        (Position, _bytesTaken) = (0, 0);
    }

    /// <summary>Whether reading continues at this position. Decoded characters of another value are never returned for this one.</summary>
    public bool IsAt(int row, int ordinal, long bytes) => row == _row && ordinal == _ordinal && bytes == _bytesTaken;

    /// <summary>Returns at least one character, or 0 at the end of the value.</summary>
    public int Read(ProviderDataReader reader, int ordinal, Span<char> target)
    {
        while (_at == _end && !_isAtEnd)
        {
            var count = reader.ReadFromWire(ordinal, _bytes);
            _bytesTaken += count;
            _isAtEnd = count == 0;
            // A character that the end of the value cuts off becomes the replacement character.
            (_at, _end) = (0, _decoder.GetChars(_bytes.AsSpan(0, count), _characters, flush: _isAtEnd));
        }

        var taken = Math.Min(target.Length, _end - _at);
        _characters.AsSpan(_at, taken).CopyTo(target);
        _at += taken;
        Position += taken;
        return taken;
    }
}
