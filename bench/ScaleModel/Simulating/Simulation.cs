namespace Slipstream.ScaleModel.Simulating;

/// <summary>
/// Callers, a pool, engine threads, threads of the thread pool and a server with a thread for each session. A caller that finds no idle session waits; the
/// callers are served in the order in which they began to wait. An engine thread receives an answer, continues its caller, and sends the caller's next command.
/// A caller that has waited continues on the thread pool. Repeatable: the same seed gives the same figures.
/// </summary>
internal sealed class Simulation
{
    // The watchdog of the engine: checks in which no thread slept before it starts another one, and the time between two checks.
    private const int SaturatedChecks = 10;
    private const double CheckInterval = 2000;

    // With many processors, waiting for the watchdog would take most of the simulation.
    private const double ShortCheckInterval = 50;
    private const int ManyProcessors = 4;

    private readonly Costs _costs;
    private readonly Setting _setting;
    private readonly Random _random;
    private readonly Timeline _timeline = new();
    private readonly Seats _client;
    private readonly Seats _server;
    private readonly Serial _epoll;
    private readonly Serial _idleCount;
    private readonly Serial _poolLock;
    private readonly List<Engine> _engines = [];
    private readonly List<PoolThread> _poolThreads = [];
    private readonly Queue<ServerSession> _answers = new();
    private readonly Queue<Caller> _continuations = new();
    private readonly Queue<Caller> _waiters = new();
    private readonly List<double> _times = [];
    private readonly int _sessions;
    private readonly double _clientCrowded;
    private readonly double _serverCrowded;
    private double _collectionEnds;
    private double _sinceCollection;
    private double _collecting;
    private int _saturated;

    public Simulation(Costs costs, SerialCosts serial, Setting setting, int seed)
    {
        (_costs, _setting, _random) = (costs, setting, new Random(seed));
        (_epoll, _idleCount, _poolLock) = (new(serial.Epoll), new(serial.IdleCount), new(serial.PoolLock));
        _client = new(_timeline, setting.Processors.Client, new(_random, costs.Disorder));
        _server = setting.Processors.Server == 0 ? _client : new(_timeline, setting.Processors.Server, new(_random, costs.Disorder));
        if (setting.IsMeasuredMachine)
        {
            double Slowdown() => (_client == _server ? _client.Running : _client.Running + _server.Running) > 1 ? costs.Neighbour : 1;
            (_client.Slowdown, _server.Slowdown) = (Slowdown, Slowdown);
        }

        _sessions = Math.Min(setting.Callers, setting.Pool);
        _clientCrowded = Costs.Crowded(costs.ClientCrowding, _sessions);
        _serverCrowded = Costs.Crowded(costs.ServerCrowding, _sessions);
        _engines.Add(new(this));
        for (var i = 0; i < setting.Processors.Client; i++)
            _poolThreads.Add(new(this));
    }

    /// <summary>Runs the simulation.</summary>
    /// <param name="operations">The operations that count, after a fifth of them that does not.</param>
    public Outcome Run(int operations)
    {
        var sessions = new Stack<ServerSession>(Enumerable.Range(0, _sessions).Select(_ => new ServerSession(this)));
        for (var i = 0; i < _setting.Callers; i++)
        {
            var caller = new Caller();
            if (sessions.TryPop(out caller.Session))
                Continue(caller);
            else
                _waiters.Enqueue(caller);
        }

        Watch();
        var warmUp = Math.Max(operations / 5, _setting.Callers * 4);
        // The watchdog needs this time for its threads.
        var grown = (_setting.Processors.Client + 1) * SaturatedChecks * Interval;
        _timeline.Run(() => _times.Count >= warmUp && _timeline.Now >= grown);
        _times.Clear();
        _client.ResetBusy();
        _server.ResetBusy();
        _epoll.Reset();
        _idleCount.Reset();
        _poolLock.Reset();
        _collecting = 0;
        var began = _timeline.Now;
        _timeline.Run(() => _times.Count >= operations);
        var time = _timeline.Now - began;
        _times.Sort();
        return new(_times.Count / time * 1e6, _times[_times.Count / 2], _times[(int)(_times.Count * 0.99)])
        {
            ClientBusy = _client.Busy / time / _client.Count,
            ServerBusy = _server.Busy / time / _server.Count,
            Engines = _engines.Count,
            EpollBusy = _epoll.Busy / time,
            IdleCountBusy = _idleCount.Busy / time,
            PoolLockBusy = _poolLock.Busy / time,
            CollectionShare = _collecting / time,
        };
    }

