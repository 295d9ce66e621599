namespace Slipstream.ScaleModel.Simulating;

/// <summary>
/// The threads that are ready to run. Usually the first one comes next. A scheduler that balances shares of processor time does not keep that order: then any
/// of them comes next, and the first one takes its place.
/// </summary>
/// <param name="random">Where chance comes from.</param>
/// <param name="disorder">The share of cases in which any of them comes next.</param>
internal sealed class ReadyList(Random random, double disorder)
{
    private SimulatedThread[] _ring = new SimulatedThread[16];
    private int _first;

    public int Count { get; private set; }

    public void Add(SimulatedThread thread)
    {
        if (Count == _ring.Length)
        {
            var ring = new SimulatedThread[_ring.Length * 2];
            for (var i = 0; i < Count; i++)
                ring[i] = At(i);
            (_ring, _first) = (ring, 0);
        }

        At(Count++) = thread;
    }

    /// <summary>Takes the next thread; null if there is none.</summary>
    public SimulatedThread? TryTake()
    {
        if (Count == 0)
            return null;
        if (Count > 1 && random.NextDouble() < disorder)
        {
            ref var other = ref At(random.Next(Count));
            (other, At(0)) = (At(0), other);
        }

        var next = At(0);
        _first = (_first + 1) & (_ring.Length - 1);
        Count--;
        return next;
    }

    private ref SimulatedThread At(int index) => ref _ring[(_first + index) & (_ring.Length - 1)];
}
