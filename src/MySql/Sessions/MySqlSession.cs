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
internal sealed class MySqlSession : Session, ISessionHost
{
    // What the session uses the server's tracker of changes for.
    private enum TrackerUse : byte
    {
        Nothing,

        /// <summary>How texts are read, and what is prepared: the session asks to be told.</summary>
        Reading,

        /// <summary>That, and whether a lease needs a reset.</summary>
        Resets,
    }

    // MariaDB keeps a role behind a reset, and a procedure or EXECUTE may have set one: no text shows it, the tracker tells only that something has changed.
    private const string DefaultRole = """
        BEGIN NOT ATOMIC
        DECLARE r TEXT DEFAULT NULL;
        DECLARE CONTINUE HANDLER FOR NOT FOUND BEGIN END;
        SELECT ROLE_NAME INTO r FROM information_schema.APPLICABLE_ROLES WHERE IS_DEFAULT = 'YES' LIMIT 1;
        EXECUTE IMMEDIATE CONCAT('SET ROLE ', IFNULL(CONCAT('`', REPLACE(r, '`', '``'), '`'), 'NONE'));
        END
        """;

    // Answers of prefixes: the tracker's, which repeats its settings, is the longest.
    private const int SmallAnswers = 4096;

    // No server's max_allowed_packet is smaller by default, and the driver's own statements are: a lost connection has another reason up to here.
    private const int SurelyTaken = 1 << 20;

    private readonly MySqlSessionOpener _opener;
    private readonly LeaseDatabase _database;
    private readonly long _number;
    private readonly bool _serverIsUtf8Mb4;
    private readonly string _names;
    private TrackerUse _tracker;
    private BatchExchange? _batch;
    private ProcedureExchange? _procedure;
    private IdentityQuestion? _identity;
    private SimpleCommand? _limitQuestion;
    private ToldDeadline? _deadline;
    private LastWarnings? _warnings;

    public MySqlSession(
        Wire wire, Endpoint endpoint, Connect connect, MySqlSessionOpener opener, CodecSettings codecs, string database, RowLimits limits,
        ServerSendBuffer? sendBuffer = null)
        : base(wire, endpoint)
    {
        _opener = opener;
        _number = connect.Greeting.ConnectionId;
        _serverIsUtf8Mb4 = connect.CharacterSet == connect.Greeting.CharacterSet;
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
        HasPendingNoReply = SendBuffer.IsOwed;
        Context = new(this, wire, Operation, State, Prepared, SendBuffer);
        Results = new CommandExchange(Context, codecs, limits);
        _database = new(Context, Queue, database);
    }

    // ---------------------------------------------------------------- what is known of it

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

    /// <summary>The exchange, with its own type: known where it is used.</summary>
    public CommandExchange Results { get; }

    /// <summary>The exchange of batches.</summary>
    public BatchExchange Batch => _batch ??= new(Context, Results, Procedure);

    /// <summary>The exchange of calls.</summary>
    public ProcedureExchange Procedure => _procedure ??= new(Context, Results);

    public override ResultExchange Exchange => Queue.Results ?? Results;

    /// <summary>Where its server sent the client at the login, as it wrote it; null when it did not.</summary>
    public string? RedirectUrl { get; init; }

    /// <summary>Commands carry their span: see <see cref="TraceContext"/>.</summary>
    public bool SendsTraceContext { get; init; }

    /// <summary>The lease in which the connection-opened callback was called last; −1 before the first.</summary>
    public int LeaseOpened { get; set; } = -1;

    public override string ServerVersion => State.ServerVersion;

    public override bool IsInTransaction => State.IsInTransaction;

    /// <summary>Whether a statement commits by itself: as of now, or of the reset that is owed.</summary>
    public bool CommitsBySelf => NeedsReset ? State.ResetsToAutocommit : State.HasAutocommit;

    /// <summary>See <see cref="ServerState.IsRepeatableRead"/>; false while a reset is owed.</summary>
    public bool IsRepeatableRead => State.IsRepeatableRead && !NeedsReset;

