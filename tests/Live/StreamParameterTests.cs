using System.Data;
using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>Values of unknown length: streams and readers as parameters of prepared commands.</summary>
public class StreamParameterTests
{
    public static TheoryData<ServerKind, bool> Ways => new()
    {
        { ServerKind.MySql, false }, { ServerKind.MySql, true }, { ServerKind.MariaDb, false }, { ServerKind.MariaDb, true }, { ServerKind.MariaDb11, false },
        { ServerKind.MariaDb11, true },
    };

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_value_that_cannot_be_written_behind_its_preparation_leaves_the_connection_open(ServerKind kind, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var connection = await OpenAsync(kind, mode);
        foreach (var unknown in (bool[])[false, true])
        {
            // A statement that SQL prepares uses a statement number: the driver has to wait for the answer to the next PREPARE.
            if (unknown)
                await Execute(connection, mode, "PREPARE other FROM 'DO 1'");
            await using var command = new MySqlCommand("SELECT @value + 1", connection);
            command.Parameters.AddWithValue("@value", double.NaN);
            await mode.Prepare(command);
            await Assert.ThrowsAsync<ArgumentException>(() => mode.NonQuery(command));
            await Assert.ThrowsAsync<ArgumentException>(() => mode.Scalar(command));
            Assert.Equal(ConnectionState.Open, connection.State);
            command.Parameters[0].Value = 1.5;
            Assert.Equal(2.5, await mode.Scalar(command));
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Streams_and_readers_of_any_length_are_sent(ServerKind kind, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var connection = await OpenAsync(kind, mode);
        await Execute(connection, mode, "CREATE TEMPORARY TABLE streams (id int, bytes longblob, words longtext CHARACTER SET utf8mb4)");
        await using var insert = new MySqlCommand("INSERT INTO streams VALUES (@id, @bytes, @words)", connection);
        await mode.Prepare(insert);
        var id = 0;
        foreach (var size in new[] { 0, 1, 65_535, 65_536, 1_000_000 })
        {
            var bytes = new byte[size];
            new Random(size).NextBytes(bytes);
            // Four-byte characters, which are two UTF-16 units, at odd positions.
            var words = string.Concat("x", string.Concat(Enumerable.Repeat("😀é", size / 3)));
            insert.Parameters.Clear();
            insert.Parameters.AddWithValue("@id", ++id);
            insert.Parameters.AddWithValue("@bytes", new Trickle(bytes));
            insert.Parameters.Add(new MySqlParameter<TextReader>("@words", new StringReader(words)));
            Assert.Equal(1, await mode.NonQuery(insert));

            await using var select = new MySqlCommand($"SELECT bytes, words FROM streams WHERE id = {id}", connection);
            await using var reader = await mode.Reader(select);
            Assert.True(await mode.Read(reader));
            Assert.True(bytes.AsSpan().SequenceEqual(reader.GetFieldValue<byte[]>(0)));
            Assert.Equal(words, reader.GetString(1));
            Assert.False(await mode.Read(reader));
        }

        // Ordinary values and NULL again, with the same statement.
        insert.Parameters.Clear();
        insert.Parameters.AddWithValue("@id", 100);
        insert.Parameters.AddWithValue("@bytes", new byte[] { 1, 2 });
        insert.Parameters.AddWithValue("@words", null);
        Assert.Equal(1, await mode.NonQuery(insert));
        await using var last = new MySqlCommand("SELECT LENGTH(bytes) + ISNULL(words) FROM streams WHERE id = 100", connection);
        Assert.Equal(3, Convert.ToInt32(await mode.Scalar(last)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_stream_that_fails_leaves_the_session_in_step(ServerKind kind, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var connection = await OpenAsync(kind, mode);
        await using var command = new MySqlCommand("SELECT LENGTH(@bytes)", connection);
        await mode.Prepare(command);
        for (var round = 0; round < 3; round++)
        {
            command.Parameters.Clear();
            command.Parameters.AddWithValue("@bytes", new Trickle(new byte[200_000]) { FailsAt = 100_000 });
            Assert.Equal("The disk is gone.", (await Assert.ThrowsAsync<IOException>(() => mode.Scalar(command))).Message);
            await Assert.ThrowsAsync<IOException>(async () =>
            {
                command.Parameters[0].Value = new Trickle([]) { FailsAt = 0 };
                await using var reader = await mode.Reader(command);
            });
            command.Parameters[0].Value = new Trickle(new byte[300_000]);
            Assert.Equal(300_000, Convert.ToInt32(await mode.Scalar(command)));
            Assert.Equal(ConnectionState.Open, connection.State);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task The_first_execution_and_one_behind_a_reset_stream_too(ServerKind kind, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        var server = await LiveServers.GetAsync(kind);
        await using var connection =
            new MySqlConnection(ConnectionStrings.MySql(server, $"Maximum Pool Size=1;Reset Mode=Always;Application Name=streams{asynchronous}"));
        for (var round = 0; round < 3; round++)
        {
            await mode.Open(connection);
            await using var transaction = await mode.Begin(connection);
            await using var command = new MySqlCommand("SELECT LENGTH(@bytes) + @more", connection, (MySqlTransaction)transaction);
            command.Parameters.AddWithValue("@more", 5);
            command.Parameters.AddWithValue("@bytes", new Trickle(new byte[70_000]));
            await mode.Prepare(command);
            Assert.Equal(70_005, Convert.ToInt32(await mode.Scalar(command)));
            await mode.Commit(transaction);
            await mode.Close(connection);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task What_cannot_be_streamed_says_so(ServerKind kind, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var connection = await OpenAsync(kind, mode);
        await using var command = new MySqlCommand("SELECT LENGTH(@a) + LENGTH(@a)", connection);
        command.Parameters.AddWithValue("@a", new Trickle(new byte[10]));
        await Assert.ThrowsAsync<NotSupportedException>(() => mode.Scalar(command));
        await mode.Prepare(command);
        await Assert.ThrowsAsync<NotSupportedException>(() => mode.Scalar(command));
        command.Parameters[0].Value = "abc";
        Assert.Equal(6, Convert.ToInt32(await mode.Scalar(command)));
    }

    private static async Task<MySqlConnection> OpenAsync(ServerKind kind, Mode mode)
    {
        var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Pooling=false"));
        await mode.Open(connection);
        return connection;
    }

    private static async Task Execute(MySqlConnection connection, Mode mode, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await mode.NonQuery(command);
    }

    // A stream that cannot seek, does not know its length, returns pieces of odd sizes, and supports only the expected way of reading.
    private sealed class Trickle(byte[] bytes) : Stream
    {
        private int _at;

        public int FailsAt { get; init; } = int.MaxValue;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override int Read(Span<byte> buffer)
        {
            if (_at >= FailsAt)
                throw new IOException("The disk is gone.");
            var count = Math.Min(Math.Min(buffer.Length, 10_007), bytes.Length - _at);
            bytes.AsSpan(_at, count).CopyTo(buffer);
            _at += count;
            return count;
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            await Task.Yield();
            return Read(buffer.Span);
        }

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
