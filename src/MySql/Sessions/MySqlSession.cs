using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Errors;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.State;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Sessions;

/// <summary>One open session of a MySQL or MariaDB server: what the server has said about its state, and what is prepared there.</summary>
internal sealed partial class MySqlSession : Session, ISessionHost
{
    /// <summary>ER_MUST_CHANGE_PASSWORD.</summary>
    internal const int MustChangePassword = 1820;

    /// <summary>The lease in which the connection-opened callback was called last; −1 before the first.</summary>
    internal int LeaseOpened { get; set; } = -1;

    private readonly MySqlSessionOpener _opener;
    private readonly InitialHandshake _greeting;
    private readonly bool _serverIsUtf8Mb4;
    private readonly string _names;
    private readonly ServerStatus _openingStatus;
    private ServerStatus _status;
    private BatchExchange? _batch;
    private ProcedureExchange? _procedure;
    private IdentityQuestion? _identity;

    internal MySqlSession(Wire wire, Endpoint endpoint, Connect connect, MySqlSessionOpener opener, CodecSettings codecs, string database, RowLimits limits, ServerSendBuffer? sendBuffer = null)
        : base(wire, endpoint)
    {
        _opener = opener;
        _greeting = connect.Greeting;
        NamesTransactionIsolation = _greeting.NamesTransactionIsolation;
        _serverIsUtf8Mb4 = connect.CharacterSet == connect.Greeting.CharacterSet;
        _status = _openingStatus = connect.Status;
        _configuredDatabase = database;
        // As the handshake asked for it. The names of those that servers have for their default; what else there is has the server's default for utf8mb4.
        _names = connect.CharacterSet switch
        {
            // MariaDB takes it for "the default collation of utf8mb4", which is another one since 11.5 (character_set_collations); its SET NAMES does the same.
            45 when !connect.Greeting.IsMariaDb => "SET NAMES utf8mb4 COLLATE utf8mb4_general_ci",
            46 => "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
            224 => "SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci",
            255 => "SET NAMES utf8mb4 COLLATE utf8mb4_0900_ai_ci",
            _ => "SET NAMES utf8mb4",
        };
        Database = database;
        Capabilities = connect.Agreed;
        Codecs = codecs;
        _sendBuffer = sendBuffer;
        OwesUnanswered = sendBuffer is { IsAdaptive: false };
        Prepared = new(this, opener.AutoPrepare);
        Results = new CommandExchange(this, codecs, limits);
    }

    /// <summary>What both sides can do.</summary>
    public Capabilities Capabilities { get; }

    /// <summary>How values are read and written.</summary>
    public CodecSettings Codecs { get; }

    /// <summary>Where its server sent the client at the login, as it wrote it; null when it did not.</summary>
    public string? RedirectUrl { get; init; }

    /// <summary>Commands carry their span: see <see cref="TraceContext"/>.</summary>
    internal bool SendsTraceContext { get; init; }

    /// <summary>
    /// True from the server's first answer that the account's password must be changed. Until it is, the server takes little else, and no reset:
    /// no lease follows.
    /// </summary>
    public bool IsPasswordExpired
    {
        get;
        private set
        {
            field = value;
            ServesOnce = value;
        }
    }

    public bool IsMariaDb => _greeting.IsMariaDb;

    /// <summary>See <see cref="InitialHandshake.NamesTransactionIsolation"/>.</summary>
    public bool NamesTransactionIsolation { get; }

    public override string DatabaseSystem => IsMariaDb ? "mariadb" : "mysql";

    /// <summary>The exchange, with its own type: known where it is used.</summary>
    public CommandExchange Results { get; }

    /// <summary>The exchange of batches.</summary>
    public BatchExchange Batch => _batch ??= new(this, Results, Procedure);

    /// <summary>The exchange of calls.</summary>
    public ProcedureExchange Procedure => _procedure ??= new(this, Results);

    public override ResultExchange Exchange => Queue.Results ?? Results;

    public override long ServerId => _greeting.ConnectionId;

    /// <summary>
    /// Whose number <see cref="ServerId"/> is, said by the server itself inside the session; null where it was not asked, has not answered, or has told another
    /// number than it greeted with: that was forged, or something in between counts for itself.
    /// </summary>
    public SessionIdentity? Identity => _identity?.Answer is { } answer && answer.Number == ServerId ? answer : null;

    /// <summary>Whether the server can be asked for its identity without a round trip, and without a trace.</summary>
    public bool MayAskIdentity => _tracks && MayPipeline && (Capabilities & Capabilities.MultiStatements) != 0;

    private bool OwesIdentity => _identity is null && MayAskIdentity && (_opener.AsksIdentities || Wire.Transport.Trust == PeerTrust.Verified);

    public override string ServerVersion => _greeting.ServerVersion;

