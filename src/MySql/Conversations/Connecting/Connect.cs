using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Authentication;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Conversations;

/// <summary>The connection phase, in the order of "Connection Phase" (page_protocol_connection_phase).</summary>
internal sealed class Connect(ConnectOptions options, ITransport transport) : ConnectScript
{
    // utf8mb4_general_ci: every server since 5.5.3 has it.
    private const byte AnyUtf8Mb4 = 45;

    // In bytes. Greetings, keys and error packets are small, so a packet of a megabyte from an unknown peer is refused.
    private const int LargestPacket = 1 << 20;

    // native → caching_sha2 → full authentication takes three rounds, three factors with SCRAM take twelve. More rounds are an endless loop.
    private const int MaxRounds = 16;

    private string _info = "";

    public InitialHandshake Greeting { get; private set; } = null!;

    /// <summary>Gets the capabilities that both sides announced.</summary>
    public Capabilities Agreed { get; private set; }

    /// <summary>Gets the status of the final OK.</summary>
    public ServerStatus Status { get; private set; }

    /// <summary>Gets the server's redirection as the server sent it; null if there is none.</summary>
    public string? RedirectUrl { get; private set; }

    /// <summary>Gets the requested collation number.</summary>
    public byte CharacterSet { get; private set; }

    public override ExternalSource ExternalSource => options.Credentials ?? base.ExternalSource;

    protected override byte[]? TryTake(Wire wire) => IncomingPackets.TakeCopy(wire, LargestPacket);

    protected override IEnumerable<Step> Run()
    {
        if (options.Credentials is { } credentials)
        {
            Phase = "waiting for the application's password callback";
            yield return Step.WaitExternal;
            options = credentials.Apply(options);
        }

        Phase = "waiting for the server's greeting (a MySQL server sends first; a server that waits for the client is of another kind: check Server and Port)";
        yield return Step.Receive;                                          // S: HandshakeV10, or ERR
        if (IsRefusal())
        {
            CheckIsTrusted();
            yield break;
        }

        ReadGreeting();

        if (WantsTls)
        {
            Phase = "starting TLS";
            Write(SslRequestPacket);                                        // C: SSLRequest
            yield return Step.Send;
            yield return Step.Upgrade;
            CheckCanBeProved();
        }

        Phase = "logging in";
        var login = new Login(options, Wire.Transport, Greeting, (Agreed & Capabilities.MultiFactorAuthentication) != 0);
        Write(writer => HandshakeResponse.Write(                            // C: HandshakeResponse41
            writer, Agreed, CharacterSet, options.User, login.FirstResponse, options.Database, login.Method, options.Attributes));
        yield return Step.Send;

        for (var round = 0; ; round++)
        {
            yield return Step.Receive;
            Wire.Out.Erase();
            if (IsRefusal())                                                // S: ERR
            {
                CheckIsProven();
                yield break;
            }

            if (IsOk())                                                     // S: OK
            {
                // From here on, the connection writes commands in this dialect.
                if ((Agreed & Capabilities.QueryAttributes) != 0)
                    Wire.Out.Dialect = Query.WithAttributes;
                break;
            }

            if (round == MaxRounds)
                throw new ProtocolException($"the end of authentication within {MaxRounds} rounds", "another request");
            if (login.Answer(Message) is { } answer)                        // S: AuthSwitchRequest | AuthNextFactor | AuthMoreData
            {
                Write(writer => writer.Bytes(answer));                      // C: the method's response
                Array.Clear(answer);
                yield return Step.Send;
            }
        }

        login.Complete(_info);
    }

    // The error arrived in clear text, so number and text may be forged (CVE-2024-10977 is this fault in another client).
    private void CheckIsTrusted()
    {
        if (options.Tls is TlsDemand.Never or TlsDemand.IfOffered || transport.Trust == PeerTrust.UnixSocket)
            return;
        var number = Error!.Number;
        Error = null;
        throw new WireException(
            WireFailure.TlsNotOffered, $"{transport.Peer} refused the connection with error {number} in clear text, before the TLS that SSL Mode requires: "
                + "the server may have too many connections (1040) or block this host (1129, 1130), or a man in the middle sent the error. Check the "
                + "server's log; the error's text is not shown, because it is not authenticated.")
        { RetrySafety = RetrySafety.NotSent };
    }

    // The error arrived in TLS from an unverified peer: only the end of a successful login proves the owner of the certificate. An attacker in the middle could
    // choose how an application reacts to "access denied", and at which host a list of hosts ends.
    private void CheckIsProven()
    {
        if (Wire.Transport is not TlsTransport { IsUnproven: true })
            return;
        var number = Error!.Number;
        Error = null;
        throw new WireException(
            WireFailure.Forbidden, $"{transport.Peer} refused the login with error {number} before the password could prove the server's certificate: the "
                + "user name or password may be wrong (1045), or a man in the middle sent the error. The error's text is not shown, because it is not "
                + "authenticated. Set SSL CA to the authority's certificate to get the server's own error.")
        { RetrySafety = RetrySafety.NotSent };
    }

