using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Options;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Sessions;

/// <summary>Opens the sessions of a data source.</summary>
internal sealed class MySqlSessionOpener : SessionOpener
{
    private readonly MySqlSettings _settings;
    private readonly ConnectOptions _options;
    private readonly SecurityCallbacks _callbacks;
    private readonly CodecSettings _codecs;
    private readonly ServerSendBuffer? _sendBuffer;

    private static readonly object Yes = new();
    private static readonly object No = new();

    // Whether several commands may be sent to a server at once, for each server that was checked.
    // (The values are objects because code for Boolean values is not compiled ahead of time.)
    private readonly ConcurrentDictionary<Endpoint, object> _pipelines = new();
    private bool _isOfGalera;

    public MySqlSessionOpener(MySqlSettings settings, Func<string>? password = null, Dialer? dialer = null, SecurityCallbacks? callbacks = null)
        : base(
            dialer ?? settings.CreateDialer((callbacks ?? SecurityCallbacks.None).Apply(settings.ReadTls())),
            new Hosts(settings.Endpoints, (HostOrder)settings.LoadBalance))
    {
        HostTimeout = settings.HostConnectTimeout;
        Watch(settings.DnsCheckInterval);
        _settings = settings;
        _callbacks = callbacks ?? SecurityCallbacks.None;
        _codecs = settings.Codecs;
        _sendBuffer =
            settings is { PipeliningMode: MySqlPipeliningMode.Off, ServerSendBuffer: < 0 } ? null : ServerSendBuffer.Create(settings.ServerSendBuffer);
        Password = password;
        AutoPrepare = new AutoPrepare(settings.AutoPrepareMinUses, settings.MaxAutoPrepare, settings.AutoPrepareBudget);
        _options = new ConnectOptions(settings.UserID, Encoding.UTF8.GetBytes(settings.Password), settings.Database, Demand(settings.SslMode))
        {
            Attributes = ConnectionAttributes.Encode(Describe(settings)),
            FoundRows = !settings.UseAffectedRows,
            Interactive = settings.InteractiveSession,
            CanHandleExpiredPasswords = settings.CanHandleExpiredPasswords,
            Redirects = settings.ServerRedirectionMode != MySqlServerRedirectionMode.Disabled,
            QueryAttributes = settings.QueryAttributes,
            Compress = settings.UseCompression,
            LocalFiles = settings.AllowLoadLocalInfile || settings.AllowLoadLocalInfileInPath.Length > 0,
            AllowPublicKeyRetrieval = settings.AllowPublicKeyRetrieval,
            PublicKey = CertificateFiles.ReadText(settings.ServerRsaPublicKeyFile, MySqlOptions.ServerRsaPublicKeyFile.Name),
            AllowCleartextOnLoopback = settings.AllowCleartextPassword,
            Password2 = Encoding.UTF8.GetBytes(settings.Password2),
            Password3 = Encoding.UTF8.GetBytes(settings.Password3),
            AllowedMethods = settings.RequireAuth,
            ScramMinIterations = settings.ScramMinIterations,
            ServerSpn = settings.ServerSpn,
        };
    }

    /// <summary>Gets the function that returns the password of each new session; null if the connection string has the password.</summary>
    public Func<string>? Password { get; }

    /// <summary>Gets the rules for statements that the driver prepares by itself.</summary>
    public AutoPrepare AutoPrepare { get; }

    /// <summary>
    /// Asks the server to stop the session's command. It sends KILL QUERY on a connection of its own to the same address, under the same rules, and only if the
    /// server at that address knows the session.
    /// </summary>
    public void Kill(MySqlSession session, int milliseconds)
    {
        using var scope = ScopeFor(session.Holder, milliseconds < 0 ? _settings.ConnectionTimeout : milliseconds, default);
        var transport = session.Wire.Transport;
        scope.DemandsTls = transport.Trust.IsEncrypted();
        scope.Address = transport.PeerAddress;
        var killer = OpenAt(session.Endpoint, scope);
        try
        {
            if (transport.Trust != PeerTrust.UnixSocket)
                CheckIsKnown(session, (MySqlSession)killer);
            var kill = Commands.Statement(null, $"KILL QUERY {session.ServerId}");
            BlockingPump.Run(new StandaloneExchange(killer, kill), killer.Wire);
        }
        finally
        {
            killer.Close();
        }
    }

