namespace Slipstream.PeerRace.Worker;

/// <summary>Callers on threads, each with a connection of its own. The threads wait between two blocks, so that they are the same in all.</summary>
internal sealed class BlockingCrew : Crew
{
    private readonly Caller[] _callers;
    private readonly Barrier _gate;
    private readonly Thread[] _threads;
    private long _operations;
    private Exception? _failure;
    private bool _isClosed;

    private BlockingCrew(Caller[] callers)
    {
        _callers = callers;
        _gate = new(callers.Length + 1);
        _threads = Array.ConvertAll(callers, caller => new Thread(() => Work(caller)) { IsBackground = true });
        foreach (var thread in _threads)
            thread.Start();
    }

    protected override string Check => _callers[0].Check;

    public static BlockingCrew Open(int callers, Func<Caller> open)
    {
        var opened = new List<Caller>(callers);
        try
        {
            for (var at = 0; at < callers; at++)
            {
                opened.Add(open());
                opened[at].Run();
            }

            return new([.. opened]);
        }
        catch
        {
            opened.ForEach(static caller => caller.Dispose());
            throw;
        }
    }

    public override ValueTask DisposeAsync()
    {
        _isClosed = true;
        _gate.SignalAndWait();
        foreach (var thread in _threads)
            thread.Join();
        foreach (var caller in _callers)
            caller.Dispose();
        _gate.Dispose();
        return default;
    }

    protected override Task<long> BeginAsync()
    {
        (_operations, _failure) = (0, null);
        _gate.SignalAndWait();
        return Task.Run(() =>
        {
            _gate.SignalAndWait();
            return _failure is null ? _operations : throw _failure;
        });
    }

    private void Work(Caller caller)
    {
        while (true)
        {
            _gate.SignalAndWait();
            if (_isClosed)
                return;
            try
            {
                var count = 0L;
                for (; !IsOver; count++)
                    caller.Run();
                Interlocked.Add(ref _operations, count);
            }
            catch (Exception exception)
            {
                _failure = exception;
            }

            _gate.SignalAndWait();
        }
    }
}