    private bool WantsTls
    {
        get
        {
            if (options.Tls == TlsDemand.Never || (options.Tls == TlsDemand.IfOffered && transport.Trust == PeerTrust.UnixSocket))
                return false;
            if ((Greeting.Capabilities & Capabilities.Ssl) != 0)
                return true;
            if (options.Tls == TlsDemand.AlwaysAgain)
            {
                throw new WireException(
                    WireFailure.TlsNotOffered, $"{transport.Peer} does not offer TLS, but the session whose command is being cancelled, or that was "
                        + "redirected there, uses TLS: nothing was sent to this server. There may be a man in the middle.")
                { RetrySafety = RetrySafety.NotSent };
            }

            return options.Tls == TlsDemand.Always
                ? throw new WireException(
                    WireFailure.TlsNotOffered, $"{transport.Peer} does not offer TLS, which SSL Mode requires: nothing was sent to it. Enable TLS on the "
                        + "server, or set SSL Mode=Preferred or None if the network is trusted.")
                { RetrySafety = RetrySafety.NotSent }
                : false;
        }
    }

    private void ReadGreeting()
    {
        var reader = new ByteReader(Message);
        Greeting = InitialHandshake.Read(ref reader);
        if (reader.Failed || (Greeting.Capabilities & Capabilities.Protocol41) == 0)
            throw new ProtocolException(
                "a MySQL greeting (HandshakeV10 of version 4.1 or later)",
                $"{Message.Length} bytes beginning with 0x{(Message.Length > 0 ? Message[0] : 0):X2}");
        CharacterSet = IsUtf8Mb4(Greeting.CharacterSet) ? Greeting.CharacterSet : AnyUtf8Mb4;

        var wanted = Capabilities.MySql | Capabilities.LongFlag | Capabilities.Protocol41 | Capabilities.Transactions | Capabilities.SecureConnection
            | Capabilities.MultiStatements | Capabilities.MultiResults | Capabilities.PreparedMultiResults | Capabilities.PluginAuthentication
            | Capabilities.LengthEncodedAuthentication | Capabilities.ConnectionAttributes | Capabilities.SessionTrack | Capabilities.DeprecateEof;
        if (options.Database.Length > 0)
            wanted |= Capabilities.ConnectWithDatabase;
        if (options.FoundRows)
            wanted |= Capabilities.FoundRows;
        if (options.Interactive)
            wanted |= Capabilities.Interactive;
        if (options.QueryAttributes && Greeting.TakesAttributes)
            wanted |= Capabilities.QueryAttributes;
        if (options.LocalFiles)
            wanted |= Capabilities.LocalFiles;
        if (options.Password2.Length + options.Password3.Length > 0)
            wanted |= Capabilities.MultiFactorAuthentication;
        if (options.CanHandleExpiredPasswords)
            wanted |= Capabilities.CanHandleExpiredPasswords;
        if (options.Compress)
            wanted |= CheckCompression();
        if (Greeting.IsMariaDb)
            wanted |= Capabilities.CacheMetadata | Capabilities.BulkOperations;
        // Every server of version 4.1 has the options that the user requested. A modified greeting must not change what an UPDATE counts.
        Agreed = wanted & (Greeting.Capabilities | Capabilities.FoundRows | Capabilities.ConnectWithDatabase | Capabilities.Interactive);
        // Decided before TLS begins, so that an attacker cannot disable it later.
        if (WantsTls)
            Agreed |= Capabilities.Ssl;
    }

    // Before the login begins: the client sends nothing to a server that cannot prove its certificate.
    private void CheckCanBeProved()
    {
        if (Wire.Transport is TlsTransport { IsUnproven: true } tls && (!Greeting.ProvesCertificates || options.Password.Length == 0))
            tls.Prove(false);
    }

    // If the server has no compression, the connection works without. A server that has only the other kind may require it.
    private Capabilities CheckCompression() => (Greeting.Capabilities & (Capabilities.Compress | Capabilities.ZstdCompression)) != Capabilities.ZstdCompression
        ? Capabilities.Compress
        : throw new WireException(
            WireFailure.Forbidden, $"{transport.Peer} offers only zstd compression, which the driver does not support: add zlib to the server's "
                + "protocol_compression_algorithms, or remove Use Compression.")
        { RetrySafety = RetrySafety.NotSent };

    /// <summary>
    /// Returns whether the number is a utf8mb4 collation that fits into a byte. The server's default then needs no SET NAMES, even after a reset.
    /// </summary>
    internal static bool IsUtf8Mb4(byte collation) => collation is 45 or 46 or >= 224 and <= 247 or 255;

    private void SslRequestPacket(ByteWriter writer) => SslRequest.Write(writer, Agreed, CharacterSet);

