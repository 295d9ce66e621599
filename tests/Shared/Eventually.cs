using System.Diagnostics;
using System.Runtime.CompilerServices;
using Xunit;

namespace Slipstream.Testing;

/// <summary>
/// Waits until a condition is true that another thread, another process or a server causes. Tests wait with this class, not for a fixed time: it returns as
/// soon as the condition is true, and fails after a deadline that even a busy machine meets.
/// </summary>
internal static class Eventually
{
    private const int Deadline = 60_000;

    /// <summary>Checks the condition every millisecond, and blocks meanwhile.</summary>
    /// <param name="condition">The condition.</param>
    /// <param name="milliseconds">The deadline.</param>
    /// <param name="what">The condition's source, for the message.</param>
    public static void True(Func<bool> condition, int milliseconds = Deadline, [CallerArgumentExpression(nameof(condition))] string what = "")
    {
        for (var began = Stopwatch.GetTimestamp(); !condition(); Thread.Sleep(1))
            Check(began, milliseconds, what);
    }

    /// <summary>Checks the condition every few milliseconds.</summary>
    /// <param name="condition">The condition.</param>
    /// <param name="milliseconds">The deadline.</param>
    /// <param name="what">The condition's source, for the message.</param>
    public static Task TrueAsync(Func<bool> condition, int milliseconds = Deadline, [CallerArgumentExpression(nameof(condition))] string what = "") =>
        TrueAsync(() => Task.FromResult(condition()), milliseconds, what);

    /// <summary>Checks the condition every few milliseconds, for example with a query.</summary>
    /// <param name="condition">The condition.</param>
    /// <param name="milliseconds">The deadline.</param>
    /// <param name="what">The condition's source, for the message.</param>
    public static async Task TrueAsync(
        Func<Task<bool>> condition, int milliseconds = Deadline, [CallerArgumentExpression(nameof(condition))] string what = "")
    {
        for (var began = Stopwatch.GetTimestamp(); !await condition(); await Task.Delay(5))
            Check(began, milliseconds, what);
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

    private static void Check(long began, int milliseconds, string what) => Assert.True(
        Stopwatch.GetElapsedTime(began).TotalMilliseconds < milliseconds, $"Did not become true within {milliseconds} ms: {what}");
}
