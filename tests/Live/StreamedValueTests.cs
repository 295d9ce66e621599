using System.Data;
using System.Data.Common;
using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>Values far larger than available memory: with sequential access the driver reads or skips them in constant memory.</summary>
[Collection(nameof(AllocationTests))]
public class StreamedValueTests
{
    private const int Size = 256 << 20;
    private const long Most = 32 << 20;

    public static TheoryData<ServerKind, bool, bool> Ways
    {
        get
        {
            var ways = new TheoryData<ServerKind, bool, bool>();
            foreach (var kind in ServerKinds.All)
                foreach (var prepared in new[] { false, true })
                    foreach (var asynchronous in new[] { false, true })
                        ways.Add(kind, prepared, asynchronous);
            return ways;
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_gibibyte_in_four_rows_is_streamed_in_constant_memory(ServerKind kind, bool prepared, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var connection = await OpenAsync(kind);
        await using var command = connection.CreateCommand();
        command.CommandText =
            $"SELECT n, REPEAT('abcdefgh', {Size / 8}), n + 10 FROM (SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4) AS four";
        if (prepared)
            await mode.Prepare(command);
        var piece = new byte[100_000];
        var before = GC.GetTotalAllocatedBytes(precise: true);
        await using (var reader = await mode.Reader(command, CommandBehavior.SequentialAccess))
        {
            for (var row = 1; row <= 4; row++)
            {
                Assert.True(await mode.Read(reader));
                Assert.Equal(row, Convert.ToInt32(reader.GetValue(0)));
                // The third value is skipped, the fourth is read by hand.
                var read = row == 3 ? Size : row == 4 ? ByHand(reader, piece) : await Stream(reader, piece, mode);
                Assert.Equal(Size, read);
                Assert.Equal(row + 10, Convert.ToInt32(reader.GetValue(2)));
            }

            Assert.False(await mode.Read(reader));
        }

        var allocated = GC.GetTotalAllocatedBytes(precise: true) - before;
        Assert.True(allocated < Most, $"{allocated:N0} bytes were allocated");
        command.CommandText = "SELECT 7";
        Assert.Equal(7, Convert.ToInt32(await mode.Scalar(command)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Characters_are_streamed_in_constant_memory(ServerKind kind, bool prepared, bool asynchronous)
    {
        const int Times = 1 << 20;
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var connection = await OpenAsync(kind);
        await using var command = connection.CreateCommand();
        // 1, 2, 3 and 4 bytes, which are 1, 1, 1 and 2 characters: their borders fall on every position.
        const string Each = "xé€😀";
        command.CommandText = $"SELECT n, REPEAT('{Each}', {Times}), n + 10 FROM (SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3) AS three";
        if (prepared)
            await mode.Prepare(command);
        var piece = new char[33_333];
        var before = GC.GetTotalAllocatedBytes(precise: true);
        await using (var reader = await mode.Reader(command, CommandBehavior.SequentialAccess))
        {
            for (var row = 1; row <= 3; row++)
            {
                Assert.True(await mode.Read(reader));
                // From the beginning; from the middle; and not to the end.
                long read = row == 2 ? Times + 1 : 0;
                while (read < (row == 3 ? Times : long.MaxValue) && reader.GetChars(1, read, piece, 1, piece.Length - 1) is > 0 and var count)
                {
                    if (piece[1] != Each[(int)(read % Each.Length)] || piece[count] != Each[(int)((read + count - 1) % Each.Length)])
                        Assert.Fail($"a wrong character in the {count} at {read}");
                    read += count;
                }

                if (row < 3)
                    Assert.Equal((long)Times * Each.Length, read);
                if (row == 2)
                {
                    Assert.Equal(0, reader.GetChars(1, read + 7, piece, 0, 1));
                    Assert.Throws<InvalidOperationException>(() => reader.GetChars(1, read - 1, piece, 0, 1));
                    Assert.Throws<InvalidOperationException>(() => reader.GetChars(1, 0, null, 0, 0));
                }

                Assert.Equal(row + 10, Convert.ToInt32(reader.GetValue(2)));
            }

            Assert.False(await mode.Read(reader));
        }

        var allocated = GC.GetTotalAllocatedBytes(precise: true) - before;
        Assert.True(allocated < Most / 4, $"{allocated:N0} bytes were allocated");
    }

    private static async Task<long> Stream(DbDataReader reader, byte[] piece, Mode mode)
    {
        await using var stream = reader.GetStream(1);
        long read = 0;
        while (await mode.ReadStream(stream, piece) is > 0 and var count)
        {
            // Not Assert.Equal, which allocates: a value comes in tens of thousands of pieces.
            if (piece[0] != 'a' + read % 8 || piece[count - 1] != 'a' + (read + count - 1) % 8)
                Assert.Fail($"a wrong byte in the {count} bytes at {read}");
            read += count;
        }

        return read;
    }

    private static long ByHand(DbDataReader reader, byte[] piece)
    {
        long read = 0;
        while (reader.GetBytes(1, read, piece, 0, piece.Length) is > 0 and var count)
        {
            Assert.Equal((byte)('a' + read % 8), piece[0]);
            read += count;
        }

        return read;
    }

    private static async Task<DbConnection> OpenAsync(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var text = ConnectionStrings.Of(server, "Pooling=false");
        DbConnection connection = kind.IsPostgreSql() ? new PgConnection(text) : new MySqlConnection(text);
        await connection.OpenAsync();
        return connection;
    }
}