    /// <summary>
    /// Gets whether the driver has seen that ports are changed on the way. After that, it also queries the identity in sessions whose server is not verified.
    /// (In sessions with a verified server it always does.) Before that, the query would be a cost without a use.
    /// </summary>
    public bool AsksIdentities
    {
        get => Volatile.Read(ref field);
        private set => Volatile.Write(ref field, value);
    }

    private void CheckIsKnown(MySqlSession session, MySqlSession killer)
    {
        if (killer.ServerVersion != session.ServerVersion)
            throw NotKnown(killer, "runs a different version from the server of the session");
        var (from, to) = (session.Wire.Transport, killer.Wire.Transport);
        if (from.Trust == PeerTrust.Verified && to.Trust != PeerTrust.Verified)
            throw NotKnown(killer, "is not verified, but the server of the session was");
        if (session.Identity is { } identity)
            CheckIsSame(identity, killer);
        else
            CheckOrigin(session, killer);
    }

    private static void CheckIsSame(SessionIdentity identity, MySqlSession killer)
    {
        var question = new IdentityQuestion(killer.State);
        BlockingPump.Run(new StandaloneExchange(killer, question), killer.Wire);
        if (question.Answer is not { } answer || answer.Number != killer.ServerId)
            throw NotKnown(killer, "does not identify itself");
        if (answer.Server != identity.Server)
            throw NotKnown(killer, "is not the server of the session, or was restarted");
    }

    // The server has not identified the session, so the session's address and port must show it.
    private void CheckOrigin(MySqlSession session, MySqlSession killer)
    {
        var (from, to) = (Uncoded(session.Wire.Transport), Uncoded(killer.Wire.Transport));
        var question = new KillTarget(killer, session.ServerId);
        BlockingPump.Run(question, killer.Wire);
        var target = question.Evaluate(to.LocalPort, from.LocalPort);
        if (target == KillTargets.Own)
            return;
        if (target == KillTargets.Other)
            throw NotKnown(killer, "does not know the session by its number and port");
        // The connection ID was sent in clear text: nothing binds it to the verified server.
        if (from.Trust == PeerTrust.Verified)
            throw NotKnown(killer, "does not report the client port of the session with that number");
        AsksIdentities |= target == KillTargets.SameAddress;
        if (from is TlsTransport before)
        {
            if (!before.IsOfSamePeerAs(to))
                throw NotKnown(killer, "presents a different certificate from the server of the session");
        }
        // A stream that the application provides has no port that could have been changed.
        else if (target == KillTargets.SameAddress && from.LocalPort != 0 && session.MayAskIdentity)
            throw NotKnown(killer, "reports other ports than this client uses, so it may be another server behind a load balancer (sessions opened from now "
                + "on ask their server for its identity)");
    }

    private static ITransport Uncoded(ITransport transport) => transport is CodedTransport coded ? coded.Inner : transport;

    private static WireException NotKnown(MySqlSession killer, string why) => new(
        WireFailure.WrongServer, $"The command was not stopped by KILL: {killer.Endpoint} {why}, so the KILL could hit another client's command.")
        {
            RetrySafety = RetrySafety.NotSent
        };

    protected internal override bool MayFallBack => _settings.ServerRedirectionMode == MySqlServerRedirectionMode.Preferred;

