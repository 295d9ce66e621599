namespace Slipstream.ScaleModel.Simulating;

/// <summary>A thread: it works on one piece after another, and sleeps when there is none.</summary>
internal abstract class SimulatedThread(Timeline timeline, Seats seats)
{
    /// <summary>Gets whether the thread runs, is ready to run, or is being woken.</summary>
    public bool IsAwake { get; private set; }

    /// <summary>Gets or sets whether it has just been woken.</summary>
    protected bool WasAsleep { get; set; }

    /// <summary>Wakes the thread if it sleeps.</summary>
    public void Wake(double delay)
    {
        if (IsAwake)
            return;
        IsAwake = true;
        WasAsleep = true;
        timeline.At(timeline.Now + delay, () => seats.Add(this));
    }

    /// <summary>Begins a piece of work.</summary>
    /// <returns>The processor time that it takes.</returns>
    public double Begin() => HasWork ? BeginWork() : 0;

    /// <summary>Ends the piece.</summary>
    /// <returns>Whether there is more to do.</returns>
    public bool End()
    {
        EndWork();
        WasAsleep = false;
        IsAwake = HasWork;
        return IsAwake;
    }

    protected abstract bool HasWork { get; }

    protected abstract double BeginWork();

    protected abstract void EndWork();
}