    public override bool IsInTransaction => (_status & ServerStatus.InTransaction) != 0;

    /// <summary>Whether a statement commits by itself: as of now, or of the reset that is owed.</summary>
    public bool CommitsBySelf => ((NeedsReset ? _openingStatus : _status) & ServerStatus.Autocommit) != 0;

    /// <summary>The default database, as far as the server has said.</summary>
    public string Database { get; private set; }

    /// <summary>How the server reads quotes now.</summary>
    public QuotingRules Quoting => (HasNoBackslashEscapes ? QuotingRules.NoBackslashEscapes : 0)
        | (HasAnsiQuotes ? QuotingRules.AnsiQuotes : 0);

    /// <summary>Takes note of an error.</summary>
    public void Refused(ServerError error)
    {
        if (error.Number == MustChangePassword)
            IsPasswordExpired = true;
        _mayBeInTransaction |= _mayHold || (_status & ServerStatus.Autocommit) == 0;
        // A block of MariaDB's that failed behind its SET NAMES has set it.
        _toldForeign |= _foreign != LiteralRules.None;
        if (IsInTransaction && ErrorKinds.EndsTransaction(error.Number, IsMariaDb))
        {
            // An answer with an error has no flags.
            _status &= ~ServerStatus.InTransaction;
            LostTransaction = error;
        }
    }

    protected override void GlueReset()
    {
        Prepared.Clear();
        OwesDatabase = false;
        // A USE is not told any more behind SET session_track_schema = OFF.
        var mayHaveMoved = Queue.HasPrefixes || _mayHideChanges;
        var roleIsKnown = RoleIsKnown;
        ForgetTracked();
        _toldDeadline = 0;
        Queue.Glue(Commands.Reset(this), Wire);
        if (!roleIsKnown)
            Queue.Glue(Commands.Statement(this, DefaultRole), Wire);
        // A reset keeps the default database, and gives MySQL (not MariaDB) the server's default character set back.
        if (_configuredDatabase.Length > 0 && (Database != _configuredDatabase || !TellsDatabase || mayHaveMoved))
            GlueDatabase(mayHaveMoved);
        if (_characterSetChanged || (!IsMariaDb && !_serverIsUtf8Mb4))
            Queue.Glue(Commands.Statement(this, _names), Wire);
        _characterSetChanged = false;
        // The login had set it; a reset brings the other clients' time back (seen on MariaDB 11.8).
        if ((Capabilities & Capabilities.Interactive) != 0)
            Queue.Glue(Commands.Statement(this, "SET SESSION wait_timeout = @@interactive_timeout"), Wire);
        if (_tracks)
            GlueSettings();
    }

    protected override void GlueSettings()
    {
        NeedsSettings = false;
        if (OwesDatabase)
            GlueDatabase(Queue.HasPrefixes);
        var asks = OwesIdentity;
        if (asks)
            Queue.Glue(_identity = new IdentityQuestion(this), Wire);
        if (_tracks && (asks || !TrackerIsOn))
            Queue.Glue(Commands.Tracker(this), Wire);
        if (_leavesKey)
            Queue.Glue(Commands.ForgetKey(this), Wire);
        if (_leavesWarnings)
            Queue.Glue(Commands.ForgetWarnings(this), Wire);
        _leavesKey = _leavesWarnings = false;
    }

    // Servers keep the role behind a reset (seen on MySQL 9.7, MariaDB 10.11 and 11.8).
    protected override bool CanBeReset => !_mayHaveSetRole && (RoleIsKnown || CanSetDefaultRole) && (Database == _configuredDatabase || _configuredDatabase.Length > 0);

    public override SimpleExchange CreateSimple(string sql) => Commands.Statement(this, sql);

    public override SimpleExchange CreatePing() => Commands.Ping(this);

    public override SimpleExchange CreateChangeDatabase(string database)
    {
        Prepared.ForgetAll();
        MarkUnproven();
        return Commands.InitDatabase(this, database);
    }

    public override Conversation CreateSwallow() => new Alone(this, Commands.Swallow(this));

    public override void CancelOnServer(int milliseconds) => _opener.Kill(this, milliseconds);

    public override void Close()
    {
        if (!IsBroken && !Operation.IsRunning)
            SayGoodbye();
        base.Close();
        Prepared.Clear();
    }

    // Best effort: the few bytes fit into the socket's buffer, and a peer that has gone does not matter any more.
    private void SayGoodbye()
    {
        try
        {
            Wire.Out.Clear();
            Quit.Write(Wire.Out);
            Wire.Transport.Send(Wire.Out.Written);
        }
        catch (Exception exception) when (exception is Core.Errors.WireException or ObjectDisposedException)
        {
            // It has gone already.
        }
    }
}