    /// <summary>
    /// True when it is known that START TRANSACTION ends nothing that is there, or that a reset, which is owed, has ended it by then.
    /// </summary>
    public override bool HoldsNothing => NeedsReset || State.HoldsNothing;

    // The end of a transaction may begin the next one (completion_type=CHAIN).
    public override bool MayHideTransaction => PendingEnd is not null || (!NeedsReset && State.MayHideTransaction);

    public override string DatabaseSystem => State.IsMariaDb ? "mariadb" : "mysql";

    public override long ServerId => _number;

    /// <summary>
    /// Whose number <see cref="ServerId"/> is, said by the server itself inside the session; null where it was not asked, has not answered, or has told another
    /// number than it greeted with: that was forged, or something in between counts for itself.
    /// </summary>
    public SessionIdentity? Identity => _identity?.Answer is { } answer && answer.Number == ServerId ? answer : null;

    /// <summary>Whether the server can be asked for its identity without a round trip, and without a trace.</summary>
    public bool MayAskIdentity => _tracker != TrackerUse.Nothing && MayPipeline && (State.Capabilities & Capabilities.MultiStatements) != 0;

    private bool OwesIdentity => _identity is null && MayAskIdentity && (_opener.AsksIdentities || Wire.Transport.Trust == PeerTrust.Verified);

    // ---------------------------------------------------------------- leases

    /// <summary>
    /// Says whether commands may be glued, and from that whether the tracker is used:
    /// through a proxy that cannot take the one, only who asks for it trusts the other.
    /// </summary>
    public void Track(bool mayPipeline, MySqlResetMode mode)
    {
        MayPipeline = mayPipeline;
        _tracker = !State.IsTracked || (!mayPipeline && mode != MySqlResetMode.Tracked) ? TrackerUse.Nothing
            : mode is MySqlResetMode.Tracked or MySqlResetMode.Automatic ? TrackerUse.Resets
            : TrackerUse.Reading;
        NeedsSettings = (_tracker != TrackerUse.Nothing && !State.TrackerIsOn) || OwesIdentity;
    }

    /// <summary>The lease that begins is for this database, out of several that share the pool.</summary>
    /// <param name="database">Not empty.</param>
    public void LeaseFor(string database)
    {
        _database.LeaseFor(database, isReset: NeedsReset);
        NeedsSettings |= _database.HasPendingMove;
    }

    /// <summary>True while the lease is for another database than that which the session is in: the move travels with the next command.</summary>
    public bool OwesDatabase => _database.HasPendingMove;

    protected override bool IsProvenClean => _tracker == TrackerUse.Resets && State.IsClean && _database.IsThere;

    // Servers keep the role behind a reset (seen on MySQL 9.7, MariaDB 10.11 and 11.8).
    protected override bool CanBeReset => !State.MayHaveSetRole && (State.RoleIsKnown || State.CanSetDefaultRole) && _database.CanBeRestored;

    protected override void ResetSkipped() => NeedsSettings |= State.LeavesKey || State.LeavesWarnings;

    // ---------------------------------------------------------------- what travels in front of a command

    protected override void PrependReset()
    {
        Prepared.Clear();
        // A USE is not told any more behind SET session_track_schema = OFF.
        var mayHaveMoved = Queue.HasPrefixes || State.MayHideChanges;
        var roleIsKnown = State.RoleIsKnown;
        State.ForgetTracked();
        _deadline?.Forget();
        Queue.Prepend(Commands.Reset(State), Wire);
        if (!roleIsKnown)
            Queue.Prepend(Commands.Statement(State, DefaultRole), Wire);
        // A reset keeps the default database, and gives MySQL (not MariaDB) the server's default character set back.
        _database.Restore(mayHaveMoved);
        if (State.CharacterSetChanged || (!State.IsMariaDb && !_serverIsUtf8Mb4))
            Queue.Prepend(Commands.Statement(State, _names), Wire);
        State.CharacterSetChanged = false;
        // The login had set it; a reset brings the other clients' time back (seen on MariaDB 11.8).
        if ((State.Capabilities & Capabilities.Interactive) != 0)
            Queue.Prepend(Commands.Statement(State, "SET SESSION wait_timeout = @@interactive_timeout"), Wire);
        if (_tracker != TrackerUse.Nothing)
            PrependSettings();
    }

