using Slipstream.Core.Conversations;

namespace Slipstream.Core.Tests.Conversations;

public sealed class ArrivingValueTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(31)]
    [InlineData(33)]
    [InlineData(65_536)]
    [InlineData(1 << 20)]
    [InlineData((32 << 20) + 1)]
    [InlineData(70_000_000)]
    public void However_it_comes_it_is_whole_and_no_array_is_larger_than_32_times_what_has_come(int length)
    {
        var random = new Random(length);
        var sent = new byte[length];
        random.NextBytes(sent);
        foreach (var most in new[] { 1 + length / 7, 1 + length / 3, length })
        {
            var value = new ArrivingValue();
            Assert.False(value.IsReceiving);
            value.Begin(length, 0);
            var target = length == 0 ? value.Target : null;
            while (!value.IsComplete)
            {
                var count = Math.Min(value.Free, random.Next(1, most + 1));
                Assert.InRange(count, 1, int.MaxValue);
                sent.AsSpan(value.Filled, count).CopyTo(value.FreeMemory.Span);
                target = value.Target;
                value.Advance(count);
                // The pooled buffer has at most 1 MiB.
                if (!ReferenceEquals(target, value.Target))
                    Assert.InRange(value.Target.Length, 0, (long)value.Filled * ArrivingValue.Proportion);
            }

            Assert.Equal(length, value.Target.Length);
            Assert.True(value.IsReceiving);
            Assert.True(value.Take().AsSpan().SequenceEqual(sent));
            Assert.False(value.IsReceiving);
        }
    }

    [Fact]
    public void What_has_come_in_proportion_needs_no_other_array()
    {
        var value = new ArrivingValue();
        value.Begin(64 * 1024, 2 * 1024);
        var target = value.Target;
        value.Advance(64 * 1024);
        Assert.Same(target, value.Take());
        Assert.Equal(64 * 1024, target.Length);
    }

    [Fact]
    public void A_value_of_20_MiB_is_allocated_once()
    {
        var value = new ArrivingValue();
        // The pooled buffer, which exists from the second round on.
        for (var round = 0; round < 2; round++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            value.Begin(20 << 20, 1000);
            while (!value.IsComplete)
                value.Advance(value.Free);
            value.Take();
            if (round > 0)
                Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 20 << 20, (20 << 20) + 1000);
        }
    }
}
