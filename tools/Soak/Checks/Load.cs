using System.Diagnostics;

namespace Slipstream.Soak.Checks;

/// <summary>
/// How late this machine is: how much longer than asked a thread sleeps, and how long the thread pool lets work wait. Deadlines are the driver's promise on a machine that has time; what the
/// machine takes for itself is added.
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

    /// <summary>The worst of the last ten seconds.</summary>
    public TimeSpan Lag
    {
        get
        {
            lock (_lags)
                return TimeSpan.FromSeconds(_lags.Max());
        }
    }

    /// <summary>What is added to every deadline.</summary>
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