    protected override void PrependSettings()
    {
        NeedsSettings = false;
        _database.PrependMove();
        var asks = OwesIdentity;
        if (asks)
            Queue.Prepend(_identity = new IdentityQuestion(State), Wire);
        if (_tracker != TrackerUse.Nothing && (asks || !State.TrackerIsOn))
            Queue.Prepend(Commands.Tracker(State), Wire);
        if (State.LeavesKey)
            Queue.Prepend(Commands.ForgetKey(State), Wire);
        if (State.LeavesWarnings)
            Queue.Prepend(Commands.ForgetWarnings(State), Wire);
        State.LeavesKey = State.LeavesWarnings = false;
    }

    protected override void PrependDeadline(long milliseconds) => (_deadline ??= new(Context, Queue)).Glue(milliseconds);

    public override void PrependQuestion()
    {
        HasPendingQuestion = false;
        SendBuffer.Asked();
        _limitQuestion = Commands.AsksPacketLimit(State, SendBuffer.Answered);
        Queue.Prepend(_limitQuestion, Wire);
    }

    public override void TakeQuestionBack()
    {
        if (_limitQuestion is null || !SendBuffer.TakeQuestionBack())
            return;
        Queue.TakeBack(_limitQuestion);
        _limitQuestion = null;
        HasPendingQuestion = true;
    }

    protected override void WriteNoReply() => SendBuffer.Write(Wire.Out);

    // What does not come through here is not known, and nothing is proven of it.
    protected internal override void Runs(Conversation last)
    {
        if (!ReferenceEquals(last, Results) && last is not (SimpleCommand or BatchExchange))
            State.MarkDirty();
        while (Prepared.TryTakeToClose(out var id))
            Queue.Prepend(new StatementClosing(id), Wire);
    }

    // ---------------------------------------------------------------- its own commands

    public override SimpleExchange CreateSimple(string sql) => Commands.Statement(State, sql);

    /// <inheritdoc/>
    /// <remarks>ROW_COUNT() and SHOW WARNINGS do: after a transaction they tell of its end, and not of the command before the transaction.</remarks>
    public override bool TellsOfLastStatement => true;

    public override SimpleExchange CreatePing() => Commands.Ping(State);

    public override SimpleExchange CreateChangeDatabase(string database)
    {
        Prepared.ForgetAll();
        State.MarkDirty();
        return Commands.InitDatabase(State, database);
    }

    public override Conversation CreateAbsorbQuery() => new StandaloneExchange(this, Commands.Swallow(State));

    protected internal override Conversation? CreateTrailer() => Results.Warnings == 0 ? null : (_warnings ??= new(Context)).Ask();

    /// <summary>What the command that has just ended was warned of, once; null when nothing.</summary>
    public IReadOnlyList<(string Level, int Code, string Message)>? TakeMessages() => _warnings?.Take();

    // ---------------------------------------------------------------- what its exchanges report

    void ISessionHost.ServeOnce() => ServesOnce = true;

    void ISessionHost.LoseTransaction(ServerError error) => LostTransaction = error;

    void ISessionHost.OweQuestion() => HasPendingQuestion = true;

    void ISessionHost.OwePacket() => HasPendingNoReply = true;

    // ---------------------------------------------------------------- its end

    // A server reads the beginning of a packet that is too large, and closes the connection under the rest: that it has said why is often not seen any more.
    // What it says under the rest of a compressed command has a frame number in the midst of those sent, which no answer has.
    protected internal override Exception Explain(Exception failure)
    {
        var bytes = Wire.Unanswered(SmallAnswers);
        return bytes <= SurelyTaken || (failure is ProtocolException && !Wire.IgnoresSequence)
            ? failure
            : new WireException(
                WireFailure.LostOnLargeRequest,
                $"The connection was lost during a command of {bytes:N0} bytes, which may be more than the server's max_allowed_packet: raise that above the size, on the server and for new connections, or send less at once. If the server takes as much, the connection was lost for another reason. ({failure.Message})",
                failure.InnerException) { RetrySafety = SafetyOf(failure) };
    }

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
