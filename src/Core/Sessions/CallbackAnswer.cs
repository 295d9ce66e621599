using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>The answer of a callback of the application that provides a login's secret, within the time of the connection attempt.</summary>
/// <param name="ask">The callback.</param>
/// <param name="scope">The attempt.</param>
internal sealed class CallbackAnswer<T>(Func<CancellationToken, ValueTask<T>> ask, DialScope scope)
{
    /// <summary>Gets the answer after one of the waits has ended.</summary>
    public T Value { get; private set; } = default!;

    /// <summary>
    /// Blocks until the callback has answered. It may wait for a network, so it runs on the thread pool, and the caller waits for it only as long as the
    /// attempt may take.
    /// </summary>
    /// <exception cref="CallbackException">The callback failed.</exception>
    public void Wait()
    {
        var asking = Task.Run(() => ask(scope.Token).AsTask());
        WaitHandle.WaitAny([((IAsyncResult)asking).AsyncWaitHandle, scope.Token.WaitHandle]);
        if (!asking.IsCompleted || (asking.IsCanceled && scope.HasEnded))
            throw new OperationCanceledException(scope.Token);
        Value = asking.IsCompletedSuccessfully
            ? asking.Result
            : throw CallbackAnswer.Failed(asking.Exception?.InnerException ?? new TaskCanceledException(asking));
    }

    /// <inheritdoc cref="Wait"/>
    public async ValueTask WaitAsync()
    {
        try
        {
            Value = await ask(scope.Token).AsTask().WaitAsync(scope.Token).ConfigureAwait(false);
        }
        catch (Exception exception) when (!scope.HasEnded)
        {
            throw CallbackAnswer.Failed(exception);
        }
    }
}

/// <summary>Rules for the answers of all callbacks.</summary>
internal static class CallbackAnswer
{
    /// <summary>Returns the password unless it is null.</summary>
    /// <exception cref="CallbackException">It is null.</exception>
    public static string NotNull(string? password) => password ?? throw new CallbackException(
        "The application's password callback returned null: it must return a string, which is empty for an account without a password.",
        new InvalidOperationException("The callback returned null."));

    /// <summary>Returns the exception for a callback that failed.</summary>
    public static CallbackException Failed(Exception inner) => inner as CallbackException ?? new CallbackException(
        $"The application's password callback failed: {inner.GetType().Name}. No connection was opened.", inner);
}
