using System.Collections.Concurrent;

namespace Slipstream.Race.Measuring;

/// <summary>
/// The thread of all pinned blocks. A thread has its own caches, such as that of the shared array pool; a new one for each slice would fill them again, and its
/// allocations would count for the few operations of the slice.
/// </summary>
internal sealed class PinnedThread
{
    private static PinnedThread? _current;

    private readonly BlockingCollection<(Action Work, TaskCompletionSource Done)> _work = [];

    private PinnedThread() => new Thread(Run) { IsBackground = true, Name = "pinned" }.Start();

    /// <summary>Runs work on the thread.</summary>
    public static Task RunAsync(Action work)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        (_current ??= new())._work.Add((work, done));
        return done.Task;
    }

    /// <summary>Leaves a thread whose work does not end; the next work gets a new one.</summary>
    public static void Abandon()
    {
        _current?._work.CompleteAdding();
        _current = null;
    }

    private void Run()
    {
        Pinning.PinThisThread();
        foreach (var (work, done) in _work.GetConsumingEnumerable())
        {
            try
            {
                work();
                done.SetResult();
            }
            catch (Exception exception)
            {
                done.SetException(exception);
            }
        }
    }
}
