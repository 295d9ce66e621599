using System.Data;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;

namespace Slipstream.BadPeers.MySql;

/// <summary>
/// The largest value that the protocol's documents allow, four times the largest value that a server sends. The test therefore implements the server's side of
/// the wire itself.
/// </summary>
[Collection(nameof(Alone))]
public sealed class LargestValueTests
{
    private const long Size = uint.MaxValue;

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, true)]
    [InlineData(false, false)]
    [InlineData(true, false)]
    public async Task A_value_of_4_GiB_less_a_byte_is_streamed_or_passed_over_in_constant_memory(bool asynchronously, bool reads)
    {
        // Without the query that the driver sends before the next command after a large result: this peer answers each write with the next prepared answer.
        await using var source = new MySqlDataSourceBuilder(
            "Server=db.example;User ID=somebody;Password=open sesame;SSL Mode=None;Pooling=false;Pipelining Mode=On;Server Send Buffer=0")
            .UseStreamFactory(static (_, _, _) => new Wire(), static (_, _, _) => new(new Wire())).Build();
        await using var connection = asynchronously ? await source.OpenConnectionAsync() : source.OpenConnection();
        await using var command = new MySqlCommand("SELECT large, small", connection);
        var before = GC.GetAllocatedBytesForCurrentThread();
        await using (
            var reader =
                asynchronously ? await command.ExecuteReaderAsync(CommandBehavior.SequentialAccess) : command.ExecuteReader(CommandBehavior.SequentialAccess))
        {
            Assert.True(asynchronously ? await reader.ReadAsync() : reader.Read());
            if (reads)
            {
                Assert.Equal(Size, reader.GetBytes(0, 0, null, 0, 0));
                var stream = reader.GetStream(0);
                var (piece, read) = (new byte[256 * 1024], 0L);
                while ((asynchronously ? await stream.ReadAsync(piece) : stream.Read(piece)) is > 0 and var count)
                {
                    if (piece[0] != 'x' || piece[count - 1] != 'x')
                        Assert.Fail($"a wrong byte in the {count} bytes at {read}");
                    read += count;
                }

                Assert.Equal(Size, read);
                Assert.Equal(Size, stream.Position);
            }

            Assert.Equal("end", reader.GetString(1));
            Assert.False(asynchronously ? await reader.ReadAsync() : reader.Read());
        }

        if (!asynchronously)
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 4 << 20);
        command.CommandText = "SELECT 42";
        Assert.Equal("42", asynchronously ? await command.ExecuteScalarAsync() : command.ExecuteScalar());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Held_it_would_not_fit_and_nothing_is_reserved_for_it(bool asynchronously)
    {
        await using var source =
            new MySqlDataSourceBuilder("Server=db.example;User ID=somebody;Password=open sesame;SSL Mode=None;Pooling=false;Pipelining Mode=On")
            .UseStreamFactory(static (_, _, _) => new Wire(), static (_, _, _) => new(new Wire())).Build();
        await using var connection = asynchronously ? await source.OpenConnectionAsync() : source.OpenConnection();
        await using var command = new MySqlCommand("SELECT large, small", connection);
        var failure = await Assert.ThrowsAsync<MySqlException>(async () =>
        {
            await using var reader = asynchronously ? await command.ExecuteReaderAsync() : command.ExecuteReader();
            _ = asynchronously ? await reader.ReadAsync() : reader.Read();
        });
        Assert.Equal(Core.Errors.ErrorKind.ValueTooLarge, failure.Kind);
        Assert.Contains("SequentialAccess", failure.Message, StringComparison.Ordinal);
        Assert.Equal(ConnectionState.Closed, connection.State);
    }

    // Answers each of the client's writes with the next prepared answer, and generates the large value while it is read.
    private sealed class Wire : Stream
    {
        private const int MaxPayload = 0xFFFFFF;
        private const int FirstOfRow = 4;
        private static readonly byte[] _head = MySqlWords.Long(Size);
        private static readonly byte[] _tail = MySqlWords.Text("end");
        private static readonly long _row = _head.Length + Size + _tail.Length;

        private byte[] _bytes = MySqlWords.Greeting();
        private int _at;
        private int _turn;
        private long _rowAt = _row;
        private int _packetLeft;
        private int _sequence;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        public override int Read(Span<byte> buffer)
        {
            if (_at < _bytes.Length)
            {
                var count = Math.Min(buffer.Length, _bytes.Length - _at);
                _bytes.AsSpan(_at, count).CopyTo(buffer);
                _at += count;
                return count;
            }

            if (_rowAt == _row)
                return 0;
            if (_packetLeft == 0)
            {
                _packetLeft = (int)Math.Min(MaxPayload, _row - _rowAt);
                Send(MySqlWords.Header(_packetLeft, _sequence++ & 0xFF));
                return Read(buffer);
            }

            return ReadRow(buffer[..Math.Min(buffer.Length, _packetLeft)]);
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));

        public override void Write(ReadOnlySpan<byte> buffer) => Answer();

        public override void Write(byte[] buffer, int offset, int count) => Answer();

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Answer();
            return default;
        }

        public override void Flush()
        {
            // Nothing is buffered.
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        private int ReadRow(Span<byte> room)
        {
            var inside = _rowAt - _head.Length;
            int count;
            if (inside < 0)
            {
                count = Math.Min(room.Length, -(int)inside);
                _head.AsSpan((int)_rowAt, count).CopyTo(room);
            }
            else if (inside < Size)
            {
                count = (int)Math.Min(room.Length, Size - inside);
                room[..count].Fill((byte)'x');
            }
            else
            {
                count = (int)Math.Min(room.Length, _row - _rowAt);
                _tail.AsSpan((int)(inside - Size), count).CopyTo(room);
            }

            _rowAt += count;
            _packetLeft -= count;
            if (_rowAt == _row)
                Send(MySqlWords.End(_sequence & 0xFF));
            return count;
        }

        private void Answer()
        {
            switch (_turn++)
            {
                case 0:
                    Send([.. MySqlWords.AuthMore(2, 3), .. MySqlWords.Ok(3)]);
                    break;
                case 1:
                    Send(MySqlWords.Columns(1, MySqlWords.StringType, "large", "small"));
                    (_rowAt, _packetLeft, _sequence) = (0, 0, FirstOfRow);
                    break;
                default:
                    Send([.. MySqlWords.Columns(1, MySqlWords.StringType, "answer"), .. MySqlWords.TextRow(3, "42"), .. MySqlWords.End(4)]);
                    break;
            }
        }

        private void Send(byte[] bytes) => (_bytes, _at) = (bytes, 0);
    }
}
