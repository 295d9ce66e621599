using System.Data;
using System.Globalization;

namespace Slipstream.Contract;

public abstract partial class ProviderContract
{
    // Sizes around the limits of a length byte, the buffer's size, and the size from which a value has its own array.
    public static TheoryData<int, bool> Sizes
    {
        get
        {
            var sizes = new TheoryData<int, bool>();
            foreach (var size in new[] { 0, 1, 250, 251, 65_000, 65_535, 65_536, 200_000, 1_048_575, 1_048_576, 1_048_577, 5_000_000 })
            {
                sizes.Add(size, false);
                sizes.Add(size, true);
            }

            return sizes;
        }
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public async Task Bytes_of_any_size_go_both_ways(int size, bool prepared)
    {
        await using var connection = await Open();
        var bytes = Sample(size);
        await using var insert = await Keep(connection, bytes, prepared);
        await using var command = Command(connection, "SELECT bytes, LENGTH(bytes), bytes FROM large_bytes");
        if (prepared)
            await Mode.Prepare(command);
        await using var reader = await Mode.Reader(command);
        Assert.True(await Mode.Read(reader));
        AssertSame(bytes, (byte[])reader.GetValue(0));
        Assert.Equal(size, Convert.ToInt32(reader.GetValue(1), CultureInfo.InvariantCulture));
        AssertSame(bytes, await Mode.Get<byte[]>(reader, 2));
        AssertSame(bytes, await Mode.Get<byte[]>(reader, 0));
        Assert.False(await Mode.Read(reader));
        await Mode.Close(reader);
        await StillUsable(connection);
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public async Task Text_of_any_size_comes_back(int size, bool prepared)
    {
        await using var connection = await Open();
        await using var command = Command(connection, $"SELECT REPEAT('x', {size}), 'behind' UNION ALL SELECT 'second', 'row'");
        if (prepared)
            await Mode.Prepare(command);
        await using var reader = await Mode.Reader(command);
        Assert.True(await Mode.Read(reader));
        Assert.Equal(new string('x', size), reader.GetString(0));
        Assert.Equal("behind", reader.GetString(1));
        Assert.True(await Mode.Read(reader));
        Assert.Equal(("second", "row"), (reader.GetString(0), reader.GetString(1)));
        Assert.False(await Mode.Read(reader));
    }

    [Fact]
    public async Task A_large_value_of_which_a_part_was_read_is_not_read_whole()
    {
        await using var connection = await Open();
        var bytes = Sample(6_000_000);
        await using var insert = await Keep(connection, bytes, prepared: false);
        await using var command = Command(connection, "SELECT bytes, 'behind', bytes FROM large_bytes");
        await using (var reader = await command.ExecuteReaderAsync(CommandBehavior.SequentialAccess))
        {
            Assert.True(await Mode.Read(reader));
            Assert.Equal(3, reader.GetBytes(0, 0, new byte[3], 0, 3));
            await Assert.ThrowsAsync<InvalidOperationException>(async () => await Mode.Get<byte[]>(reader, 0));
            Assert.Throws<InvalidOperationException>(() => reader.GetStream(0));
            Assert.Equal("behind", reader.GetString(1));
            AssertSame(bytes, await Mode.Get<byte[]>(reader, 2));
            // A stream would be empty, as if the value were.
            Assert.Throws<InvalidOperationException>(() => reader.GetStream(2));
        }

        await using (var reader = await command.ExecuteReaderAsync(CommandBehavior.SequentialAccess))
        {
            Assert.True(await Mode.Read(reader));
            await using var one = reader.GetStream(0);
            await using var other = reader.GetStream(0);
            Assert.True(await Mode.ReadStream(one, new byte[10]) > 0);
            await Assert.ThrowsAsync<InvalidOperationException>(async () => _ = await Mode.ReadStream(other, new byte[10]));
            Assert.True(await Mode.ReadStream(one, new byte[10]) > 0);
        }

        await StillUsable(connection);
    }

    [Theory]
    [InlineData(1_000, false)]
    [InlineData(1_048_577, false)]
    [InlineData(6_000_000, false)]
    [InlineData(1_000, true)]
    [InlineData(6_000_000, true)]
    public async Task A_large_value_is_streamed(int size, bool prepared)
    {
        await using var connection = await Open();
        var bytes = Sample(size);
        await using var insert = await Keep(connection, bytes, prepared);
        await using var command = Command(connection, "SELECT 'before', bytes, 'behind', bytes, 'end' FROM large_bytes");
        if (prepared)
            await Mode.Prepare(command);
        await using (var reader = await Mode.Reader(command, CommandBehavior.SequentialAccess))
        {
            Assert.True(await Mode.Read(reader));
            Assert.Equal("before", reader.GetString(0));
            Assert.False(await Mode.IsDBNull(reader, 1));
            await using (var stream = reader.GetStream(1))
            {
                var (read, piece) = (0, new byte[10_000]);
                while (await Mode.ReadStream(stream, piece) is > 0 and var count)
                {
                    Assert.True(bytes.AsSpan(read, count).SequenceEqual(piece.AsSpan(0, count)));
                    read += count;
                }

                Assert.Equal(size, read);
            }

            Assert.Equal("behind", reader.GetString(2));
            AssertSame(bytes, await Mode.Get<byte[]>(reader, 3));
            Assert.Equal("end", await Mode.Get<string>(reader, 4));
            Assert.False(await Mode.Read(reader));
        }

        await StillUsable(connection);
    }

    [Fact]
    public async Task What_looks_like_the_mark_of_an_encoding_belongs_to_a_large_text()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT CONCAT(@mark, REPEAT('x', 100000))", ("@mark", "\uFEFF"));
        foreach (var behavior in new[] { CommandBehavior.Default, CommandBehavior.SequentialAccess })
        {
            await using var reader = await Mode.Reader(command, behavior);
            Assert.True(await Mode.Read(reader));
            using var text = reader.GetTextReader(0);
            var read = await text.ReadToEndAsync();
            Assert.Equal((100_001, '\uFEFF'), (read.Length, read[0]));
        }
    }

    [Fact]
    public async Task Large_bytes_are_as_little_a_text_as_small_ones()
    {
        await using var connection = await Open();
        await using var insert = await Keep(connection, Sample(200_000), prepared: false);
        await using var command = Command(connection, "SELECT bytes FROM large_bytes");
        foreach (var behavior in new[] { CommandBehavior.Default, CommandBehavior.SequentialAccess })
        {
            await using var reader = await Mode.Reader(command, behavior);
            Assert.True(await Mode.Read(reader));
            Assert.Throws<InvalidCastException>(() => reader.GetString(0));
            Assert.Throws<InvalidCastException>(() => reader.GetTextReader(0));
            Assert.Throws<InvalidCastException>(() => reader.GetChars(0, 0, new char[5], 0, 5));
            await Assert.ThrowsAsync<InvalidCastException>(async () => await Mode.Get<string>(reader, 0));
            Assert.Equal(200_000, (await Mode.Get<byte[]>(reader, 0)).Length);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_large_value_that_nobody_reads_to_the_end_is_passed_over(bool prepared)
    {
        await using var connection = await Open();
        var bytes = Sample(4_000_000);
        await using var insert = await Keep(connection, bytes, prepared);
        await Mode.NonQuery(insert);
        await using var command = Command(connection, "SELECT bytes, 'behind' FROM large_bytes");
        if (prepared)
            await Mode.Prepare(command);
        await using (var reader = await Mode.Reader(command, CommandBehavior.SequentialAccess))
        {
            Assert.True(await Mode.Read(reader));
            var piece = new byte[100];
            Assert.Equal(100, reader.GetBytes(0, 50, piece, 0, 100));
            AssertSame(bytes[50..150], piece);
            Assert.Equal("behind", reader.GetString(1));
            Assert.True(await Mode.Read(reader));
        }

        await StillUsable(connection);
    }

    // The value goes through a column, because a selected parameter has the type that the server infers.
    private async Task<System.Data.Common.DbCommand> Keep(System.Data.Common.DbConnection connection, byte[] bytes, bool prepared)
    {
        await Execute(connection, $"CREATE TEMPORARY TABLE large_bytes (bytes {Server.ColumnType(typeof(byte[]))})");
        var insert = Command(connection, "INSERT INTO large_bytes VALUES (@bytes)", ("@bytes", bytes));
        if (prepared)
            await Mode.Prepare(insert);
        Assert.Equal(1, await Mode.NonQuery(insert));
        return insert;
    }

    // Does not print megabytes if it fails.
    private static void AssertSame(byte[] expected, byte[] actual) =>
        Assert.True(expected.AsSpan().SequenceEqual(actual), $"{actual.Length} bytes came that are not the {expected.Length} that went");

    private static byte[] Sample(int size)
    {
        var bytes = new byte[size];
        new Random(size).NextBytes(bytes);
        return bytes;
    }
}
