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
        Assert.Equal(expected, await CountAsync(repeats, static context => Task.FromResult(Creator(context).Exists())));
        Assert.Equal(expected, await CountAsync(repeats, static context => Creator(context).ExistsAsync()));
    }

    [Fact]
    public async Task Whether_a_program_can_connect_is_asked_once()
    {
        Assert.Equal(1, await CountAsync(true, static context =>
        {
            Assert.False(context.Database.CanConnect());
            return Task.CompletedTask;
        }));
        Assert.Equal(1, await CountAsync(true, static async context => Assert.False(await context.Database.CanConnectAsync())));
    }

    private static IRelationalDatabaseCreator Creator(DbContext context) => context.GetService<IRelationalDatabaseCreator>();

    private static async Task<int> CountAsync(bool repeats, Func<DbContext, Task> ask)
    {
        await using var server = new ClosingServer();
        var options = new DbContextOptionsBuilder().UseMySql(server.ConnectionString, ServerVersion.Parse("9.7.0-mysql"), mySql =>
        {
            if (repeats)
                mySql.EnableRetryOnFailure(2, TimeSpan.Zero, null);
        }).Options;
        await using var context = new DbContext(options);
        var problem = await Record.ExceptionAsync(() => ask(context));
        Assert.True(problem is null or MySqlException or RetryLimitExceededException, problem?.ToString());
        return server.Connections;
    }
}
