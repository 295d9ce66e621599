namespace Slipstream.ScaleModel.Simulating;

/// <summary>
/// Processors, and the threads that are ready to run on them. A thread that has further work keeps its processor until its time slice ends, if another thread
/// is ready.
/// </summary>
internal sealed class Seats(Timeline timeline, int count, ReadyList ready)
{
    // The slice of Linux 6.6 and later for two processors is 2.8 ms.
    private const double Slice = 2800;

    /// <summary>Gets the processors that run a thread.</summary>
    public int Running { get; private set; }

    public int Count => count;

    /// <summary>Gets the time in which processors were busy.</summary>
    public double Busy { get; private set; }

    /// <summary>Returns how much longer the work of a thread takes now; always 1 if nothing slows it down.</summary>
    public Func<double> Slowdown { get; set; } = static () => 1;

    public void ResetBusy() => Busy = 0;

    public void Add(SimulatedThread thread)
    {
        ready.Add(thread);
        while (Running < count && ready.TryTake() is { } next)
        {
            Running++;
            Begin(next, timeline.Now);
        }
    }

    private void Begin(SimulatedThread thread, double since)
    {
        var time = thread.Begin() * Slowdown();
        Busy += time;
        timeline.At(timeline.Now + time, () =>
        {
            if (thread.End() && (ready.Count == 0 || timeline.Now - since < Slice))
            {
                Begin(thread, since);
                return;
            }

            if (thread.IsAwake)
                ready.Add(thread);
            if (ready.TryTake() is { } next)
                Begin(next, timeline.Now);
            else
                Running--;
        });
    }
}
