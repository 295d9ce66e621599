using System.Collections.Concurrent;
using System.Net;
using System.Security.Cryptography;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Authentication;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Protocol.Connect;
using Slipstream.PostgreSql.State;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Sessions;

/// <summary>Opens the sessions of one data source, and the short connections that cancel commands.</summary>
internal sealed class PgSessionOpener : SessionOpener
{
    private readonly ScramKeyCache _keys = new();
    private readonly ConcurrentDictionary<string, TypeSource> _types = new();
    private readonly PgSettings _settings;
    private readonly Dialer _dialer;
    private readonly SecurityCallbacks _callbacks;
    private readonly KeepAlives? _keepAlives;
    private volatile string? _renewedPassword;

    public PgSessionOpener(PgSettings settings, Dialer dialer, SecurityCallbacks? callbacks = null)
        : base(dialer, new Hosts(settings.Endpoints, settings.LoadBalanceHosts ? HostOrder.RoundRobin : HostOrder.FailOver))
    {
        _settings = settings;
        _dialer = dialer;
        _callbacks = callbacks ?? SecurityCallbacks.None;
        AutoPreparation = new(settings.AutoPrepares, settings.AutoPrepareMinUsages);
        Watch(nameInterval: 0);
        if (settings.KeepAliveInterval > 0)
            _keepAlives = new(settings.KeepAliveInterval);
    }

    // The prefix contains no digits, because a number follows.
    private const string NameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private const int NameLength = 8;

    /// <summary>Gets the prefix of statement names, if it must be known in advance, as in a recording. Null: each session has its own random prefix.</summary>
    public string? StatementPrefix { get; init; }

    /// <summary>Gets the function that returns the password that was set for all servers of a cluster; null if there is none.</summary>
    public Func<string?>? OwnersPassword { get; init; }

    /// <summary>Gets whether sessions may be asked for the positions of their writes.</summary>
    public bool TracksWrites { get; init; }

    public long MaxValueBytes => _settings.MaxValueBytes;

    /// <summary>Gets the maximum size of a row that the driver holds in memory, in bytes.</summary>
    public long MaxRowBytes => _settings.MaxRowBytes;

    /// <summary>Gets the search_path that the connection string sets; empty if it sets none.</summary>
    public string SearchPath => _settings.SearchPath;

    /// <summary>Gets or sets whether a session has noticed that a pooler is between the driver and the server.</summary>
    public bool IsBehindPooler { get; set; }

    public int MaxPrepared => _settings.MaxPrepared;

    /// <summary>Gets the rule that decides which texts are prepared automatically, shared by all sessions of the data source.</summary>
    public AutoPreparation AutoPreparation { get; }

    /// <summary>Gets or sets the action that receives the path of a password file that other users can access.</summary>
    public Action<string>? PasswordFileIgnored { get; set; }

    /// <summary>Gets or sets the password of sessions that are opened from now on; null or empty for that of the settings.</summary>
    public string? RenewedPassword
    {
        get => _renewedPassword;
        set => _renewedPassword = string.IsNullOrEmpty(value) ? null : value;
    }

    /// <summary>Returns the types of a server's database. Different hosts may have different object ids.</summary>
    public TypeSource TypesAt(string peer) =>
        _types.GetOrAdd(peer, static (_, opener) => new(opener._settings.TypeMappings, opener._settings.TypeLoading), this);

    /// <summary>Asks the server to cancel the running command of a session. Blocks until the server has read the request.</summary>
    /// <param name="endpoint">The session's endpoint.</param>
    /// <param name="session">The session's key.</param>
    /// <param name="milliseconds">The time limit for the whole request, in milliseconds.</param>
    /// <param name="address">The session's address. The key must not be sent to another server to which the name may now resolve.</param>
    /// <param name="inTls">True if the session uses TLS. The key is then sent only inside TLS, regardless of SSL Mode.</param>
    /// <param name="holder">The connection that holds the session, whose callbacks verify the server; null without one.</param>
    /// <exception cref="WireException">The request could not be sent.</exception>
    public void Cancel(Endpoint endpoint, BackendKeyData session, int milliseconds, IPAddress? address, bool inTls, object? holder)
    {
        using var scope = ScopeFor(holder, milliseconds, default);
        scope.Address = address;
        var wire = new Wire(_dialer.Dial(endpoint, scope));
        try
        {
            BlockingPump.Run(new Cancel(_settings, session, inTls), wire);
        }
        catch (WireException exception) when (exception.Failure == WireFailure.Lost && !scope.HasEnded)
        {
            // The server answers by closing the connection. If the time limit passed first, there is no answer, and the request may still be on its way.
        }
        finally
        {
            wire.Transport.Dispose();
        }
    }

    // Returns true for errors that concern the server and not the user: connection exceptions (08), insufficient resources, such as too many connections (53),
    // shutdown, start-up and standby (57P01, 57P02, 57P03), system errors (58) and internal errors (XX). All servers give the same answer to a wrong password
    // or a database that does not exist.
    internal static bool ConcernsServer(ServerError error) =>
        error.SqlState is "57P01" or "57P02" or "57P03" || (error.SqlState.Length == 5 && error.SqlState[..2] is "08" or "53" or "58" or "XX");

    protected internal override bool MayTryNext(ServerError error) => ConcernsServer(error);

    protected override string TimeoutOption => PgOptions.Timeout.Name;

    protected internal override ConnectScript CreateConnect(ITransport transport, DialScope scope)
    {
        var renewed = _renewedPassword ?? OwnersPassword?.Invoke();
        var hasPassword = renewed is not null || _settings.Password.Length > 0;
        PasswordSource? source = LoginPassword.For(_settings, _callbacks, transport, scope, hasPassword);
        if (source is null && !hasPassword)
            source = new EnvironmentPassword(_settings, _settings.EndpointOf(transport.Peer), PasswordFileIgnored);
        return new Connect(_settings, _keys, transport, new(renewed, source, Negotiate), TypesAt(transport.Peer));
    }

    private INegotiation Negotiate(string service) => Negotiation.Create(service, _callbacks.NegotiateOptions);

    protected override TlsSettings? TlsOf(object holder) =>
        holder is IHasCallbacks { Callbacks: { HasTls: true } callbacks } ? callbacks.WithFallback(_callbacks).Apply(_settings.ReadTls()) : null;

    protected internal override Session CreateSession(Wire wire, Endpoint endpoint, ConnectScript connect)
    {
        var session = new PgSession(wire, endpoint, this, (Connect)connect)
        {
            CancellationTimeout = _settings.CancellationTimeout,
            ResetsBetweenLeases = _settings.ResetsSessions,
            ResetsWhole = _settings.ResetMode == PgResetMode.Always,
            MayPipeline = _settings.Pipelines,
            Writes = TracksWrites ? new(_settings.TrackWriteToken) : null,
            StatementPrefix = StatementPrefix ?? RandomNumberGenerator.GetString(NameLetters, NameLength),
        };
        _keepAlives?.Add(session);
        return session;
    }
}
