using System.Buffers.Binary;
using System.Data.Common;
using System.Transactions;
using Microsoft.Extensions.Caching.Distributed;

namespace Slipstream.Caching.Live;

/// <summary>Operations at the same time, cancelled operations, and operations inside the caller's transactions.</summary>
public sealed class ConcurrencyTests
{
    private const int Keys = 4;

    public static TheoryData<ServerKind, bool> Ways => Cached.Ways;

    public static TheoryData<ServerKind> Kinds => Cached.Kinds;

    [Theory, MemberData(nameof(Ways))]
    public async Task Operations_on_the_same_entries_neither_fail_nor_mix_values(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        using var stop = new CancellationTokenSource();
        var cleaning = Task.Run(async () =>
        {
            while (!stop.IsCancellationRequested)
                await cached.DeleteExpired();
        });
        await Task.WhenAll(Enumerable.Range(0, 8).Select(worker => Task.Run(async () =>
        {
            var random = new Random(worker);
            for (var i = 0; i < 60; i++)
            {
                var number = random.Next(Keys);
                var key = $"{number}";
                switch (random.Next(10))
                {
                    case 0:
                        await cached.Remove(key);
                        break;
                    case 1:
                        await cached.Refresh(key);
                        break;
                    case 2:
                        // Expires at once, and is deleted soon.
                        await cached.Set(key, Value(number, random), new() { SlidingExpiration = TimeSpan.FromTicks(1) });
                        break;
                    case 3 or 4 or 5:
                        await cached.Set(
                            key,
                            Value(number, random),
                            random.Next(2) == 0
                                ? new() { SlidingExpiration = TimeSpan.FromHours(1) }
                                : new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(1) });
                        break;
                    default:
                        if ((random.Next(2) == 0 ? await cached.Get(key) : await cached.TryGet(key)) is { } value)
                            Check(number, value);
                        break;
                }
            }
        })));
        await stop.CancelAsync();
        await cleaning;
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_cancelled_token_prevents_the_operation(ServerKind kind)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync: true);
        await cached.Set("a", "value");
        var token = new CancellationToken(canceled: true);
        Func<Task>[] operations =
            [() => cached.Get("a", token), () => cached.TryGet("a", token), () => cached.Set("a", [1], token: token), () => cached.Refresh("a", token),
                () => cached.Remove("a", token)];
        foreach (var operation in operations)
            await Assert.ThrowsAnyAsync<OperationCanceledException>(operation);
        Assert.Equal("value", await cached.GetText("a"));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_waiting_operation_can_be_cancelled(ServerKind kind)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync: true);
        await cached.Set("a", "old");
        await using (var connection = await cached.Connect())
        {
            await using var transaction = await connection.BeginTransactionAsync();
            await using var command = connection.CreateCommand();
            command.Transaction = transaction;
            command.CommandText = $"SELECT id FROM {cached.Name} FOR UPDATE";
            await command.ExecuteNonQueryAsync();
            using var cancel = new CancellationTokenSource(TimeSpan.FromMilliseconds(200));
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cached.Set("a", [1], token: cancel.Token));
            await transaction.RollbackAsync();
        }

        Assert.Equal("old", await cached.GetText("a"));
        await cached.Set("a", "new");
        Assert.Equal("new", await cached.GetText("a"));
    }

    // InnoDB's UPDATE waits. The other sessions read what is committed.
    [Theory, InlineData(ServerKind.PostgreSql), InlineData(ServerKind.PostgreSql18)]
    public async Task Reading_does_not_wait_for_a_lock(ServerKind kind)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync: true);
        await cached.Set("a", "value", new() { SlidingExpiration = TimeSpan.FromHours(1) });
        await using var connection = await cached.Connect();
        await using var transaction = await connection.BeginTransactionAsync();
        await using var command = connection.CreateCommand();
        command.Transaction = transaction;
        command.CommandText = $"UPDATE {cached.Name} SET value = 'other'";
        await command.ExecuteNonQueryAsync();
        Assert.Equal("value", await cached.GetText("a"));
        await cached.Refresh("a");
        Assert.Equal(0, await cached.DeleteExpired());
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task The_cache_takes_no_part_in_an_ambient_transaction(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        await cached.Set("removed", "value");
        foreach (var flow in isAsync ? [TransactionScopeAsyncFlowOption.Enabled] : Enum.GetValues<TransactionScopeAsyncFlowOption>())
        {
            using var scope = new TransactionScope(TransactionScopeOption.Required, flow);
            // Awaits nothing before the scope is disposed if the scope does not flow: the blocking forms return completed tasks.
            await using var connection = isAsync ? await cached.Source.OpenConnectionAsync() : cached.Source.OpenConnection();
            await One(connection, isAsync);
            await cached.Set("a", "value");
            Assert.Equal("value", await cached.GetText("a"));
            await cached.Remove("removed");
            Assert.NotNull(Transaction.Current);
            await One(connection, isAsync);
            if (!isAsync)
                connection.Dispose();
        }

        Assert.Equal("value", await cached.GetText("a"));
        Assert.Null(await cached.Get("removed"));
    }

    private static async Task One(DbConnection connection, bool isAsync)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT 1";
        Assert.Equal(1L, Convert.ToInt64(isAsync ? await command.ExecuteScalarAsync() : command.ExecuteScalar()));
    }

    // The number of the key, the length, and bytes that follow from both.
    private static byte[] Value(int number, Random random)
    {
        var value = new byte[random.Next(4) == 0 ? 70_000 + random.Next(10_000) : 8 + random.Next(2000)];
        BinaryPrimitives.WriteInt32LittleEndian(value, number);
        BinaryPrimitives.WriteInt32LittleEndian(value.AsSpan(4), value.Length);
        new Random(number * 1_000_000 + value.Length).NextBytes(value.AsSpan(8));
        return value;
    }

    private static void Check(int number, byte[] value)
    {
        Assert.Equal(number, BinaryPrimitives.ReadInt32LittleEndian(value));
        Assert.Equal(value.Length, BinaryPrimitives.ReadInt32LittleEndian(value.AsSpan(4)));
        var expected = new byte[value.Length - 8];
        new Random(number * 1_000_000 + value.Length).NextBytes(expected);
        Assert.True(expected.AsSpan().SequenceEqual(value.AsSpan(8)));
    }
}
