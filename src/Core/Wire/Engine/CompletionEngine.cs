using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace Slipstream.Core.Wires;

/// <summary>
/// One epoll set of descriptors and the few threads that wait for it. The thread that is notified of an answer receives it, advances the conversation and runs
/// the continuation, including the caller's code, so that no other thread has to wake up. <see cref="EngineThreads"/> decides on the number of threads. Runs on
/// Linux on x64 and arm64. Shared by the process, started by the first wait, idle while there are no waits.
/// </summary>
internal sealed class CompletionEngine
{
    private const ulong WakeKey = ulong.MaxValue;

    private static readonly Lazy<CompletionEngine?> Only = new(TryCreate);

    private readonly int _set;
    private readonly int _counter;
    private readonly Lock _gate = new();
    private readonly List<int> _free = [];
    private readonly EngineThreads _threads;
    private EngineSocket?[] _table = new EngineSocket?[64];
    private uint[] _generations = new uint[64];
    private int _used;
    private bool _isStarted;

    private CompletionEngine(int set, int counter)
    {
        _set = set;
        _counter = counter;
        _threads = new EngineThreads(this);
        Gatherings = new Gatherings(_threads.KeepWatching);
    }

    /// <summary>The engine of the process; null where it is not available: on another system, or on one that refuses what the engine needs.</summary>
    public static CompletionEngine? Shared => Only.Value;

    /// <summary>The engine's threads, for tests and diagnostics.</summary>
    public EngineThreads Threads => _threads;

    /// <summary>The receives that let small answers gather.</summary>
    public Gatherings Gatherings { get; }

    /// <summary>Number of descriptors in the set.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _used - _free.Count;
        }
    }

    /// <summary>Adds a descriptor to the set.</summary>
    /// <returns>Negative: a failure of <see cref="Epoll"/>.</returns>
    public int Add(EngineSocket socket, SafeSocketHandle handle, uint interest)
    {
        lock (_gate)
        {
            if (!_isStarted)
            {
                _threads.Start();
                _isStarted = true;
            }

            int place;
            if (_free.Count > 0)
            {
                place = _free[^1];
                _free.RemoveAt(_free.Count - 1);
            }
            else
            {
                place = _used++;
                if (place == _table.Length)
                {
                    Array.Resize(ref _generations, place * 2);
                    var table = _table;
                    Array.Resize(ref table, place * 2);
                    Volatile.Write(ref _table, table);
                }
            }

            socket.Key = (ulong)++_generations[place] << 32 | (uint)place;
            Volatile.Write(ref _table[place], socket);
        }

        var result = Epoll.Control(_set, Epoll.Add, handle, interest, socket.Key);
        if (result < 0)
            Forget(socket);
        return result;
    }

    /// <summary>Changes the events that are reported for a descriptor. Events that are already pending are reported again.</summary>
    public int Change(EngineSocket socket, SafeSocketHandle handle, uint interest) => Epoll.Control(_set, Epoll.Modify, handle, interest, socket.Key);

    /// <summary>Removes a descriptor from the set, before it is closed. Events that were already reported for it are ignored.</summary>
    public void Remove(EngineSocket socket, SafeSocketHandle handle)
    {
        try
        {
            _ = Epoll.Control(_set, Epoll.Delete, handle, 0, 0);
        }
        catch (ObjectDisposedException)
        {
            // Already closed, which removed it from the set.
        }

        Forget(socket);
    }

    /// <summary>Waits for one event. Returns false if the time runs out (−1: no limit, 0: only poll).</summary>
    public bool Wait(int milliseconds, out uint events, out ulong key) => Epoll.Wait(_set, milliseconds, out events, out key) > 0;

    /// <summary>Passes an event to its socket. Returns false for a wake-up that no other thread has taken.</summary>
    public bool Pass(uint events, ulong key)
    {
        if (key == WakeKey)
            return !Epoll.TryTake(_counter);
        SocketOf(key)?.OnEvent(events);
        return true;
    }

    /// <summary>Whether a thread may ever poll for an answer of this socket.</summary>
    public bool MaySpin(ulong key) => SocketOf(key) is null or { MaySpin: true };

    /// <summary>Whether a thread may poll for what this socket receives next.</summary>
    public bool Spins(ulong key) => SocketOf(key) is null or { Spins: true };

    private EngineSocket? SocketOf(ulong key)
    {
        var table = Volatile.Read(ref _table);
        var place = (uint)key;
        return place < (uint)table.Length && Volatile.Read(ref table[place]) is { } socket && socket.Key == key ? socket : null;
    }

    /// <summary>Wakes one waiting thread.</summary>
    public void WakeOne() => Epoll.Count(_counter);

    private void Forget(EngineSocket socket)
    {
        lock (_gate)
        {
            var place = (int)(uint)socket.Key;
            Volatile.Write(ref _table[place], null);
            _free.Add(place);
        }
    }

    internal static CompletionEngine? TryCreate()
    {
        if (!OperatingSystem.IsLinux() || RuntimeInformation.ProcessArchitecture is not (Architecture.X64 or Architecture.Arm64))
            return null;
        try
        {
            var set = Epoll.Create();
            if (set < 0)
                return null;
            var counter = Epoll.CreateCounter();
            if (counter >= 0 && Epoll.Control(set, Epoll.Add, counter, Epoll.Readable, WakeKey) >= 0)
                return new CompletionEngine(set, counter);
            Epoll.Close(set);
            if (counter >= 0)
                Epoll.Close(counter);
            return null;
        }
        catch (Exception exception) when (exception is DllNotFoundException or EntryPointNotFoundException)
        {
            return null;
        }
    }
}