    // A server that is not verified could send the client, and its next password, to any host.
    protected internal override Endpoint? RedirectionOf(Session session)
    {
        if (_settings.ServerRedirectionMode == MySqlServerRedirectionMode.Disabled)
            return null;
        var url = ((MySqlSession)session).RedirectUrl;
        var redirection = url is null ? null : Redirection.Parse(url);
        var why = url is null ? "it did not redirect, but Server Redirection Mode=Required requires a redirection: set Server to the final server"
            : session.Wire.Transport.Trust != PeerTrust.Verified
                ? "it redirects, but the driver follows only a server whose certificate is verified: set SSL Mode=VerifyFull"
            : redirection is null ? "it redirects to an address that is not mysql://host:port"
            : redirection.User is { } user && user != _settings.UserID ? "it redirects to another user"
            : !Redirection.IsAllowed(redirection.Endpoint.Host, _settings.RedirectionHosts) ? $"it redirects to {redirection.Endpoint.Host}, which "
                + "Redirection Hosts does not allow"
            : null;
        if (why is null)
            return redirection!.Endpoint == session.Endpoint ? null : redirection.Endpoint;
        return _settings.ServerRedirectionMode == MySqlServerRedirectionMode.Preferred
            ? null
            : throw new WireException(WireFailure.Forbidden, $"{session.Endpoint} cannot be used: {why}.") { RetrySafety = RetrySafety.NotSent };
    }

    // Errors that concern the server and not the user. Another server may accept the connection: too many connections (1040), no memory or threads (1037, 1038,
    // 1041, 1135), shutting down or not ready (1053, 1077, 1079, 1927, 3168, 3169; 1047 from a Galera node that is not synchronised), this client is blocked
    // (1129), offline (3032, and 6400 since MySQL 9, also of a member that its group expelled).
    protected internal override bool MayTryNext(ServerError error) =>
        error.Number is 1037 or 1038 or 1040 or 1041 or 1047 or 1053 or 1077 or 1079 or 1129 or 1135 or 1927 or 3032 or 3168 or 3169 or 6400;

    protected override string TimeoutOption => MySqlOptions.ConnectionTimeout.Name;

    protected internal override ConnectScript CreateConnect(ITransport transport, DialScope scope)
    {
        var options = _options with { LoginToken = scope.Token };
        if (Password is not null)
            options = options with { Password = Encoding.UTF8.GetBytes(Password()) };
        if (scope.DemandsTls && options.Tls == TlsDemand.IfOffered)
            options = options with { Tls = TlsDemand.AlwaysAgain };
        return new Connect(
            CredentialSource.For(_settings, _callbacks, transport, scope, options.Password.Length > 0) is { } producer
                ? options with { Credentials = producer }
                : options,
            transport);
    }

    protected override TlsSettings? TlsOf(object holder) =>
        holder is IHasCallbacks { Callbacks: { HasTls: true } callbacks } ? callbacks.WithFallback(_callbacks).Apply(_settings.ReadTls()) : null;

    protected internal override Session CreateSession(Wire wire, Endpoint endpoint, ConnectScript connect)
    {
        if ((((Connect)connect).Agreed & Capabilities.Compress) != 0)
            BeginCompression(wire);
        var session = new MySqlSession(
            wire, endpoint, (Connect)connect, this, _codecs, _settings.Database, new RowLimits(_settings.MaxValueBytes, _settings.MaxRowBytes),
            _sendBuffer is { IsAdaptive: false } || ServerSendBuffer.IsWorthwhile(((Connect)connect).Greeting) ? _sendBuffer : null)
        {
            ResetsBetweenLeases = _settings.ResetMode != MySqlResetMode.Never,
            CancellationTimeout = _settings.CancellationTimeout,
            RedirectUrl = ((Connect)connect).RedirectUrl,
            SendsDeadlines = _settings.ServerDeadlines,
            SendsTraceContext = _settings.TraceContext,
            Writes = _settings.Topology != MySqlTopology.None || _settings.TrackWriteToken ? new(_settings.TrackWriteToken) : null,
        };
        session.Track(MayPipeline(endpoint), _settings.ResetMode);
        return session;
    }

