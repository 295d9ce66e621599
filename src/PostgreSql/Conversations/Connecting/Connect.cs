using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Authentication;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Connect;
using Slipstream.PostgreSql.State;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// Establishes a session on a connected socket: TLS, start-up, authentication and the session's settings. Source: PostgreSQL 18, 54.2.1 "Start-up".
/// </summary>
/// <param name="settings">The settings of the data source.</param>
/// <param name="keys">The keys that were derived from passwords.</param>
/// <param name="transport">The connection.</param>
/// <param name="credentials">The application's source of the password.</param>
/// <param name="types">The types of the database, which the first session loads; null to load none.</param>
internal sealed class Connect(
    PgSettings settings, ScramKeyCache keys, ITransport transport, Credentials credentials = default, TypeSource? types = null) : ConnectScript
{
    /// <summary>The limit for messages before authentication, in bytes. The peer is not known yet, and no such message needs more.</summary>
    private const int MaxMessageLength = 64 * 1024;

    /// <summary>The most messages. A server sends one or two requests and a dozen settings; an endless series must not occupy the client.</summary>
    private const int MaxMessages = 1000;

    private readonly Dictionary<string, string> _parameters = new(StringComparer.Ordinal);
    private bool _awaitsSingleByte;
    private int _messages;
    private ScramSha256? _scram;
    private TypeLoading? _loading;
    private bool _hasAnswered;
    private bool _isAuthenticated;
    private string? _password;
    private GssLogin? _gss;

    public override ExternalSource ExternalSource => credentials.Source ?? base.ExternalSource;

    /// <summary>Gets the types of the database.</summary>
    public TypeSource Types { get; } = types ?? new(TypeMappings.None, TypeLoadingOptions.Default with { Loads = false });

    /// <summary>Gets the settings that the server reported. It continues to report changes.</summary>
    public Dictionary<string, string> Parameters => _parameters;

    /// <summary>Gets the key that cancels the session's commands; null if the server sends none.</summary>
    public BackendKeyData? Key { get; private set; }

    protected override byte[]? TryTake(Wire wire)
    {
        var have = wire.Buffered;
        if (_awaitsSingleByte)
            return have == 0 ? null : [wire.In[wire.Start++]];
        if (have < Frame.HeaderLength)
            return null;
        var header = wire.In.AsSpan(wire.Start, have);
        var body = Frame.BodyLength(header);
        // Only the rows of the types are many, and the reader of the types limits them.
        var isCounted = _loading is null || header[0] != (byte)BackendMessage.DataRow;
        if (body is < 0 or > MaxMessageLength)
            throw new ProtocolException("a start-up message", $"type 0x{header[0]:X2} with a length of "
                + $"{BinaryPrimitives.ReadUInt32BigEndian(header[1..]):N0} bytes");
        if (have < Frame.HeaderLength + body)
            return null;
        if (isCounted && ++_messages > MaxMessages)
            throw new ProtocolException($"at most {MaxMessages:N0} messages during the login", "another one");
        wire.Start += Frame.HeaderLength + body;
        return [header[0], .. header.Slice(Frame.HeaderLength, body)];
    }

    protected override IEnumerable<Step> Run()
    {
        var mayEncrypt = settings.SslMode != SslMode.Disable && transport.Trust != PeerTrust.UnixSocket;
        if (mayEncrypt && settings.SslNegotiation == SslNegotiation.Direct)
        {
            Phase = "performing the TLS handshake without a request before it, which PostgreSQL supports since version 17";
            yield return Step.Upgrade;
            CheckApplicationProtocol();
        }
        else if (mayEncrypt)
        {
            Phase = "asking for TLS";
            SslRequest.Write(Wire.Out);                              // C: SSLRequest
            yield return Step.Send;
            _awaitsSingleByte = true;
            yield return Step.Receive;                               // S: 'S' or 'N'
            _awaitsSingleByte = false;
            if (IsTlsOffered(Message[0]))
            {
                Phase = "performing the TLS handshake";
                yield return Step.Upgrade;
            }
            else if (Wire.Buffered > 0)
            {
                // A server that refuses TLS waits for the client. The first byte of a MySQL server's greeting may be an 'N', too.
                throw new ProtocolException("only 'N' in answer to SSLRequest", $"{Wire.Buffered + 1} bytes");
            }
        }

        Phase = "starting up";
        StartupMessage.Write(Wire.Out, StartupParameters());         // C: StartupMessage
        yield return Step.Send;

        Phase = "authenticating";
        while (true)
        {
            yield return Step.Receive;
            if (Error is not null || ReadOther())
                break;                                               // S: ErrorResponse, or ReadyForQuery at the end
            if ((BackendMessage)Message[0] != BackendMessage.Authentication)
                continue;
            if (AwaitsPassword())
            {
                Phase = "waiting for the application's password callback";
                yield return Step.WaitExternal;
                _password = credentials.Source!.Password;
                Phase = "authenticating";
            }

            if (Answer())
                yield return Step.Send;                              // C: PasswordMessage, SASLInitialResponse, SASLResponse
        }

        if (Error is not null || !Types.MustLoad)
            yield break;
        Phase = "loading the types of the database";
        _loading = new(Types.Options, _parameters.GetValueOrDefault("server_version", ""))
        {
            IsSimple = settings.Replication != ReplicationMode.Off,
        };
        _loading.Write(Wire.Out);
        yield return Step.Send;
        do
            yield return Step.Receive;                               // S: ParseComplete, BindComplete, DataRow…, CommandComplete, ReadyForQuery
        while (!ReadTypes());
    }

    // Returns true if the script is complete.
    private bool ReadTypes()
    {
        var type = (BackendMessage)Message[0];
        if (type == BackendMessage.ReadyForQuery && _loading!.HasEnded)
        {
            Messages.ReadStatus(Message.AsSpan(1));
            Types.Loaded(_loading.Types);
            return true;
        }

        if (_loading!.TryTake(type, Message.AsSpan(1)))
            return false;
        // The login is over: the server may only send what it may send at any time.
        if (type is not (BackendMessage.ErrorResponse or BackendMessage.NoticeResponse or BackendMessage.ParameterStatus))
            throw Messages.Unexpected("the types of the database", type, Message.Length - 1);
        ReadOther();
        return Error is not null;
    }

    // Otherwise a server of another protocol, to which an attacker has led the client, could answer with what the client takes for PostgreSQL (ALPACA).
    private void CheckApplicationProtocol()
    {
        if ((Wire.Transport as TlsTransport)?.ApplicationProtocol != PgSettings.ApplicationProtocol)
            throw new WireException(WireFailure.TlsFailed, $"{transport.Peer} did not confirm the protocol 'postgresql' in the TLS handshake, which SSL "
                + "Negotiation=Direct requires: check the port, or set SSL Negotiation=Postgres.") { RetrySafety = RetrySafety.NotSent };
    }

    private KeyValuePair<string, string>[] StartupParameters()
    {
        // DateStyle determines how text results write dates. Only the output style is set; the order of day and month stays the user's.
        var parameters = new List<KeyValuePair<string, string>>
        {
            new("user", settings.Username), new("database", settings.Database), new("client_encoding", "UTF8"), new("DateStyle", "ISO"),
        };
        Add("application_name", settings.ApplicationName);
        Add("search_path", settings.SearchPath);
        Add("TimeZone", settings.Timezone);
        Add("options", settings.Options);
        Add("replication", settings.Replication switch { ReplicationMode.Physical => "true", ReplicationMode.Logical => "database", _ => "" });
        return [.. parameters];

        void Add(string name, string value)
        {
            if (value.Length > 0)
                parameters.Add(new(name, value));
        }
    }

    private bool IsTlsOffered(byte answer) => answer switch
    {
        SslRequest.Accepted => true,
        SslRequest.Refused when settings.SslMode == SslMode.Prefer => false,
        SslRequest.Refused => throw new WireException(WireFailure.TlsNotOffered,
            $"{transport.Peer} does not offer TLS, which SSL Mode={settings.SslMode} requires: nothing was sent to it. Enable TLS on the server (ssl = on), "
            + "or set SSL Mode=Prefer or Disable if the network is trusted.") { RetrySafety = RetrySafety.NotSent },

        // The message arrived in clear text from an unverified peer, so its content cannot be trusted (CVE-2024-10977).
        (byte)BackendMessage.ErrorResponse => throw new WireException(WireFailure.TlsNotOffered,
            $"{transport.Peer} answered the request for TLS with an error. The server may be overloaded, or too old for TLS: SSL Mode=Disable does not "
            + "request TLS.") { RetrySafety = RetrySafety.NotSent },
        _ => throw new ProtocolException("'S' or 'N' in answer to SSLRequest", $"0x{answer:X2}"),
    };

    // Returns true if the script is complete.
    private bool ReadOther()
    {
        var reader = new ByteReader(Message.AsSpan(1));
        switch ((BackendMessage)Message[0])
        {
            case BackendMessage.Authentication:
                return false;
            case BackendMessage.ErrorResponse:
                Error = Messages.ReadError(Message.AsSpan(1)).ToServerError();
                return true;
            case BackendMessage.ParameterStatus when _isAuthenticated:
                var status = ParameterStatus.Read(ref reader);
                _parameters[status.Name] = status.Value;
                break;
            case BackendMessage.BackendKeyData when _isAuthenticated && Key is null:
                Key = BackendKeyData.Read(ref reader);
                break;
            case BackendMessage.ReadyForQuery when _isAuthenticated:
                Messages.ReadStatus(Message.AsSpan(1));
                return true;
            case BackendMessage.NoticeResponse:
                break;
            case BackendMessage.NegotiateProtocolVersion:
                NegotiateProtocolVersion.Read(ref reader);
                break;
            default:
                throw Messages.Unexpected(_isAuthenticated ? "ParameterStatus, BackendKeyData or ReadyForQuery" : "an authentication request",
                    (BackendMessage)Message[0], Message.Length - 1);
        }

        if (reader.Failed)
            throw Messages.Broken((BackendMessage)Message[0], Message.Length - 1);
        return false;
    }

    // ---------------------------------------------------------------- authentication

    // Only a request that the password answers asks the application for it. A peer that may not have it is refused first.
    private bool AwaitsPassword()
    {
        if (credentials.Source is null || _password is not null || _isAuthenticated)
            return false;
        var reader = new ByteReader(Message.AsSpan(1));
        switch (AuthenticationRequest.Read(ref reader).Kind)
        {
            case AuthenticationKind.CleartextPassword:
                DemandTrustForPassword();
                return true;
            case AuthenticationKind.Md5Password:
                DemandMd5();
                return true;
            case AuthenticationKind.SaslContinue:
                return _scram is { HasAnswered: false };
            default:
                return false;
        }
    }

    // Returns true if an answer was written.
    private bool Answer()
    {
        var reader = new ByteReader(Message.AsSpan(1));
        var request = AuthenticationRequest.Read(ref reader);
        if (reader.Failed || _isAuthenticated)
            throw Messages.Broken(BackendMessage.Authentication, Message.Length - 1);
        switch (request.Kind)
        {
            case AuthenticationKind.Ok:
                Authenticated();
                return false;
            case AuthenticationKind.Sasl:
                ChooseMechanism(request.Mechanisms);
                return true;
            case AuthenticationKind.SaslContinue when _scram is { HasAnswered: false } scram:
                SaslResponse.Write(Wire.Out, scram.ClientFinal(request.Data, Password(), keys, settings.ScramMinIterations, $"{transport.Peer}"));
                return true;
            case AuthenticationKind.SaslFinal when _scram is { IsServerVerified: false } scram:
                scram.VerifyServer(request.Data, $"{transport.Peer}");
                return false;
            case AuthenticationKind.Gss or AuthenticationKind.Sspi:
                Demand(
                    request.Kind == AuthenticationKind.Gss ? PgAuthenticationMethods.Gss : PgAuthenticationMethods.Sspi, "Kerberos", "Allow it with Require "
                        + "Auth=GSS (SSPI)");
                _hasAnswered = true;
                _gss = new GssLogin($"{transport.Peer}");
                GssResponse.Write(Wire.Out, _gss.Begin(() => credentials.CreateNegotiation(settings.ServiceAt(transport.Peer))));
                return true;
            case AuthenticationKind.GssContinue when _gss is not null:
                if (_gss.Continue(request.Data) is not { } token)
                    return false;
                GssResponse.Write(Wire.Out, token);
                return true;
            case AuthenticationKind.Md5Password:
                DemandMd5();
                _hasAnswered = true;
                PasswordMessage.Write(Wire.Out, Md5Password.Answer(settings.Username, Password(), request.Data));
                return true;
            case AuthenticationKind.CleartextPassword:
                DemandTrustForPassword();
                _hasAnswered = true;
                var clear = Encoding.UTF8.GetBytes(Password());
                PasswordMessage.Write(Wire.Out, clear);
                CryptographicOperations.ZeroMemory(clear);
                return true;
            default:
                throw new WireException(WireFailure.Forbidden,
                    $"{transport.Peer} asks for {request.Kind} authentication, which the driver does not support at this point. Use SCRAM-SHA-256 in "
                    + "pg_hba.conf.") { RetrySafety = RetrySafety.NotSent };
        }
    }

    private void Authenticated()
    {
        if (_scram is { IsServerVerified: false })
            throw new WireException(WireFailure.Forbidden, $"{transport.Peer} accepted the login without proving that it knows the password, which SCRAM "
                + "requires: it may not be the intended server.") { RetrySafety = RetrySafety.NotSent };
        _gss?.Complete();
        if (!_hasAnswered)
            Demand(PgAuthenticationMethods.Trust, "no authentication", "Allow it with Require Auth=None");
        _isAuthenticated = true;
        Phase = "waiting for the session's settings";
    }

    private void ChooseMechanism(string[] offered)
    {
        if (_hasAnswered)
            throw Messages.Broken(BackendMessage.Authentication, Message.Length - 1);
        var allowed = settings.AllowedAuthentication;
        var certificate = allowed.HasFlag(PgAuthenticationMethods.ScramSha256Plus) ? (Wire.Transport as TlsTransport)?.PeerCertificate : null;
        var hash = certificate is null ? null : EndPointHash(certificate);
        var isOffered = offered.Contains(ScramSha256.MechanismPlus);
        if (isOffered && hash is not null)
        {
            _scram = ScramSha256.CreateBound(hash);
            SaslInitialResponse.Write(Wire.Out, ScramSha256.MechanismPlus, _scram.ClientFirst());
        }
        else if (offered.Contains(ScramSha256.Mechanism) && allowed.HasFlag(PgAuthenticationMethods.ScramSha256))
        {
            _scram = ScramSha256.Create(couldBind: hash is not null && !isOffered);
            SaslInitialResponse.Write(Wire.Out, ScramSha256.Mechanism, _scram.ClientFirst());
        }
        else
            throw new WireException(WireFailure.Forbidden,
                $"{transport.Peer} offers only authentication mechanisms that the options do not allow "
                + $"({ServerText.OneLine(string.Join(", ", offered), 200)}). Check Require Auth and Channel Binding.") { RetrySafety = RetrySafety.NotSent };
        _hasAnswered = true;
    }

    // RFC 5929, 4.1: the certificate's hash by its signature's hash algorithm, with SHA-256 in place of MD5 and SHA-1. Null if the signature has no single
    // hash.
    private static byte[]? EndPointHash(X509Certificate certificate)
    {
        using var readable = X509CertificateLoader.LoadCertificate(certificate.GetRawCertData());
        return readable.SignatureAlgorithm.Value switch
        {
            "1.2.840.113549.1.1.4" or "1.2.840.113549.1.1.5" or "1.2.840.113549.1.1.11" or "1.2.840.10045.4.1" or "1.2.840.10045.4.3.2" =>
                SHA256.HashData(readable.RawData),
            "1.2.840.113549.1.1.12" or "1.2.840.10045.4.3.3" => SHA384.HashData(readable.RawData),
            "1.2.840.113549.1.1.13" or "1.2.840.10045.4.3.4" => SHA512.HashData(readable.RawData),
            _ => null,
        };
    }

    private void Demand(PgAuthenticationMethods method, string what, string way)
    {
        if (!settings.AllowedAuthentication.HasFlag(method))
            throw new WireException(WireFailure.Forbidden, $"{transport.Peer} asks for {what}, which the options do not allow. {way}.")
            { RetrySafety = RetrySafety.NotSent };
        if (_hasAnswered)
            throw Messages.Broken(BackendMessage.Authentication, Message.Length - 1);
    }

    private void DemandMd5() => Demand(PgAuthenticationMethods.Md5, "an MD5 hash of the password (MD5 is not secure)",
        "Store a SCRAM secret for the user (password_encryption = scram-sha-256, then set the password again), or allow MD5 with Require Auth=MD5");

    // The password in clear text is sent only to a known peer: over verified TLS, a unix socket, or, if an option names it explicitly, loopback.
    private void DemandTrustForPassword()
    {
        Demand(PgAuthenticationMethods.Password, "the password in clear text", "Use SCRAM-SHA-256 in pg_hba.conf, or allow it with Require Auth=Password");
        if (Wire.Transport.Trust is PeerTrust.Verified or PeerTrust.UnixSocket || (transport.Trust == PeerTrust.Loopback && settings.NamesPassword))
            return;
        throw new WireException(WireFailure.Forbidden,
            $"{transport.Peer} asks for the password in clear text, but the connection does not prove the server's identity. Use SCRAM-SHA-256 in "
            + "pg_hba.conf, SSL Mode=VerifyFull, or a unix socket.") { RetrySafety = RetrySafety.NotSent };
    }

    private string Password() => (_password ?? credentials.Password ?? settings.Password) is { Length: > 0 } password
        ? password
        : throw new WireException(WireFailure.Forbidden, $"{transport.Peer} asks for the password of user '{settings.Username}', but {WhyNone}.")
        { RetrySafety = RetrySafety.NotSent };

    private string WhyNone => credentials.Source?.WhyNone ?? "neither the connection string nor the environment has one: set Password";
}

/// <summary>What a login uses to prove the user, if it differs from the settings.</summary>
/// <param name="Password">The password; null for that of the settings.</param>
/// <param name="Source">Provides the password when the server asks for it; null if nothing has to be asked.</param>
/// <param name="Negotiate">Creates the client's side of a Kerberos login with a service; null for the system's Kerberos.</param>
internal readonly record struct Credentials(string? Password = null, PasswordSource? Source = null, Func<string, INegotiation>? Negotiate = null)
{
    /// <summary>Returns the client's side of a Kerberos login with a service.</summary>
    public INegotiation CreateNegotiation(string service) => Negotiate is null ? Negotiation.Create(service, null) : Negotiate(service);

    /// <summary>Returns a text without the password.</summary>
    public override string ToString() => nameof(Credentials);
}
