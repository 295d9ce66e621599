using System.Net;

namespace Slipstream.Core.Wires;

/// <summary>
/// Resolves names for callers that block. The system's resolver cannot be interrupted, so it runs on another thread and is abandoned when time runs out. A
/// thread that has nothing to do waits a while for the next name: starting one costs more than resolving a name of the hosts file.
/// </summary>
internal static class NameResolver
{
    private const int IdleMilliseconds = 5000;

    private static readonly Lock Gate = new();
    private static readonly List<Worker> Idle = [];

    /// <summary>The addresses of a name; null when the scope ended first.</summary>
    /// <param name="host">The name.</param>
    /// <param name="lookUp">Asks the name service.</param>
    /// <param name="scope">How long it may take.</param>
    /// <param name="failure">Why there are none.</param>
    public static IPAddress[]? Resolve(string host, Func<string, IPAddress[]> lookUp, DialScope scope, out Exception? failure)
    {
        var query = new Query(host, lookUp);
        Hand(query);
        var isDone = scope.Wait(query.Done);
        failure = isDone ? query.Failure : null;
        return isDone ? query.Addresses : null;
    }

    private static void Hand(Query query)
    {
        Worker? worker = null;
        lock (Gate)
        {
            if (Idle.Count > 0)
            {
                worker = Idle[^1];
                Idle.RemoveAt(Idle.Count - 1);
            }
        }

        if (worker is null)
            new Worker(query).Start();
        else
            worker.Give(query);
    }

    // Never disposed, because whoever resolves may set it long after the asker has gone. It does not spin: the answer takes longer than that is good for.
    private sealed class Query(string host, Func<string, IPAddress[]> lookUp)
    {
        public ManualResetEventSlim Done { get; } = new(false, 0);

        public IPAddress[] Addresses { get; private set; } = [];

        public Exception? Failure { get; private set; }

        public void Run()
        {
            try
            {
                Addresses = lookUp(host);
            }
            catch (Exception exception)
            {
                // Whatever it is, it is the asker's: thrown here it would end the process.
                Failure = exception;
            }

            Done.Set();
        }
    }

    private sealed class Worker(Query first)
    {
        private Query? _next = first;

        public void Start() => new Thread(Run) { IsBackground = true, Name = "name resolution" }.UnsafeStart();

        public void Give(Query query)
        {
            lock (this)
            {
                _next = query;
                Monitor.Pulse(this);
            }
        }

        private void Run()
        {
            while (Take() is { } query)
            {
                query.Run();
                lock (Gate)
                    Idle.Add(this);
            }
        }

        // Null when nobody asked for long. Whoever took this worker off the list gives it a query for certain.
        private Query? Take()
        {
            lock (this)
            {
                while (_next is null)
                {
                    if (!Monitor.Wait(this, IdleMilliseconds) && _next is null && Leaves())
                        return null;
                }

                var query = _next;
                _next = null;
                return query;
            }
        }

        private bool Leaves()
        {
            lock (Gate)
                return Idle.Remove(this);
        }
    }
}
