using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Options;

namespace Slipstream.PostgreSql.Sessions;

/// <summary>The password of one login that a callback of the application provides, within the time of the connection attempt.</summary>
internal sealed class LoginPassword : PasswordSource
{
    private readonly CallbackAnswer<string> _blocking;
    private readonly CallbackAnswer<string> _asynchronous;
    private bool _isAsynchronous;

    private LoginPassword(Func<string>? ask, Func<CancellationToken, ValueTask<string>>? askAsync, DialScope scope)
    {
        _blocking = new(token => ask is null ? askAsync!(token) : new(ask()), scope);
        _asynchronous = new(token => askAsync is null ? new(ask!()) : askAsync(token), scope);
    }

    public override string? Password =>
        Names.Checked(CallbackAnswer.NotNull(_isAsynchronous ? _asynchronous.Value : _blocking.Value), "password from the application's callback");

    public override string WhyNone => "the application's password callback returned an empty one: return the password";

    /// <summary>Returns the source of the password, or null if no callback applies.</summary>
    /// <param name="settings">The settings of the data source.</param>
    /// <param name="callbacks">The callbacks of the data source.</param>
    /// <param name="transport">The connection, which names the server.</param>
    /// <param name="scope">The attempt, whose holder may have callbacks of its own.</param>
    /// <param name="hasPassword">Whether the data source has a password.</param>
    public static LoginPassword? For(PgSettings settings, SecurityCallbacks callbacks, ITransport transport, DialScope scope, bool hasPassword)
    {
        var ofHolder = (scope.Holder as IHasCallbacks)?.Callbacks ?? SecurityCallbacks.None;
        if (ofHolder.ProvidesPassword || callbacks.ProvidesPassword)
            return OfSource(settings, ofHolder.ProvidesPassword ? ofHolder : callbacks, transport.Peer, scope);
        // As in Npgsql: the callback of a connection is not called if there is a password.
        return ofHolder.ConnectionPassword is { } own && !hasPassword ? OfConnection(settings, own, transport.Peer, scope) : null;
    }

    public override void Wait() => _blocking.Wait();

    public override ValueTask WaitAsync()
    {
        _isAsynchronous = true;
        return _asynchronous.WaitAsync();
    }

    // Methods of their own, so that other callers do not allocate the closures.
    private static LoginPassword OfSource(PgSettings settings, SecurityCallbacks callbacks, string peer, DialScope scope)
    {
        var endpoint = settings.EndpointOf(peer);
        return new(
            callbacks.Password is { } ask ? () => ask(settings.Describe(endpoint)) : null,
            callbacks.PasswordAsync is { } askAsync ? token => askAsync(settings.Describe(endpoint), token) : null,
            scope);
    }

    private static LoginPassword OfConnection(PgSettings settings, Func<string, int, string, string, string> ask, string peer, DialScope scope)
    {
        var endpoint = settings.EndpointOf(peer);
        return new(() => ask(endpoint.Host, endpoint.Port, settings.Database, settings.Username), null, scope);
    }
}
