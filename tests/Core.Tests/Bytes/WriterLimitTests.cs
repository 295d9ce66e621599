using Slipstream.Core.Bytes;

namespace Slipstream.Core.Tests.Bytes;

/// <summary>One send stays below 2 GiB, however it is composed: no sum of lengths overflows an int.</summary>
public sealed class WriterLimitTests
{
    private static readonly byte[] Value = new byte[64 << 20];

    [Fact]
    public void Values_that_are_gathered_together_stay_below_2_GiB()
    {
        var writer = Gathered(Array.MaxLength - ByteWriter.InitialCapacity);
        Assert.Equal(Array.MaxLength - ByteWriter.InitialCapacity, writer.TotalLength);
        Assert.Throws<InvalidOperationException>(() => writer.Gather(new byte[1]));
        Assert.Equal(Array.MaxLength - ByteWriter.InitialCapacity, writer.TotalLength);
    }

    [Fact]
    public void Bytes_behind_gathered_values_are_counted_with_them()
    {
        var writer = Gathered(Array.MaxLength - ByteWriter.InitialCapacity);
        writer.Zeros(ByteWriter.InitialCapacity);
        Assert.Equal(Array.MaxLength, writer.TotalLength);
        Assert.Throws<InvalidOperationException>(() => writer.Byte(0));
        Assert.Throws<InvalidOperationException>(() => writer.Zeros(int.MaxValue));
        Assert.Equal(Array.MaxLength, writer.TotalLength);
    }

    [Fact]
    public void Lengths_that_would_wrap_are_refused()
    {
        var writer = new ByteWriter();
        writer.Byte(1);
        Assert.Throws<InvalidOperationException>(() => writer.Grow(int.MaxValue));
        Assert.Equal(1, writer.TotalLength);
    }

    private static ByteWriter Gathered(int total)
    {
        var writer = new ByteWriter();
        for (var left = total; left > 0; left -= Value.Length)
            writer.Gather(Value.AsMemory(0, Math.Min(left, Value.Length)));
        return writer;
    }
}
