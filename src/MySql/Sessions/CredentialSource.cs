using System.Text;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Errors;
using Slipstream.MySql.Options;

namespace Slipstream.MySql.Sessions;

/// <summary>Calls the application's callback for user and password, within the time of the connection attempt.</summary>
internal sealed class CredentialSource(
    Func<MySqlProvidePasswordContext, CancellationToken, ValueTask<MySqlCredential>> provider, MySqlProvidePasswordContext context, DialScope scope)
        : LoginSource
{
    private MySqlCredential _credential;

    /// <summary>Returns the source of the credentials, or null if no callback applies.</summary>
    public static CredentialSource? For(MySqlSettings settings, SecurityCallbacks callbacks, ITransport transport, DialScope scope, bool hasPassword)
    {
        var provider = (scope.Holder as IHasCallbacks)?.Callbacks.Credentials ?? callbacks.Credentials;
        // As in MySqlConnector: the callback of a connection is not called if the connection string has a password.
        if (provider is null && !hasPassword && scope.Holder is IHasCallbacks { Callbacks.Password: { } ofConnection })
            provider = (context, _) => new(new MySqlCredential(ofConnection(context)));
        return provider is null ? null : new(provider, ContextOf(settings, transport.Peer), scope);
    }

    // A method of its own, so that other callers neither allocate the closure nor load the types it uses.
    private static MySqlProvidePasswordContext ContextOf(MySqlSettings settings, string peer)
    {
        var endpoint = settings.Endpoints.FirstOrDefault(one => one.ToString() == peer) ?? settings.Endpoints[0];
        return new(endpoint.Host, endpoint.Port, settings.UserID, settings.Database);
    }

    // The callback may wait for a network. So it runs on a thread of its own, and the caller waits for it only as long as the attempt may take.
    public override void Wait()
    {
        var asking = Task.Run(() => provider(context, scope.Token).AsTask());
        WaitHandle.WaitAny([((IAsyncResult)asking).AsyncWaitHandle, scope.Token.WaitHandle]);
        if (!asking.IsCompleted || (asking.IsCanceled && scope.HasEnded))
            throw new OperationCanceledException(scope.Token);
        _credential = asking.IsCompletedSuccessfully ? asking.Result : throw Failed(asking.Exception?.InnerException ?? new TaskCanceledException(asking));
    }

    public override async ValueTask WaitAsync()
    {
        try
        {
            _credential = await provider(context, scope.Token).AsTask().WaitAsync(scope.Token).ConfigureAwait(false);
        }
        catch (Exception exception) when (!scope.HasEnded)
        {
            throw Failed(exception);
        }
    }

    public override ConnectOptions Apply(ConnectOptions options) => options with
    {
        User = Names.Checked(_credential.UserId ?? options.User, "user name from the application's callback"),
        Password = Encoding.UTF8.GetBytes(Names.Checked(_credential.Password ?? "", "password from the application's callback")),
    };

    private static CallbackException Failed(Exception inner) =>
        new($"The application's password callback failed: {inner.GetType().Name}. No connection was opened.", inner);
}
