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

/// <summary>The connection phase, top to bottom as in "Connection Phase" (page_protocol_connection_phase).</summary>
internal sealed class Connect(ConnectOptions options, ITransport transport) : ConnectScript
{
    // utf8mb4_general_ci: every server since 5.5.3 knows it.
    private const byte AnyUtf8Mb4 = 45;

    // Greeting, key and error packets are small; a megabyte from a stranger is not a greeting.
    private const int LargestPacket = 1 << 20;

    // native → caching_sha2 → full authentication is three, three factors by SCRAM are twelve. More is an endless loop.
    private const int MaxRounds = 16;

    private string _info = "";

    public InitialHandshake Greeting { get; private set; } = null!;

    /// <summary>What both sides can do.</summary>
    public Capabilities Agreed { get; private set; }

    /// <summary>The status of the final OK.</summary>
    public ServerStatus Status { get; private set; }

    /// <summary>Where the server sends the client instead, as it wrote it; null when it does not.</summary>
    public string? RedirectUrl { get; private set; }

    /// <summary>The collation number that was asked for.</summary>
    public byte CharacterSet { get; private set; }

    public override ExternalSource ExternalSource => options.Credentials ?? base.ExternalSource;

    protected override byte[]? TryTake(Wire wire) => IncomingPackets.TakeCopy(wire, LargestPacket);

    protected override IEnumerable<Step> Run()
    {
        if (options.Credentials is { } credentials)
        {
            Phase = "asking the application for the password";
            yield return Step.WaitExternal;
            options = credentials.Apply(options);
        }

        Phase = "waiting for the server's greeting (a MySQL server speaks first; one that waits for the client is of another kind: check Server and Port)";
        yield return Step.Receive;                                          // S: HandshakeV10, or ERR
        if (IsRefusal())
        {
            CheckMayBeBelieved();
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
                // From here on texts are written in its way.
                if ((Agreed & Capabilities.QueryAttributes) != 0)
                    Wire.Out.Dialect = Query.WithAttributes;
                break;
            }

            if (round == MaxRounds)
                throw new ProtocolException($"the end of authentication within {MaxRounds} rounds", "yet another request");
            if (login.Answer(Message) is { } answer)                        // S: AuthSwitchRequest | AuthNextFactor | AuthMoreData
            {
                Write(writer => writer.Bytes(answer));                      // C: the method's response
                Array.Clear(answer);
                yield return Step.Send;
            }
        }

        login.Complete(_info);
    }

    // Said in clear text, by whoever: neither its number nor its text is the server's (CVE-2024-10977 is this in another client).
    private void CheckMayBeBelieved()
    {
        if (options.Tls is TlsDemand.Never or TlsDemand.IfOffered || transport.Trust == PeerTrust.UnixSocket)
            return;
        var number = Error!.Number;
        Error = null;
        throw new WireException(
            WireFailure.TlsNotOffered, $"{transport.Peer} refused the connection with error {number} in clear text, before the TLS that SslMode demands: it may be full (1040) or block this host (1129, 1130), or a man in the middle sent the error. Look at the server's log; the error's text is not shown, because it is not authenticated.")
        { RetrySafety = RetrySafety.NotSent };
    }

    // Said inside TLS, by whoever: only the end of a login that succeeds proves whose the certificate is. Somebody in the middle could choose what an
    // application does on "access denied", and where a list of hosts ends.
    private void CheckIsProven()
    {
        if (Wire.Transport is not TlsTransport { IsUnproven: true })
            return;
        var number = Error!.Number;
        Error = null;
        throw new WireException(
            WireFailure.Forbidden, $"{transport.Peer} refused the login with error {number} before the password could prove its certificate: user name or password may be wrong (1045), or a man in the middle sent the error. The error's text is not shown, because it is not authenticated. Name the authority's certificate with SSL CA to get the server's own error.")
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
            if (options.Tls == TlsDemand.AsBefore)
            {
                throw new WireException(
                    WireFailure.TlsNotOffered, $"{transport.Peer} does not offer TLS, but the session that is to be stopped, or that was redirected there, uses it: nothing was sent to this server. There may be a man in the middle.")
                { RetrySafety = RetrySafety.NotSent };
            }

            return options.Tls == TlsDemand.Always
                ? throw new WireException(
                    WireFailure.TlsNotOffered, $"{transport.Peer} does not offer TLS, which SslMode demands: nothing was sent to it. Enable TLS on the server, or connect with SslMode=Preferred or None.")
                { RetrySafety = RetrySafety.NotSent }
                : false;
        }
    }

    private void ReadGreeting()
    {
        var reader = new ByteReader(Message);
        Greeting = InitialHandshake.Read(ref reader);
        if (reader.Failed || (Greeting.Capabilities & Capabilities.Protocol41) == 0)
            throw new ProtocolException("a MySQL greeting (HandshakeV10 of version 4.1 or later)", $"{Message.Length} bytes beginning with 0x{(Message.Length > 0 ? Message[0] : 0):X2}");
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
        // What the user has asked for is known to every server of version 4.1. A greeting that was changed on the way must not change what an UPDATE counts.
        Agreed = wanted & (Greeting.Capabilities | Capabilities.FoundRows | Capabilities.ConnectWithDatabase | Capabilities.Interactive);
        // Fixed before TLS begins, so that nobody in front of it can talk the client out of it.
        if (WantsTls)
            Agreed |= Capabilities.Ssl;
    }

    // Before the login begins: a server that is known not to prove its certificate is sent nothing.
    private void CheckCanBeProved()
    {
        if (Wire.Transport is TlsTransport { IsUnproven: true } tls && (!Greeting.ProvesCertificates || options.Password.Length == 0))
            tls.Prove(false);
    }

    // A server without any compression is talked to without; one that has only the other kind may insist on it.
    private Capabilities CheckCompression() => (Greeting.Capabilities & (Capabilities.Compress | Capabilities.ZstdCompression)) != Capabilities.ZstdCompression
        ? Capabilities.Compress
        : throw new WireException(
            WireFailure.Forbidden, $"{transport.Peer} compresses with zstd only, which this client does not support: add zlib to the server's protocol_compression_algorithms, or leave Use Compression out.")
        { RetrySafety = RetrySafety.NotSent };

    /// <summary>The utf8mb4 collations whose number fits a byte: then the server's default needs no SET NAMES, also after a reset.</summary>
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
            throw new ProtocolException("an ERR packet", $"{Message.Length} bytes");
        Error = new ServerError(err.Number, err.SqlState, err.Message);
        return true;
    }

    // In the variable redirect_url, or in the info behind a word: what cannot be read is none.
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
            throw new ProtocolException("an OK packet", $"{Message.Length} bytes");
        return true;
    }
}

