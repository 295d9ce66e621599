using Slipstream.Core.Causality;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conventions;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Errors;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Sessions;

/// <summary>
/// An open session of a MySQL or MariaDB server. It contains the session's exchanges and the commands that precede the next one. <see cref="ServerState"/>
/// contains what is known about the server.
/// </summary>
internal sealed class MySqlSession : Session, ISessionHost
{
    // What the session uses the server's session tracker for.
    private enum TrackerUse : byte
    {
        Nothing,

        /// <summary>How texts are read, and whether prepared statements remain valid: the session asks the server to report changes.</summary>
        Reading,

        /// <summary>The same, and whether a lease needs a reset.</summary>
        Resets,
    }

    // MariaDB keeps a role after a reset. A procedure or EXECUTE may set one without a sign in the text, and the tracker reports only that something changed.
    private const string DefaultRole = """
        BEGIN NOT ATOMIC
        DECLARE r TEXT DEFAULT NULL;
        DECLARE CONTINUE HANDLER FOR NOT FOUND BEGIN END;
        SELECT ROLE_NAME INTO r FROM information_schema.APPLICABLE_ROLES WHERE IS_DEFAULT = 'YES' LIMIT 1;
        EXECUTE IMMEDIATE CONCAT('SET ROLE ', IFNULL(CONCAT('`', REPLACE(r, '`', '``'), '`'), 'NONE'));
        END
        """;

    // The largest answers of prefixes, in bytes: the longest is that of the tracker, which repeats its settings.
    private const int SmallAnswers = 4096;

    // In characters.
    private const int LongestWrite = 16 * 1024;

    // In bytes. max_allowed_packet has no smaller default on any server, and the driver's own statements are smaller, so up to here a loss has another cause.
    private const int AlwaysAccepted = 1 << 20;

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
    private ServerTimeLimit? _deadline;
    private LastWarnings? _warnings;

    public MySqlSession(
        Wire wire, Endpoint endpoint, Connect connect, MySqlSessionOpener opener, CodecSettings codecs, string database, RowLimits limits,
        ServerSendBuffer? sendBuffer = null)
        : base(wire, endpoint)
    {
        _opener = opener;
        _number = connect.Greeting.ConnectionId;
        _serverIsUtf8Mb4 = connect.CharacterSet == connect.Greeting.CharacterSet;
        // The character set of the handshake, by name for those that are a server's default. The others get the server's default collation for utf8mb4.
        _names = connect.CharacterSet switch
        {
            // MariaDB reads 45 as "the default collation of utf8mb4", a different one since 11.5 (character_set_collations). Its SET NAMES does the same.
            45 when !connect.Greeting.IsMariaDb => "SET NAMES utf8mb4 COLLATE utf8mb4_general_ci",
            46 => "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
            224 => "SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci",
            255 => "SET NAMES utf8mb4 COLLATE utf8mb4_0900_ai_ci",
            _ => "SET NAMES utf8mb4",
        };
        Prepared = new(this, wire, Leases, opener.AutoPrepare);
        State = new(this, Prepared, connect.Greeting, connect.Agreed, connect.Status, codecs) { Database = database };
        SendBuffer = new(this, sendBuffer);
        HasPendingNoReply = SendBuffer.IsPacketPending;
        Context = new(this, wire, Operation, State, Prepared, SendBuffer);
        Results = new CommandExchange(Context, codecs, limits);
        _database = new(Context, Queue, database);
    }

    // ---------------------------------------------------------------- state

    /// <summary>Gets the reported state of the server and the session.</summary>
    public ServerState State { get; }

    /// <summary>Gets or sets the kind of cluster to which the server has said that it belongs; Auto before it was asked.</summary>
    public MySqlTopology Cluster { get; set; } = MySqlTopology.Auto;

    /// <inheritdoc/>
    public override bool MeansReplica(ServerError error) => MySqlRoleProbe.IsOfReplica(error);

    /// <inheritdoc/>
    public override bool MeansUnready(ServerError error) => ErrorKinds.IsUnreadyNode(error);

    /// <inheritdoc/>
    protected override bool MayRefusePrefixes => _opener.IsOfGalera;

    /// <summary>Notes that the server is a node of a Galera cluster.</summary>
    public void FoundGalera() => _opener.IsOfGalera = true;

    /// <summary>Gets the session's prepared statements.</summary>
    public PreparedStatements Prepared { get; }

    /// <summary>Gets the rules for statements that the driver prepares by itself.</summary>
    public AutoPrepare AutoPrepare => Prepared.Automatic;

    /// <summary>Gets the packet that makes the server enlarge its send buffer.</summary>
    public SendBufferGrowth SendBuffer { get; }

    /// <summary>Gets the session's context for its exchanges.</summary>
    public SessionContext Context { get; }

