using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Large objects of a real server.</summary>
public class LargeObjectTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_large_object_is_written_read_cut_and_deleted(bool asynchronously)
    {
        await using var connection = await OpenAsync();
        var manager = new PgLargeObjectManager(connection) { MaxTransferBlockSize = 1000 };
        await using var transaction = await connection.BeginTransactionAsync(Token);
        var oid = asynchronously ? await manager.CreateAsync(0, Token) : manager.Create();
        var bytes = new byte[5_555];
        new Random(1).NextBytes(bytes);
        await using (var stream = asynchronously ? await manager.OpenReadWriteAsync(oid, Token) : manager.OpenReadWrite(oid))
        {
            Assert.True(stream is { CanRead: true, CanWrite: true, CanSeek: true });
            if (asynchronously)
                await stream.WriteAsync(bytes, Token);
            else
                stream.Write(bytes);
            Assert.Equal(bytes.Length, stream.Position);
            // Only the end makes a read short.
            stream.Position = 1;
            Assert.Equal(bytes.Length - 1, asynchronously ? await stream.ReadAsync(new byte[6000], Token) : stream.Read(new byte[6000]));
            Assert.Equal(bytes.Length, asynchronously ? await stream.GetLengthAsync(Token) : stream.Length);
            Assert.Equal(100, asynchronously ? await stream.SeekAsync(100, SeekOrigin.Begin, Token) : stream.Seek(100, SeekOrigin.Begin));
            var part = new byte[2_000];
            Assert.Equal(2_000, asynchronously ? await stream.ReadAsync(part, Token) : stream.Read(part));
            Assert.Equal(bytes[100..2100], part);
            if (asynchronously)
                await stream.SetLengthAsync(3_000, Token);
            else
                stream.SetLength(3_000);
        }

        await using (var stream = asynchronously ? await manager.OpenReadAsync(oid, Token) : manager.OpenRead(oid))
        {
            var copy = new MemoryStream();
            if (asynchronously)
                await stream.CopyToAsync(copy, Token);
            else
                stream.CopyTo(copy);
            Assert.Equal(bytes[..3_000], copy.ToArray());
            Assert.False(stream.CanWrite);
            Assert.Throws<NotSupportedException>(() => stream.Write(bytes));
        }

        if (asynchronously)
            await manager.UnlinkAsync(oid, Token);
        else
            manager.Unlink(oid);
        Assert.Equal(PgErrorCodes.UndefinedObject, Assert.Throws<PgException>(() => manager.OpenRead(oid)).SqlState);
    }

    [Fact]
    public async Task A_stream_ends_with_its_transaction()
    {
        await using var connection = await OpenAsync();
        var manager = new PgLargeObjectManager(connection);
        PgLargeObjectStream stream;
        await using (await connection.BeginTransactionAsync(Token))
            stream = await manager.OpenReadWriteAsync(manager.Create(), Token);
        Assert.Throws<InvalidOperationException>(() => stream.Read(new byte[1]));
        await stream.DisposeAsync();
        Assert.Throws<ObjectDisposedException>(() => stream.Position);
        Assert.Throws<ArgumentOutOfRangeException>(() => manager.MaxTransferBlockSize = 0);
    }

    // The server counts the open large objects of a transaction from 0: the next transaction gives the same number to another one.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_stream_never_touches_the_large_objects_of_a_later_transaction(bool asynchronously)
    {
        await using var connection = await OpenAsync();
        var manager = new PgLargeObjectManager(connection);
        PgLargeObjectStream first;
        await using (await connection.BeginTransactionAsync(Token))
            first = await manager.OpenReadWriteAsync(manager.Create(), Token);
        await using var transaction = await connection.BeginTransactionAsync(Token);
        await using var second = await manager.OpenReadWriteAsync(manager.Create(), Token);
        await second.WriteAsync(new byte[] { 1, 2, 3 }, Token);
        await second.SeekAsync(0, SeekOrigin.Begin, Token);
        if (asynchronously)
        {
            await Assert.ThrowsAsync<InvalidOperationException>(async () => Assert.Equal(0, await first.ReadAsync(new byte[1], Token)));
            await Assert.ThrowsAsync<InvalidOperationException>(async () => await first.WriteAsync(new byte[1], Token));
            await Assert.ThrowsAsync<InvalidOperationException>(() => first.SetLengthAsync(0, Token));
            await first.DisposeAsync();
        }
        else
        {
            Assert.Throws<InvalidOperationException>(() => first.Read(new byte[1]));
            Assert.Throws<InvalidOperationException>(() => first.Write(new byte[1]));
            Assert.Throws<InvalidOperationException>(() => first.SetLength(0));
            first.Dispose();
        }

        var bytes = new byte[5];
        Assert.Equal(3, await second.ReadAsync(bytes, Token));
        Assert.Equal([1, 2, 3, 0, 0], bytes);
    }

    [Fact]
    public async Task A_stream_outlives_a_savepoint()
    {
        await using var connection = await OpenAsync();
        var manager = new PgLargeObjectManager(connection);
        await using var transaction = await connection.BeginTransactionAsync(Token);
        await using var stream = await manager.OpenReadWriteAsync(manager.Create(), Token);
        await stream.WriteAsync(new byte[] { 1, 2, 3 }, Token);
        await transaction.SaveAsync("before", Token);
        await transaction.RollbackAsync("before", Token);
        await stream.SeekAsync(0, SeekOrigin.Begin, Token);
        Assert.Equal(3, await stream.ReadAsync(new byte[5], Token));
    }

    private static async Task<PgConnection> OpenAsync()
    {
        var connection = new PgConnection(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql)));
        await connection.OpenAsync(Token);
        return connection;
    }
}
