namespace Slipstream.PostgreSql.Tests.Data;

/// <summary>The notifications that wait for a slow consumer.</summary>
public class NotificationBufferTests
{
    [Theory]
    [InlineData(4, 1)]
    [InlineData(1000, 3_000_000)]
    public async Task A_flood_becomes_a_gap(int capacity, int length)
    {
        var buffer = new NotificationBuffer(capacity);
        var payload = new string('x', length);
        for (var i = 0; i < 7; i++)
            buffer.Add(new(i, "c", payload));
        buffer.End(null);
        var seen = new List<PgNotification>();
        while (await buffer.TakeAsync(default) is { } next)
            seen.Add(next);
        Assert.True(seen[0].MayHaveMissed);
        Assert.InRange(seen.Sum(static one => (long)one.Payload.Length), 1, 8 << 20);
        Assert.Equal(6, seen[^1].ProcessId);
        Assert.DoesNotContain(seen[1..], static one => one.MayHaveMissed);
    }

    [Fact]
    public async Task What_was_taken_no_longer_counts()
    {
        var buffer = new NotificationBuffer(1000);
        var payload = new string('x', 5_000_000);
        for (var i = 0; i < 5; i++)
        {
            buffer.Add(new(i, "c", payload));
            Assert.Equal(i, (await buffer.TakeAsync(default))!.ProcessId);
        }
    }
}