    /// <summary>Gets the exchange of commands with its own type, for callers that know it.</summary>
    public CommandExchange Results { get; }

    /// <summary>Gets the exchange of batches.</summary>
    public BatchExchange Batch => _batch ??= new(Context, Results, Procedure);

    /// <summary>Gets the exchange of procedure calls.</summary>
    public ProcedureExchange Procedure => _procedure ??= new(Context, Results);

    public override ResultExchange Exchange => Queue.Results ?? Results;

    /// <summary>Gets the text with which the server redirected the client at the login; null if it did not.</summary>
    public string? RedirectUrl { get; init; }

    /// <summary>Gets whether commands carry their trace context: see <see cref="TraceContext"/>.</summary>
    public bool SendsTraceContext { get; init; }

    /// <summary>Gets or sets the last lease for which the connection-opened callback was called; −1 before the first.</summary>
    public int LeaseOpened { get; set; } = -1;

    public override string ServerVersion => ThisAssembly.Conventions.KeepsVersionPrefix ? State.SentVersion : State.ServerVersion;

    public override bool IsInTransaction => State.IsInTransaction;

    protected override bool IsSurelyInTransaction => State.IsSurelyInTransaction;

    /// <summary>Gets whether a statement commits by itself, now or after the pending reset.</summary>
    public bool IsAutocommit => NeedsReset ? State.ResetsToAutocommit : State.HasAutocommit;

    /// <summary>Gets the value of <see cref="ServerState.IsRepeatableRead"/>; false while a reset is pending.</summary>
    public bool IsRepeatableRead => State.IsRepeatableRead && !NeedsReset;

    /// <summary>Gets whether START TRANSACTION is known to end nothing. A pending reset ends everything before it.</summary>
    public override bool HoldsNothing => NeedsReset || State.HoldsNothing;

    // The end of a transaction may begin the next one (completion_type=CHAIN).
    public override bool MayHideTransaction => PendingEnd is not null || (!NeedsReset && State.MayHideTransaction);

    public override string DatabaseSystem => State.IsMariaDb ? "mariadb" : "mysql";

    public override long ServerId => _number;

    /// <summary>
    /// Gets the identity that the server reported inside the session. Null if it was not queried, if the server has not answered, or if the server reported
    /// another connection ID than in its greeting: then the ID was forged, or a proxy uses IDs of its own.
    /// </summary>
    public SessionIdentity? Identity => _identity?.Answer is { } answer && answer.Number == ServerId ? answer : null;

    /// <summary>Gets whether the server's identity can be queried without a round trip and without leaving state.</summary>
    public bool MayAskIdentity => _tracker != TrackerUse.Nothing && MayPipeline && (State.Capabilities & Capabilities.MultiStatements) != 0;

    private bool NeedsIdentity => _identity is null && MayAskIdentity && (_opener.AsksIdentities || Wire.Transport.Trust == PeerTrust.Verified);

    // ---------------------------------------------------------------- leases

    /// <summary>
    /// Sets whether commands may be pipelined, and from that whether the session tracker is used. Behind a proxy that cannot handle pipelined commands, the
    /// tracker is trusted only if the application requests it.
    /// </summary>
    public void Track(bool mayPipeline, MySqlResetMode mode)
    {
        MayPipeline = mayPipeline;
        State.TracksWrites = Writes is not null;
        _tracker = !State.IsTracked || (!mayPipeline && mode != MySqlResetMode.Tracked) ? TrackerUse.Nothing
            : mode is MySqlResetMode.Tracked or MySqlResetMode.Automatic ? TrackerUse.Resets
            : TrackerUse.Reading;
        NeedsSettings = (_tracker != TrackerUse.Nothing && !State.TrackerIsOn) || NeedsIdentity;
    }

    /// <summary>Sets the database of the lease that begins, if several databases share the pool.</summary>
    /// <param name="database">The database; not empty.</param>
    public void LeaseFor(string database)
    {
        _database.LeaseFor(database, isReset: NeedsReset);
        NeedsSettings |= _database.HasPendingMove;
    }

    /// <summary>Gets whether the session is in another database than that of the lease. The change is sent with the next command.</summary>
    public bool HasPendingDatabase => _database.HasPendingMove;

    protected override bool IsProvenClean => _tracker == TrackerUse.Resets && State.IsClean && _database.IsSelected;

    // Servers keep the role after a reset (seen on MySQL 9.7, MariaDB 10.11 and 11.8).
    protected override bool CanBeReset => !State.MayHaveSetRole && (State.RoleIsKnown || State.CanSetDefaultRole) && _database.CanBeRestored;

    protected override void ResetSkipped() => NeedsSettings |= State.LeavesKey || State.LeavesWarnings;

    // ---------------------------------------------------------------- commands before the next one

