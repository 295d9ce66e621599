using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Sessions;

/// <summary>
/// One open session of a MySQL or MariaDB server: its exchanges, and what travels in front of the next command. What is known of the server is its state's.
/// </summary>
internal sealed partial class MySqlSession : Session, ISessionHost
{
    /// <summary>The lease in which the connection-opened callback was called last; −1 before the first.</summary>
    internal int LeaseOpened { get; set; } = -1;

    private readonly MySqlSessionOpener _opener;
    private readonly InitialHandshake _greeting;
    private readonly bool _serverIsUtf8Mb4;
    private readonly string _names;
    private BatchExchange? _batch;
    private ProcedureExchange? _procedure;
    private IdentityQuestion? _identity;

    internal MySqlSession(Wire wire, Endpoint endpoint, Connect connect, MySqlSessionOpener opener, CodecSettings codecs, string database, RowLimits limits, ServerSendBuffer? sendBuffer = null)
        : base(wire, endpoint)
    {
        _opener = opener;
        _greeting = connect.Greeting;
        _serverIsUtf8Mb4 = connect.CharacterSet == connect.Greeting.CharacterSet;
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
        Prepared = new(this, wire, Leases, opener.AutoPrepare);
        State = new(this, Prepared, connect.Greeting, connect.Agreed, connect.Status, codecs) { Database = database };
        SendBuffer = new(this, sendBuffer);
        OwesUnanswered = SendBuffer.IsOwed;
        Context = new(this, wire, Operation, State, Prepared, SendBuffer);
        Results = new CommandExchange(Context, codecs, limits);
    }

    /// <summary>What the server has said of itself and of the session.</summary>
    public ServerState State { get; }

    /// <summary>What is prepared in this session.</summary>
    public PreparedStatements Prepared { get; }

    /// <summary>Which statements prepare themselves.</summary>
    public AutoPrepare AutoPrepare => Prepared.Automatic;

    /// <summary>The packet that lets the server's send buffer grow.</summary>
    public SendBufferGrowth SendBuffer { get; }

    /// <summary>What its exchanges know of it.</summary>
    public SessionContext Context { get; }

    /// <summary>Where its server sent the client at the login, as it wrote it; null when it did not.</summary>
    public string? RedirectUrl { get; init; }

    /// <summary>Commands carry their span: see <see cref="TraceContext"/>.</summary>
    internal bool SendsTraceContext { get; init; }

    public override string ServerVersion => State.ServerVersion;

    public override bool IsInTransaction => State.IsInTransaction;

    /// <summary>Whether a statement commits by itself: as of now, or of the reset that is owed.</summary>
    public bool CommitsBySelf => NeedsReset ? State.ResetsToAutocommit : State.HasAutocommit;

    public override string DatabaseSystem => State.IsMariaDb ? "mariadb" : "mysql";

    /// <summary>The exchange, with its own type: known where it is used.</summary>
    public CommandExchange Results { get; }

    /// <summary>The exchange of batches.</summary>
    public BatchExchange Batch => _batch ??= new(Context, Results, Procedure);

    /// <summary>The exchange of calls.</summary>
    public ProcedureExchange Procedure => _procedure ??= new(Context, Results);

    public override ResultExchange Exchange => Queue.Results ?? Results;

    public override long ServerId => _greeting.ConnectionId;

    /// <summary>
    /// Whose number <see cref="ServerId"/> is, said by the server itself inside the session; null where it was not asked, has not answered, or has told another
    /// number than it greeted with: that was forged, or something in between counts for itself.
    /// </summary>
    public SessionIdentity? Identity => _identity?.Answer is { } answer && answer.Number == ServerId ? answer : null;

    /// <summary>Whether the server can be asked for its identity without a round trip, and without a trace.</summary>
    public bool MayAskIdentity => _tracks && MayPipeline && (State.Capabilities & Capabilities.MultiStatements) != 0;

    private bool OwesIdentity => _identity is null && MayAskIdentity && (_opener.AsksIdentities || Wire.Transport.Trust == PeerTrust.Verified);

    protected override void GlueReset()
    {
        Prepared.Clear();
        OwesDatabase = false;
        // A USE is not told any more behind SET session_track_schema = OFF.
        var mayHaveMoved = Queue.HasPrefixes || State.MayHideChanges;
        var roleIsKnown = State.RoleIsKnown;
        State.ForgetTracked();
        _toldDeadline = 0;
        Queue.Glue(Commands.Reset(State), Wire);
        if (!roleIsKnown)
            Queue.Glue(Commands.Statement(State, DefaultRole), Wire);
        // A reset keeps the default database, and gives MySQL (not MariaDB) the server's default character set back.
        if (_configuredDatabase.Length > 0 && (State.Database != _configuredDatabase || !TellsDatabase || mayHaveMoved))
            GlueDatabase(mayHaveMoved);
        if (State.CharacterSetChanged || (!State.IsMariaDb && !_serverIsUtf8Mb4))
            Queue.Glue(Commands.Statement(State, _names), Wire);
        State.CharacterSetChanged = false;
        // The login had set it; a reset brings the other clients' time back (seen on MariaDB 11.8).
        if ((State.Capabilities & Capabilities.Interactive) != 0)
            Queue.Glue(Commands.Statement(State, "SET SESSION wait_timeout = @@interactive_timeout"), Wire);
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
            Queue.Glue(_identity = new IdentityQuestion(State), Wire);
        if (_tracks && (asks || !State.TrackerIsOn))
            Queue.Glue(Commands.Tracker(State), Wire);
        if (State.LeavesKey)
            Queue.Glue(Commands.ForgetKey(State), Wire);
        if (State.LeavesWarnings)
            Queue.Glue(Commands.ForgetWarnings(State), Wire);
        State.LeavesKey = State.LeavesWarnings = false;
    }

    // Servers keep the role behind a reset (seen on MySQL 9.7, MariaDB 10.11 and 11.8).
    protected override bool CanBeReset => !State.MayHaveSetRole && (State.RoleIsKnown || State.CanSetDefaultRole)
        && (State.Database == _configuredDatabase || _configuredDatabase.Length > 0);

    public override SimpleExchange CreateSimple(string sql) => Commands.Statement(State, sql);

    public override SimpleExchange CreatePing() => Commands.Ping(State);

    public override SimpleExchange CreateChangeDatabase(string database)
    {
        Prepared.ForgetAll();
        State.MarkUnproven();
        return Commands.InitDatabase(State, database);
    }

    public override Conversation CreateSwallow() => new Alone(this, Commands.Swallow(State));

    void ISessionHost.ServeOnce() => ServesOnce = true;

    void ISessionHost.LoseTransaction(ServerError error) => LostTransaction = error;

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
        catch (Exception exception) when (exception is WireException or ObjectDisposedException)
        {
            // It has gone already.
        }
    }
}