/// <summary>Whether a connection uses TLS.</summary>
internal enum TlsDemand
{
    Never,
    IfOffered,
    Always,

    /// <summary>As <see cref="Always"/>, on behalf of a session that has it.</summary>
    AsBefore,
}

/// <summary>What the connect conversation needs of a data source's settings.</summary>
internal sealed record ConnectOptions(string User, byte[] Password, string Database, TlsDemand Tls)
{
    public byte[] Attributes { get; init; } = [0];

    /// <summary>UPDATE counts matched rows, not changed ones.</summary>
    public bool FoundRows { get; init; }

    public bool Interactive { get; init; }

    /// <summary>A login whose password has expired is let in, to change it.</summary>
    public bool CanHandleExpiredPasswords { get; init; }

    /// <summary>Whether it matters where the server would send the client.</summary>
    public bool Redirects { get; init; }

    public bool QueryAttributes { get; init; }

    public bool LocalFiles { get; init; }

    /// <summary>The compressed protocol, when the server has it.</summary>
    public bool Compress { get; init; }

    /// <summary>The server's RSA key is asked for where there is no TLS: a man in the middle can send his own.</summary>
    public bool AllowPublicKeyRetrieval { get; init; }

    /// <summary>The server's RSA key, given by the user: PEM.</summary>
    public string? PublicKey { get; init; }

    /// <summary>The password may be sent as it is to a server on the loopback address without verified TLS.</summary>
    public bool AllowCleartextOnLoopback { get; init; }

    /// <summary>UTF-8; empty for none.</summary>
    public byte[] Password2 { get; init; } = [];

    /// <summary>UTF-8; empty for none.</summary>
    public byte[] Password3 { get; init; } = [];

    /// <summary>The methods that may be answered; empty for all.</summary>
    public string[] AllowedMethods { get; init; } = [];

    /// <summary>The fewest iterations of SCRAM that are answered.</summary>
    public int ScramMinIterations { get; init; } = 1;

    /// <summary>The service's principal name for Kerberos; empty for the one that the server says.</summary>
    public string ServerSpn { get; init; } = "";

    /// <summary>Ends with the time and the patience for the login: what computes for long looks at it.</summary>
    public CancellationToken Patience { get; init; }

    /// <summary>Says who logs in; null when the options do.</summary>
    public LoginSource? Credentials { get; init; }

    /// <summary>Makes Kerberos' side of a login.</summary>
    public Func<string, string, string, string, INegotiation> Negotiations { get; init; } = Negotiation.Create;

    /// <summary>Without the password.</summary>
    public override string ToString() => $"{nameof(ConnectOptions)} {{ User = {User}, Database = {Database}, Tls = {Tls} }}";
}
