using System.Diagnostics;

namespace Slipstream.Core.Tests.Fakes;

internal static class Eventually
{
    /// <summary>Waits until a condition is true that another thread causes.</summary>
    public static void True(Func<bool> condition, int milliseconds = 60_000)
    {
        var began = Stopwatch.GetTimestamp();
        while (!condition())
        {
            Assert.True(Stopwatch.GetElapsedTime(began).TotalMilliseconds < milliseconds, $"It did not become true within {milliseconds} ms.");
            Thread.Sleep(1);
        }
    }

    /// <summary>Runs on a separate thread, and returns what the function returns or throws.</summary>
    public static Task<T> OnThread<T>(Func<T> action)
    {
        var result = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(() =>
        {
            try
            {
                result.SetResult(action());
            }
            catch (Exception exception)
            {
                result.SetException(exception);
            }
        })
        { IsBackground = true }.Start();
        return result.Task;
    }

    public static Task OnThread(Action action) => OnThread(() =>
    {
        action();
        return true;
    });
}
