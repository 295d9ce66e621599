using System.Net;
using System.Net.Sockets;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Tests;

/// <summary>The question whether the database exists is repeated as other work is, unless a program asks whether it can connect.</summary>
public sealed class ExistenceRetryTests
{
    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 3)]
    public async Task The_existence_is_asked_as_often_as_other_work_is_tried(bool repeats, int expected)
    {
        Assert.Equal(expected, await CountAsync(repeats, static context => context.GetService<IRelationalDatabaseCreator>().Exists()));
        Assert.Equal(
            expected, await CountAsync(repeats, static context => context.GetService<IRelationalDatabaseCreator>().ExistsAsync().GetAwaiter().GetResult()));
    }

    [Fact]
    public async Task Whether_a_program_can_connect_is_asked_once()
    {
        Assert.Equal(1, await CountAsync(true, static context => Assert.False(context.Database.CanConnect())));
        Assert.Equal(1, await CountAsync(true, static context => Assert.False(context.Database.CanConnectAsync().GetAwaiter().GetResult())));
    }

    // Counts the connections to a server that closes them.
    private static async Task<int> CountAsync(bool repeats, Action<DbContext> ask)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var asked = 0;
        var accepting = Task.Run(
            async () =>
            {
                while (true)
                {
                    using var client = await listener.AcceptSocketAsync(TestContext.Current.CancellationToken);
                    Interlocked.Increment(ref asked);
                }
            },
            TestContext.Current.CancellationToken);
        var text = $"Server=127.0.0.1;Port={((IPEndPoint)listener.LocalEndpoint).Port};User ID=nobody;Database=none;SSL Mode=None";
        var options = new DbContextOptionsBuilder().UseMySql(text, ServerVersion.Parse("9.7.0-mysql"), mySql =>
        {
            if (repeats)
                mySql.EnableRetryOnFailure(2, TimeSpan.Zero, null);
        }).Options;
        await using (var context = new DbContext(options))
        {
            var problem = Record.Exception(() => ask(context));
            Assert.True(problem is null or MySqlException or RetryLimitExceededException, problem?.ToString());
        }

        listener.Stop();
        await Assert.ThrowsAnyAsync<Exception>(() => accepting);
        return asked;
    }
}