    protected override void PrependReset()
    {
        Prepared.Clear();
        // After SET session_track_schema = OFF, the server no longer reports a USE.
        var mayHaveMoved = Queue.HasPrefixes || State.MayHideChanges;
        var roleIsKnown = State.RoleIsKnown;
        State.ForgetTracked();
        _deadline?.Forget();
        Queue.Prepend(Commands.Reset(State), Wire);
        if (!roleIsKnown)
            Queue.Prepend(Commands.Statement(State, DefaultRole), Wire);
        // A reset keeps the default database. MySQL, but not MariaDB, returns to the server's default character set.
        _database.Restore(mayHaveMoved);
        if (State.CharacterSetChanged || (!State.IsMariaDb && !_serverIsUtf8Mb4))
            Queue.Prepend(Commands.Statement(State, _names), Wire);
        State.CharacterSetChanged = false;
        // The login set the value; a reset restores that of non-interactive clients (seen on MariaDB 11.8).
        if ((State.Capabilities & Capabilities.Interactive) != 0)
            Queue.Prepend(Commands.Statement(State, "SET SESSION wait_timeout = @@interactive_timeout"), Wire);
        if (_tracker != TrackerUse.Nothing)
            PrependSettings();
    }

    protected override void PrependSettings()
    {
        NeedsSettings = false;
        _database.PrependMove();
        var asks = NeedsIdentity;
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

    protected override void PrependDeadline(long milliseconds) => (_deadline ??= new(Context, Queue)).Prepend(milliseconds);

    public override void PrependQuestion()
    {
        HasPendingQuestion = false;
        SendBuffer.Asked();
        _limitQuestion = Commands.AsksPacketLimit(State, SendBuffer.Answered);
        Queue.Prepend(_limitQuestion, Wire);
    }

    public override void RestoreQuestion()
    {
        if (_limitQuestion is null || !SendBuffer.RestoreQuestion())
            return;
        Queue.TakeBack(_limitQuestion);
        _limitQuestion = null;
        HasPendingQuestion = true;
    }

    protected override void WriteNoReply() => SendBuffer.Write(Wire.Out);

    // Other conversations are unknown, so nothing can be proven about their effects.
    protected internal override void LastConversationBegins(Conversation last)
    {
        if (!ReferenceEquals(last, Results) && last is not (SimpleCommand or BatchExchange or OneTextQuery))
        {
            State.MarkDirty();
            // A bulk copy reports LOAD DATA itself.
            if (last is not BulkCopyExchange)
                MayCommit();
        }

        while (Prepared.TryTakeToClose(out var id))
            Queue.Prepend(new StatementClosing(id), Wire);
    }

    // ---------------------------------------------------------------- the driver's own commands

    public override SimpleExchange CreateSimple(string sql) => Commands.Statement(State, sql);

    /// <inheritdoc/>
    /// <remarks>ROW_COUNT() and SHOW WARNINGS do: after a transaction they describe its end instead of the command before the transaction.</remarks>
    public override bool CanQueryLastStatement => true;

    public override SimpleExchange CreatePing() => Commands.Ping(State);

    public override SimpleExchange CreateChangeDatabase(string database)
    {
        Prepared.ForgetAll();
        State.MarkDirty();
        return Commands.InitDatabase(State, database);
    }

    public override Conversation CreateAbsorbQuery() => new StandaloneExchange(this, Commands.AbsorbQuery(State));

    protected internal override Conversation? CreateTrailer() => Results.Warnings == 0 ? null : (_warnings ??= new(Context)).Ask();

    /// <summary>Returns the warnings of the command that has just ended, once; null if there are none.</summary>
    public IReadOnlyList<(string Level, int Code, string Message)>? TakeMessages() => _warnings?.Take();

    // ---------------------------------------------------------------- reports of the exchanges

    // Before MySQL 5.7.20, the tracker reports no identifiers: see Commands.Tracker.
    protected override bool ReportsWrites =>
        State.TrackerIsOn && (State.IsMariaDb || State.NamesTransactionIsolation) && Writes?.Server is not { HasPositions: false };

    void ISessionHost.Wrote(string gtids)
    {
        if (Writes is not { } writes)
            return;
        // The position of a write is short. A long text may be an attack, and would take long to read.
        LogPosition? position = gtids.Length > LongestWrite ? null
            : State.IsMariaDb ? DomainSequences.Parse(gtids, ',') : TransactionSet.Parse(gtids, ',')?.Bounded();
        if (position is not null)
            writes.Wrote(position);
        else
            writes.Lost();
    }

    void ISessionHost.LoseWrites() => Writes?.Lost();

    void ISessionHost.ServeOnce() => ServesOnce = true;

    ServerError ISessionHost.Judge(ServerError error, bool isBeginning)
    {
        var isCommand = ReferenceEquals(Queue.Results, Results);
        var statement = isCommand ? Results.Beginning : ReferenceEquals(Queue.Results, _batch) ? _batch?.Beginning : null;
        // Nothing else has run, and the statement can only change or read data.
        var isOneCommand = statement is not null && (statement.IsStateless(State.IsMariaDb) || !statement.MayCommit);
        var isUnready = ErrorKinds.IsUnreadyNode(error);
        if (isUnready)
            FoundGalera();
        var safety = ErrorKinds.EndsTransaction(error.Number, State.IsMariaDb)
                ? SafetyOfRollback(isCommand && isOneCommand && State.HasAutocommit, mayContinue: false)
            : ErrorKinds.IsEndOfSession(error.Number) ? SafetyOfEnd()
            : ErrorKinds.LeavesCommitToOthers(error.Number) ? RetrySafety.Unknown
            : isUnready ? SafetyOfUnready(isOneCommand, isBeginning)
            : !MySqlRoleProbe.IsOfReplica(error) ? RetrySafety.NotApplicable
            // A server that refuses the COMMIT because it has become a replica rolls back.
            : TransactionPhase == TransactionPhase.Ending ? RetrySafety.RolledBack
            : isOneCommand || isBeginning ? RetrySafety.NotSent
            : RetrySafety.NotApplicable;
        return safety == RetrySafety.NotApplicable ? error : error with
        {
            Safety = safety,
            MayRunOnPrimary = safety == RetrySafety.NotSent && !isUnready && isCommand && statement is { IsOneStatement: true } && State.HasAutocommit
                && !State.IsInTransaction && TransactionPhase == TransactionPhase.None && Enlistment is null,
        };
    }

    // A node that is not ready refuses a statement before it begins, or in the middle of a function or trigger that the statement runs. It undoes the
    // statement.
    private RetrySafety SafetyOfUnready(bool isOneCommand, bool isBeginning)
    {
        // The session is ended.
        if (Queue.Last is SimpleCommand && Enlistment is null)
        {
            return TransactionPhase switch
            {
                TransactionPhase.Open or TransactionPhase.Ending when IsInTransaction => RetrySafety.RolledBack,
                TransactionPhase.Doubtful => RetrySafety.NotApplicable,
                _ => RetrySafety.NotSent,
            };
        }

        if (isOneCommand && TransactionPhase == TransactionPhase.None && !IsInTransaction && State.HasAutocommit && Enlistment is null)
            return RetrySafety.RolledBack;
        return isOneCommand || isBeginning ? RetrySafety.NotSent : RetrySafety.NotApplicable;
    }

    // A COMMIT that was interrupted may have succeeded, and a procedure may have committed before.
    private RetrySafety SafetyOfEnd() =>
        TransactionPhase == TransactionPhase.Open && SafetyOfRollback(isWhole: false, mayContinue: false) == RetrySafety.RolledBack
            ? RetrySafety.RolledBack
            : RetrySafety.Unknown;

    void ISessionHost.MayCommit() => MayCommit();

    void ISessionHost.LoseTransaction(ServerError error)
    {
        if (!ThisAssembly.Conventions.ContinuesAfterRollback)
            LostTransaction = error;
    }

    void ISessionHost.RequestQuestion() => HasPendingQuestion = true;

    void ISessionHost.RequestPacket() => HasPendingNoReply = true;

    // ---------------------------------------------------------------- the end

    // A server reads the beginning of a packet that is too large and closes the connection while the rest is sent. Its error message is then often lost.
    // If the command is compressed, the message arrives with a frame number from the middle of the command, which no answer has.
    protected internal override Exception Explain(Exception failure)
    {
        var bytes = Wire.Unanswered(SmallAnswers);
        return bytes <= AlwaysAccepted || (failure is ProtocolException && !Wire.IgnoresSequence)
            ? failure
            : new WireException(
                WireFailure.LostOnLargeRequest,
                $"The connection was lost during a command of {bytes:N0} bytes, which may be more than the server's max_allowed_packet: raise "
                + "max_allowed_packet above that size (global, for new connections), or send less at once. If the server accepts that size, the connection "
                + $"was lost for another reason. ({failure.Message})",
                failure.InnerException) { RetrySafety = SafetyOf(failure) };
    }

    public override void CancelOnServer(int milliseconds) => _opener.Kill(this, milliseconds);

    public override void Close()
    {
        if (!IsBroken && !Operation.IsRunning)
            SendQuit();
        base.Close();
        Prepared.Clear();
    }

    // Best effort: the few bytes fit into the socket's buffer, and a peer that has gone away no longer needs them.
    private void SendQuit()
    {
        try
        {
            Wire.Out.Clear();
            Quit.Write(Wire.Out);
            Wire.Transport.Send(Wire.Out.Written);
        }
        catch (Exception exception) when (exception is WireException or ObjectDisposedException)
        {
            // The peer has already gone away.
        }
    }
}