    private double Interval => _setting.Processors.Client > ManyProcessors ? ShortCheckInterval : CheckInterval;

    // Seven tenths of a service time are constant, the rest is exponential.
    private double Vary(double time) => time * (0.7 - (0.3 * Math.Log(1 - _random.NextDouble())));

    private void Watch()
    {
        _timeline.At(_timeline.Now + Interval, () =>
        {
            _saturated = _engines.TrueForAll(static engine => engine.IsAwake) ? _saturated + 1 : 0;
            if (_saturated >= SaturatedChecks && _engines.Count < _setting.Processors.Client)
            {
                _saturated = 0;
                _engines.Add(new(this));
            }

            Watch();
        });
    }

    // A lonely caller's engine polls for the answer if a processor is idle.
    private double EngineDelay => _setting.Callers == 1 && _client.Count + _server.Count > 1 ? 0 : _costs.WakeUp;

    private void Answered(ServerSession session)
    {
        _answers.Enqueue(session);
        _engines.Find(static engine => !engine.IsAwake)?.Wake(EngineDelay);
    }

    private void Continue(Caller caller)
    {
        _continuations.Enqueue(caller);
        _poolThreads.Find(static thread => !thread.IsAwake)?.Wake(_costs.WakeUp);
    }

    private void Send(Caller caller)
    {
        var session = caller.Session!;
        session.Caller = caller;
        _timeline.At(_timeline.Now + (_setting.RoundTrip / 2), session.Receive);
    }

    // Until a collection has ended, nothing of the client runs.
    private double Pause()
    {
        if (_costs.OperationsPerCollection > 0 && ++_sinceCollection >= _costs.OperationsPerCollection)
        {
            _sinceCollection = 0;
            _collectionEnds = _timeline.Now + _costs.Collection;
            _collecting += _costs.Collection;
        }

        return Math.Max(0, _collectionEnds - _timeline.Now);
    }

    private sealed class Caller
    {
        public ServerSession? Session;
        public double Began;
    }

    private sealed class Engine(Simulation all) : SimulatedThread(all._timeline, all._client)
    {
        private ServerSession? _session;

        protected override bool HasWork => all._answers.Count > 0;

        protected override double BeginWork()
        {
            _session = all._answers.Dequeue();
            var costs = all._costs;
            var now = all._timeline.Now;
            var isHanded = all._waiters.Count > 0;
            var time = (all._clientCrowded * all.Vary(costs.Receive + (isHanded ? 0 : costs.Send))) + (WasAsleep ? costs.Sleep : 0) + all._epoll.Use(now);
            return time + (isHanded ? all._poolLock.Use(now) : all._idleCount.Use(now)) + all.Pause();
        }

        protected override void EndWork()
        {
            if (_session is not { } session)
                return;
            _session = null;
            var caller = session.Caller!;
            var now = all._timeline.Now;
            all._times.Add(now - caller.Began);
            caller.Began = now;
            if (all._waiters.TryDequeue(out var first))
            {
                first.Session = session;
                caller.Session = null;
                all.Continue(first);
                all._waiters.Enqueue(caller);
            }
            else
                all.Send(caller);
        }
    }

    /// <summary>A thread of the thread pool, which continues callers that have waited.</summary>
    private sealed class PoolThread(Simulation all) : SimulatedThread(all._timeline, all._client)
    {
        private Caller? _caller;

        protected override bool HasWork => all._continuations.Count > 0;

        protected override double BeginWork()
        {
            _caller = all._continuations.Dequeue();
            return all._clientCrowded * all.Vary(all._costs.Send + all._costs.Hop);
        }

        protected override void EndWork()
        {
            if (_caller is { } caller)
                all.Send(caller);
            _caller = null;
        }
    }

    /// <summary>A session's thread in the server.</summary>
    private sealed class ServerSession(Simulation all) : SimulatedThread(all._timeline, all._server)
    {
        private bool _hasCommand;

        public Caller? Caller { get; set; }

        protected override bool HasWork => _hasCommand;

        public void Receive()
        {
            _hasCommand = true;
            Wake(all._costs.WakeUp);
        }

        protected override double BeginWork() => all._serverCrowded * all.Vary(all._costs.Server);

        protected override void EndWork()
        {
            _hasCommand = false;
            all._timeline.At(all._timeline.Now + (all._setting.RoundTrip / 2), () => all.Answered(this));
        }
    }
}