    private void Write(Action<ByteWriter> payload)
    {
        var at = Wire.Out.Begin(Wire.Sequence);
        payload(Wire.Out);
        Wire.Sequence = Wire.Out.End(at);
    }

    private bool IsRefusal()
    {
        if (Message is not [Err.Header, ..])
            return false;
        var reader = new ByteReader(Message);
        reader.Skip(1);
        var err = Err.Read(ref reader);
        if (reader.Failed)
            throw new ProtocolException("a valid ERR packet", $"one of {Message.Length} bytes that cannot be decoded");
        Error = new ServerError(err.Number, err.SqlState, err.Message);
        return true;
    }

    // The redirection is in the variable redirect_url, or in the info after a keyword. An unreadable redirection is ignored.
    private void ReadRedirection(ByteReader reader)
    {
        const string Word = "Location: ";
        var tracks = (Agreed & Capabilities.SessionTrack) != 0;
        var state = reader;
        var info = Ok.ReadInfo(ref reader, tracks);
        if (!reader.Failed && info.StartsWith(Word, StringComparison.Ordinal))
            RedirectUrl = info[Word.Length..].TrimEnd('\n');
        if (!tracks || (Status & ServerStatus.SessionStateChanged) == 0)
            return;
        var changes = SessionChanges.Read(ref state);
        if (state.Failed || changes.Variables is not { } variables)
            return;
        foreach (var (name, value) in variables)
            if (name == "redirect_url" && value.Length > 0)
                RedirectUrl = value;
    }

    private bool IsOk()
    {
        if (Message is not [Ok.Header, ..])
            return false;
        var reader = new ByteReader(Message);
        reader.Skip(1);
        Status = Ok.Read(ref reader).Status;
        if (options.Redirects)
            ReadRedirection(reader);
        _info = Ok.ReadInfo(ref reader, (Agreed & Capabilities.SessionTrack) != 0);
        if (reader.Failed)
            throw new ProtocolException("a valid OK packet", $"one of {Message.Length} bytes that cannot be decoded");
        return true;
    }
}

/// <summary>Whether a connection uses TLS.</summary>
internal enum TlsDemand
{
    Never,
    IfOffered,
    Always,

    /// <summary>Like <see cref="Always"/>, for a connection on behalf of a session that uses TLS.</summary>
    AlwaysAgain,
}

/// <summary>The settings of a data source that the connection phase needs.</summary>
internal sealed record ConnectOptions(string User, byte[] Password, string Database, TlsDemand Tls)
{
    public byte[] Attributes { get; init; } = [0];

    /// <summary>Gets whether UPDATE counts matched rows instead of changed rows.</summary>
    public bool FoundRows { get; init; }

    public bool Interactive { get; init; }

    /// <summary>Gets whether a user with an expired password may log in to change it.</summary>
    public bool CanHandleExpiredPasswords { get; init; }

    /// <summary>Gets whether the server's redirection is read.</summary>
    public bool Redirects { get; init; }

    public bool QueryAttributes { get; init; }

    public bool LocalFiles { get; init; }

    /// <summary>Gets whether the compressed protocol is used if the server supports it.</summary>
    public bool Compress { get; init; }

    /// <summary>Gets whether the server's RSA key may be requested without TLS. An attacker in the middle can send another key.</summary>
    public bool AllowPublicKeyRetrieval { get; init; }

    /// <summary>Gets the server's RSA key from the user, as PEM.</summary>
    public string? PublicKey { get; init; }

    /// <summary>Gets whether the password may be sent in clear text to a server on the loopback address without verified TLS.</summary>
    public bool AllowCleartextOnLoopback { get; init; }

    /// <summary>Gets the second factor's password in UTF-8; empty for none.</summary>
    public byte[] Password2 { get; init; } = [];

    /// <summary>Gets the third factor's password in UTF-8; empty for none.</summary>
    public byte[] Password3 { get; init; } = [];

    /// <summary>Gets the methods that the client may answer; empty for all.</summary>
    public string[] AllowedMethods { get; init; } = [];

    /// <summary>Gets the minimum number of SCRAM iterations that the client accepts.</summary>
    public int ScramMinIterations { get; init; } = 1;

    /// <summary>Gets the service principal name for Kerberos; empty for the name that the server sends.</summary>
    public string ServerSpn { get; init; } = "";

    /// <summary>Gets a token that ends with the time limit or the cancellation of the login. Long computations check it.</summary>
    public CancellationToken LoginToken { get; init; }

    /// <summary>Gets the source of user and password; null if the options have them.</summary>
    public LoginSource? Credentials { get; init; }

    /// <summary>Gets the function that creates the client side of a Kerberos login.</summary>
    public Func<string, string, string, string, INegotiation> Negotiations { get; init; } = Negotiation.Create;

    /// <summary>Returns the options without the password.</summary>
    public override string ToString() => $"{nameof(ConnectOptions)} {{ User = {User}, Database = {Database}, Tls = {Tls} }}";
}
