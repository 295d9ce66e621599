using Slipstream.Core.Time;

namespace Slipstream.MySql.Sessions;

/// <summary>
/// A password that is renewed periodically. The provider is called when a session is opened and the last answer is older than its interval. While the provider
/// fails, the last password remains in use. Concurrent callers wait for the same answer.
/// </summary>
internal sealed class PeriodicPassword(
    Func<MySqlProvidePasswordContext, CancellationToken, ValueTask<string>> provider, TimeSpan successRefreshInterval, TimeSpan failureRefreshInterval)
{
    private readonly object _gate = new();
    private string? _last;
    private long _due;
    private Task<string>? _asking;

    public async ValueTask<MySqlCredential> GetAsync(MySqlProvidePasswordContext context, CancellationToken cancellationToken)
    {
        Task<string> asking;
        lock (_gate)
        {
            if (_last is not null && Clock.Now < _due)
                return new(_last);
            // Not limited by the caller's time, because other callers wait for it too.
            asking = _asking ??= Task.Run(() => AskAsync(context), CancellationToken.None);
        }

        return new(await asking.WaitAsync(cancellationToken).ConfigureAwait(false));
    }

    private async Task<string> AskAsync(MySqlProvidePasswordContext context)
    {
        string? password = null;
        try
        {
            password = await provider(context, CancellationToken.None).ConfigureAwait(false)
                ?? throw new InvalidOperationException("The application's password callback returned null: it must return a string, which is empty for an "
                    + "account without a password.");
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