    protected internal override Conversation? CreateProbe(Session session)
    {
        var own = (MySqlSession)session;
        var asksExpiry = (own.State.Capabilities & Capabilities.CanHandleExpiredPasswords) != 0;
        if (_settings.PipeliningMode != MySqlPipeliningMode.Auto || _pipelines.ContainsKey(own.Endpoint))
            return asksExpiry ? new ExpiryProbe(Commands.Expiry(own.State)) : null;
        if (IsKnownNotToPipeline(own) is { } why)
        {
            Downgraded(own, why);
            return asksExpiry ? new ExpiryProbe(Commands.Expiry(own.State)) : null;
        }

        return new PipelineProbe(
            asksExpiry ? Commands.Expiry(own.State) : own.State.IsTracked ? Commands.Tracker(own.State) : own.CreatePing(), own.CreatePing());
    }

    protected internal override void Probed(Session session, string? fault)
    {
        // The probe was about an expired password and not about pipelining.
        if (fault is null && (_settings.PipeliningMode != MySqlPipeliningMode.Auto || _pipelines.ContainsKey(session.Endpoint)))
            return;
        _pipelines[session.Endpoint] = fault is null ? Yes : No;
        ((MySqlSession)session).Track(fault is null, _settings.ResetMode);
    }

    private static void BeginCompression(Wire wire)
    {
        if (wire.Buffered > 0)
            throw new ProtocolException("nothing between the login and the first command", $"{wire.Buffered} bytes");
        wire.Transport = new CodedTransport(wire.Transport, new CompressedFrames());
        wire.IgnoresSequence = true;
    }

    /// <summary>
    /// Gets or sets whether a server is known to be a node of a Galera cluster: the monitor has found that out, or the server was not ready once. Such a node
    /// may refuse a BEGIN, a reset or settings, become ready, and execute the command after them.
    /// </summary>
    public bool IsOfGalera
    {
        get => Volatile.Read(ref _isOfGalera);
        set => Volatile.Write(ref _isOfGalera, value);
    }

    private bool MayPipeline(Endpoint endpoint) => _settings.PipeliningMode switch
    {
        MySqlPipeliningMode.On => true,
        MySqlPipeliningMode.Off => false,
        _ => _pipelines.TryGetValue(endpoint, out var pipelines) && pipelines == Yes,
    };

    // Known from the version or the name: no probe is sent, and no connection is lost through it.
    private static string? IsKnownNotToPipeline(MySqlSession session)
    {
        if (session.ServerVersion.Contains("ProxySQL", StringComparison.OrdinalIgnoreCase))
            return "it is ProxySQL";
        return session.ServerVersion.StartsWith("5.7.", StringComparison.Ordinal)
            && session.Endpoint.Host.EndsWith(".rds.amazonaws.com", StringComparison.OrdinalIgnoreCase)
            ? "it may be Aurora MySQL 2"
            : null;
    }

    private static TlsDemand Demand(MySqlSslMode mode) => mode switch
    {
        MySqlSslMode.None => TlsDemand.Never,
        MySqlSslMode.Preferred => TlsDemand.IfOffered,
        _ => TlsDemand.Always,
    };

    // The names that the servers' own clients send. The runtime's description of the system reads and parses a file, and names of enumeration values are found
    // by reflection (docs/decisions/0016).
    private static string SystemName =>
        OperatingSystem.IsLinux()
            ? "Linux"
            : OperatingSystem.IsWindows()
            ? "Windows"
            : OperatingSystem.IsMacOS()
            ? "macOS"
            : Environment.OSVersion.Platform.ToString();

    private static string Architecture => RuntimeInformation.ProcessArchitecture switch
    {
        System.Runtime.InteropServices.Architecture.X64 => "X64",
        System.Runtime.InteropServices.Architecture.Arm64 => "Arm64",
        var other => other.ToString(),
    };

    private static IEnumerable<KeyValuePair<string, string>> Describe(MySqlSettings settings)
    {
        yield return new("_client_name", "Slipstream");
        yield return new("_client_version", typeof(MySqlSessionOpener).Assembly.GetName().Version?.ToString(3) ?? "0");
        yield return new("_os", SystemName);
        yield return new("_pid", Environment.ProcessId.ToString());
        yield return new("_platform", Architecture);
        if (settings.ApplicationName.Length > 0)
            yield return new("program_name", settings.ApplicationName);
    }
}
