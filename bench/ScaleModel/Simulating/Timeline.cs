namespace Slipstream.ScaleModel.Simulating;

/// <summary>The events of a simulation in the order of their times; of the same time, in the order in which they were added.</summary>
internal sealed class Timeline
{
    private readonly PriorityQueue<Action, (double Time, long Number)> _events = new();
    private long _number;

    /// <summary>Gets the simulated time in microseconds.</summary>
    public double Now { get; private set; }

    public void At(double time, Action happen) => _events.Enqueue(happen, (Math.Max(time, Now), _number++));

    /// <summary>Lets events happen until one of them ends the simulation.</summary>
    public void Run(Func<bool> isOver)
    {
        while (!isOver() && _events.TryDequeue(out var happen, out var key))
        {
            Now = key.Time;
            happen();
        }
    }
}
