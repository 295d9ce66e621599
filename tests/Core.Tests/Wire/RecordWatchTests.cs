using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

public class RecordWatchTests
{
    private static readonly byte[] Data = [23, 3, 3, 1, 2, .. Enumerable.Repeat((byte)21, 0x102)];
    private static readonly byte[] Empty = [23, 3, 3, 0, 0];
    private static readonly byte[] Alert = [21, 3, 3, 0, 2, 1, 90];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(7)]
    [InlineData(10_000)]
    public void Records_without_data_are_found_however_they_are_cut(int cut)
    {
        var watch = new RecordWatch();
        See(ref watch, [.. Data, .. Empty, .. Data], cut);
        Assert.False(watch.HasSeenOther);
        See(ref watch, [.. Data, .. Alert, .. Data], cut);
        Assert.True(watch.HasSeenOther);
        watch.Forget();
        See(ref watch, [.. Data, .. Empty, .. Data], cut);
        Assert.False(watch.HasSeenOther);
        See(ref watch, Alert, cut);
        Assert.True(watch.HasSeenOther);
    }

    // ServerHello, ChangeCipherSpec, Finished; in TLS 1.3 the last one already has the type of application data.
    [Theory]
    [InlineData(1)]
    [InlineData(10_000)]
    public void A_handshakes_records_stand_in_front_of_all_data(int cut)
    {
        var watch = new RecordWatch();
        See(ref watch, [22, 3, 3, 0, 2, 9, 9, 20, 3, 3, 0, 1, 1, .. Data, .. Data], cut);
        Assert.False(watch.HasSeenOther);
        See(ref watch, Alert, cut);
        Assert.True(watch.HasSeenOther);
    }

    [Fact]
    public void A_record_that_has_begun_is_seen_until_it_has_come_whole()
    {
        var watch = new RecordWatch();
        Assert.False(watch.IsWithin);
        for (var at = 0; at < Data.Length; at++)
        {
            See(ref watch, Data.AsSpan(at, 1), 1);
            Assert.Equal(at < Data.Length - 1, watch.IsWithin);
        }

        See(ref watch, Empty.AsSpan(0, 4), 4);
        Assert.True(watch.IsWithin);
        See(ref watch, Empty.AsSpan(4), 4);
        Assert.False(watch.IsWithin);
    }

    private static void See(ref RecordWatch watch, ReadOnlySpan<byte> bytes, int cut)
    {
        for (; !bytes.IsEmpty; bytes = bytes[Math.Min(cut, bytes.Length)..])
            watch.Process(bytes[..Math.Min(cut, bytes.Length)]);
    }
}
