using System.Diagnostics;

namespace Slipstream.Soak.Checks;

/// <summary>
/// Measures the delays of this machine: how much too long a thread sleeps, and how long the thread pool lets work wait. The driver promises its deadlines on a
/// machine without such delays, so the check adds them.
/// </summary>
internal sealed class Load
{
    private const int Window = 40;
    private static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(250);
    public static readonly TimeSpan Least = TimeSpan.FromSeconds(2);

    private readonly double[] _lags = new double[Window];
    private int _next;
    private volatile bool _isOver;

    public Load() => new Thread(Measure) { IsBackground = true, Name = "soak load", Priority = ThreadPriority.Normal }.Start();

    /// <summary>Gets the longest delay of the last ten seconds.</summary>
    public TimeSpan Lag
    {
        get
        {
            lock (_lags)
                return TimeSpan.FromSeconds(_lags.Max());
        }
    }

    /// <summary>Gets the time that is added to every deadline.</summary>
    public TimeSpan Grace => Least + (5 * Lag);

    public void End() => _isOver = true;

    private void Measure()
    {
        while (!_isOver)
        {
            var began = Stopwatch.GetTimestamp();
            using var ran = new ManualResetEventSlim();
            ThreadPool.UnsafeQueueUserWorkItem(static ran => ran.Set(), ran, preferLocal: false);
            Thread.Sleep(Pace);
            ran.Wait();
            var lag = Math.Max(0, (Stopwatch.GetElapsedTime(began) - Pace).TotalSeconds);
            lock (_lags)
                _lags[_next++ % Window] = lag;
        }
    }
}
