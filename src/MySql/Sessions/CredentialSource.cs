using System.Text;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Options;

namespace Slipstream.MySql.Sessions;

/// <summary>Calls the application's callback for user and password, within the time of the connection attempt.</summary>
internal sealed class CredentialSource(
    Func<MySqlProvidePasswordContext, CancellationToken, ValueTask<MySqlCredential>> provider, MySqlProvidePasswordContext context, DialScope scope)
        : LoginSource
{
    private readonly CallbackAnswer<MySqlCredential> _answer = new(token => provider(context, token), scope);

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

    public override void Wait() => _answer.Wait();

    public override ValueTask WaitAsync() => _answer.WaitAsync();

    public override ConnectOptions Apply(ConnectOptions options) => options with
    {
        User = Names.Checked(_answer.Value.UserId ?? options.User, "user name from the application's callback"),
        Password = Encoding.UTF8.GetBytes(Names.Checked(_answer.Value.Password ?? "", "password from the application's callback")),
    };
}
