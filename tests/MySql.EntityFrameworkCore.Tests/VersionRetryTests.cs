using Microsoft.EntityFrameworkCore;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Tests;

/// <summary>The question for the server's version is repeated as other work is.</summary>
public sealed class VersionRetryTests
{
    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 3)]
    public async Task The_version_is_asked_as_often_as_other_work_is_tried(bool repeats, int expected)
    {
        await using var server = new ClosingServer();
        var options = new DbContextOptionsBuilder().UseMySql(server.ConnectionString, mySql =>
        {
            if (repeats)
                mySql.EnableRetryOnFailure(2, TimeSpan.Zero, null);
        }).Options;
        Assert.Throws<MySqlException>(() => new DbContext(options));
        Assert.Equal(expected, server.Connections);
    }

    [Fact]
    public void The_pauses_grow_up_to_the_limit()
    {
        var limits = RetryLimits.Default with { MaxDelay = TimeSpan.FromSeconds(5) };
        Assert.Equal([0, 1, 3, 5, 5], Enumerable.Range(1, 5).Select(repetition => limits.DelayBefore(repetition).TotalSeconds));
    }
}
