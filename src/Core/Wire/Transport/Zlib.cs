using System.IO.Compression;

namespace Slipstream.Core.Wires;

/// <summary>
/// zlib (RFC 1950) for independent pieces of bytes. The runtime's streams have no reset, so each piece needs a new one. The streams below them are reused.
/// </summary>
internal sealed class Zlib : IDisposable
{
    private readonly Target _target = new();
    private readonly Source _source = new();
    private ZLibStream? _inflating;

    /// <summary>Compresses a piece.</summary>
    /// <param name="bytes">The piece.</param>
    /// <param name="room">The destination. A result that does not fit would save nothing.</param>
    /// <returns>The compressed length; 0 if the result did not fit.</returns>
    public int Deflate(ReadOnlySpan<byte> bytes, Memory<byte> room)
    {
        _target.Begin(room);
        using (var zlib = new ZLibStream(_target, CompressionLevel.Fastest, leaveOpen: true))
            zlib.Write(bytes);
        return _target.End();
    }

    /// <summary>Begins decompressing a piece, which must not change until <see cref="End"/>.</summary>
    public void Begin(ReadOnlyMemory<byte> bytes)
    {
        _inflating?.Dispose();
        _source.Begin(bytes);
        _inflating = new(_source, CompressionMode.Decompress, leaveOpen: true);
    }

    /// <summary>Decompresses as many bytes as fit into <paramref name="room"/>. Returns 0 at the end of the piece, or if it is truncated.</summary>
    /// <exception cref="InvalidDataException">The bytes are not valid zlib data, or their checksum is wrong.</exception>
    /// <exception cref="IOException">The data uses a feature of zlib that is not supported here, such as a dictionary.</exception>
    public int Inflate(Span<byte> room) => _inflating!.Read(room);

    /// <summary>Checks that the piece has ended, and its checksum.</summary>
    /// <returns>False if the piece contains more data.</returns>
    /// <exception cref="InvalidDataException">The checksum is wrong.</exception>
    public bool End()
    {
        Span<byte> more = stackalloc byte[1];
        var isAtEnd = Inflate(more) == 0;
        Dispose();
        return isAtEnd;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _inflating?.Dispose();
        _inflating = null;
        _source.Begin(default);
    }

    private abstract class Piece : Stream
    {
        public override bool CanSeek => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override void Flush()
        {
            // Nothing is buffered.
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();
    }

    private sealed class Source : Piece
    {
        private ReadOnlyMemory<byte> _left;

        public override bool CanRead => true;

        public override bool CanWrite => false;

        public void Begin(ReadOnlyMemory<byte> bytes) => _left = bytes;

        public override int Read(Span<byte> buffer)
        {
            var count = Math.Min(buffer.Length, _left.Length);
            _left.Span[..count].CopyTo(buffer);
            _left = _left[count..];
            return count;
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }

    private sealed class Target : Piece
    {
        private Memory<byte> _room;
        private int _length;

        public override bool CanRead => false;

        public override bool CanWrite => true;

        public void Begin(Memory<byte> room) => (_room, _length) = (room, 0);

        public int End()
        {
            var length = _length <= _room.Length ? _length : 0;
            _room = default;
            return length;
        }

        // Bytes that do not fit are counted and dropped.
        public override void Write(ReadOnlySpan<byte> buffer)
        {
            if (buffer.Length <= _room.Length - _length)
                buffer.CopyTo(_room.Span[_length..]);
            else
                _length = _room.Length;
            _length += buffer.Length;
        }

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
