using Slipstream.Core.Time;

namespace Slipstream.Core.Sessions;

/// <summary>
/// A password that is renewed periodically. The provider is called when a session is opened and the last answer is older than its interval. While the provider
/// fails, the last password remains in use. Concurrent callers wait for the same answer.
/// </summary>
/// <typeparam name="T">What the provider learns about the login.</typeparam>
internal sealed class PeriodicPassword<T>(
    Func<T, CancellationToken, ValueTask<string>> provider, TimeSpan successRefreshInterval, TimeSpan failureRefreshInterval)
{
    private readonly object _gate = new();
    private string? _last;
    private long _due;
    private Task<string>? _asking;

    /// <summary>Returns the current password, and asks for it if it is due.</summary>
    public async ValueTask<string> GetAsync(T context, CancellationToken cancellationToken)
    {
        Task<string> asking;
        lock (_gate)
        {
            if (_last is not null && Clock.Now < _due)
                return _last;
            // Not limited by the caller's time, because other callers wait for it too.
            asking = _asking ??= Task.Run(() => AskAsync(context), CancellationToken.None);
        }

        return await asking.WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    private async Task<string> AskAsync(T context)
    {
        string? password = null;
        try
        {
            password = CallbackAnswer.NotNull(await provider(context, CancellationToken.None).ConfigureAwait(false));
            return password;
        }
        catch (Exception) when (_last is { } last)
        {
            return last;
        }
        finally
        {
            lock (_gate)
            {
                _asking = null;
                _due = Clock.Now + (long)(password is null ? failureRefreshInterval : successRefreshInterval).TotalMilliseconds;
                _last = password ?? _last;
            }
        }
    }
}
