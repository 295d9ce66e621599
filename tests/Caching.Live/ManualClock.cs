namespace Slipstream.Caching.Live;

/// <summary>A clock that a test moves.</summary>
internal sealed class ManualClock(DateTimeOffset now) : TimeProvider
{
    private long _ticks = now.UtcTicks;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override DateTimeOffset GetUtcNow() => new(Interlocked.Read(ref _ticks), TimeSpan.Zero);

    public override long GetTimestamp() => Interlocked.Read(ref _ticks);

    public void Advance(TimeSpan time) => Interlocked.Add(ref _ticks, time.Ticks);
}
