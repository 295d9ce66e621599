using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.Protocol.Connect;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.State;

namespace Slipstream.PostgreSql.Sessions;

/// <summary>One session of a PostgreSQL server: its wire and the exchanges on it. Separate objects hold its state.</summary>
internal sealed class PgSession : Session, ISessionHost
{
    // PgBouncer 1.26 and later report themselves with this setting.
    private const string PgBouncerVersion = "pgbouncer.version";

    private readonly PgSessionOpener _opener;
    private readonly BackendKeyData? _key;
    private Reset? _reset;

    public PgSession(Wire wire, Endpoint endpoint, PgSessionOpener opener, Connect connect)
        : base(wire, endpoint)
    {
        _opener = opener;
        _key = connect.Key;
        Prepared = new(opener.AutoPreparation, opener.MaxPrepared);
        if (_key is { IsInvented: true } || connect.Parameters.ContainsKey(PgBouncerVersion))
            opener.IsBehindPooler = true;
        State = new(Prepared, connect.Parameters, connect.Types, opener.SearchPath) { IsBehindPooler = opener.IsBehindPooler };
        Results = new CommandExchange(this, State, Prepared, opener.MaxValueBytes, opener.MaxRowBytes);
    }

    /// <summary>Gets what the server reported about itself, and what follows from the commands that have run.</summary>
    public ServerState State { get; }

    /// <summary>Gets or sets whether the server has refused the full question for its role.</summary>
    public bool IsAskedBriefly { get; set; }

    /// <summary>
    /// Gets whether the server may be a standby, so that a refused write need not come from a read-only transaction. Servers report it since PostgreSQL 14, in
    /// front of the answer to a command.
    /// </summary>
    public bool MayBeReplica => ReportedStandby is not "off";

    /// <summary>Gets whether the server has reported that it is a standby.</summary>
    public bool IsStandby => ReportedStandby is "on";

    // A pooler reports what the server reported when the pooler logged in, and its sessions go on when the server is replaced.
    private string? ReportedStandby => State.IsBehindPooler ? null : State.Settings.GetValueOrDefault("in_hot_standby");

    /// <inheritdoc/>
    public override bool MeansReplica(ServerError error) => error.SqlState == "25006" && MayBeReplica;

    /// <summary>Gets the prepared statements that exist on the server.</summary>
    public PreparedStatements Prepared { get; }

    /// <summary>Sets <see cref="PreparedStatements.NamePrefix"/>.</summary>
    public string StatementPrefix
    {
        init => Prepared.NamePrefix = value;
    }

    /// <summary>Sets <see cref="ServerState.ResetsWhole"/>.</summary>
    public bool ResetsWhole
    {
        init => State.ResetsWhole = value;
    }

    /// <summary>Gets the exchange for commands, under its own type.</summary>
    public CommandExchange Results { get; }

    public override ResultExchange Exchange => Results;

    public override long ServerId => _key?.ProcessId ?? 0;

    /// <summary>Gets the version without a packager's additions: 15.18 for "15.18 (Debian 15.18-0+deb12u1)".</summary>
    public override string ServerVersion => ServerText.OneLine(State.Settings.GetValueOrDefault("server_version", "").Split(' ')[0]);

    public override bool IsInTransaction => State.IsInTransaction;

    // A standby writes nothing. After a promotion, the report that it is none any more comes with the answer to the next command.
    protected override bool ReportsWrites => IsStandby;

    public override void AppendWriteQuestion()
    {
        // In a transaction, only its end makes writes visible.
        var mayAppend = Queue.Last switch
        {
            CommandExchange command => command.IsOnePlanned && !State.IsInTransaction && !State.BeginsTransaction,
            Simple { MayCommit: true } => true,
            _ => false,
        };
        if (Queue.Last is SimpleExchange and not Simple { MayCommit: true })
            Writes!.WroteNothing();
        else if (mayAppend && !IsStandby)
            Queue.TryAppend(new WriteQuestion(this, State, Writes!), Wire);
    }

    // For batches, several statements in one text, a COMMIT in a text, and the first write after a promotion. In a transaction that has already begun, the
    // question would begin its snapshot.
    protected internal override Conversation? CreateWriteQuestion()
    {
        if (IsStandby || State.IsInTransaction || Queue.Last is not (CommandExchange or Simple { MayCommit: true }))
            return null;
        var question = new WriteQuestion(this, State, Writes!);
        question.Encode(Wire);
        return question;
    }

    public override SimpleExchange CreateSimple(string sql) => new Simple(this, State, sql, MayPipeline);

    /// <summary>Creates the exchange that loads the types of the database again.</summary>
    public SimpleExchange CreateReloadTypes() => new ReloadTypes(this, State);

    public override SimpleExchange CreatePing() => new Ping(this, State);

    public override SimpleExchange CreateChangeDatabase(string database) =>
        throw new NotSupportedException("A PostgreSQL session cannot change its database; the connection opens another session.");

    public override Conversation CreateAbsorbQuery() => new AbsorbQuery(this, State);

    public override void CancelOnServer(int milliseconds)
    {
        if (_key is not null)
            _opener.Cancel(Endpoint, _key, milliseconds, Wire.Transport.PeerAddress, Wire.Transport.Trust.IsEncrypted(), Holder);
    }

    public override void Close()
    {
        if (!IsBroken && !Operation.IsRunning)
            SendTerminate();
        base.Close();
    }

    void ISessionHost.ReportNotice(ErrorFields notice) => (Holder as INoticeSink)?.OnNotice(notice);

    ServerError ISessionHost.Judge(ServerError error, bool isWhole, bool isOnly)
    {
        var isOfReplica = MeansReplica(error);
        if (!isOfReplica && error.SqlState is not ("40001" or "40P01"))
            return error;
        // An error undoes the work since the last savepoint.
        var safety = SafetyOfRollback(isWhole, mayContinue: true);
        return safety == RetrySafety.NotApplicable ? error
            : isOfReplica && isOnly && TransactionPhase == TransactionPhase.None ? error with { Safety = RetrySafety.NotSent, MayRunOnPrimary = true }
            : error with { Safety = safety };
    }

    void ISessionHost.MayCommit() => MayCommit();

    void ISessionHost.Committed() => Writes?.Committed();

    // Until the reset has been answered, the server may still send notifications to the previous lease.
    void ISessionHost.ReportNotification(in NotificationResponse notification)
    {
        if (!NeedsReset && _reset is not { IsPending: true })
            (Holder as INoticeSink)?.OnNotification(notification);
    }

    protected override void PendingBeginPrepended(SimpleExchange begin) => State.Beginning = begin.Description;

    protected override bool AllowsUnsolicitedMessages => true;

    // Checks the messages and leaves them in the buffer: the next answer is read after them. Bytes that arrived with them are checked, too.
    protected override void CheckUnsolicited()
    {
        var checkedBytes = 0;
        do
        {
            checkedBytes += CheckUnsolicited(Wire.In.AsSpan(Wire.Start + checkedBytes, Wire.Buffered - checkedBytes), out var hasEnded);
            // Messages after them will not be read.
            if (hasEnded)
                return;
            if (checkedBytes > Wire.KeptCapacity)
            {
                TakeUnsolicited(Wire.Start + checkedBytes);
                checkedBytes = 0;
            }
        }
        while (Wire.TakesMore());

        // Otherwise the command would be sent before it is clear whether this error answers a command.
        if (checkedBytes < Wire.Buffered && (BackendMessage)Wire.In[Wire.Start + checkedBytes] == BackendMessage.ErrorResponse)
            throw new ProtocolException("nothing before the next command", $"{Wire.Buffered - checkedBytes} bytes of an incomplete ErrorResponse");
    }

    // Returns the number of bytes in complete messages, and whether the last message ends the session.
    private static int CheckUnsolicited(ReadOnlySpan<byte> bytes, out bool hasEnded)
    {
        hasEnded = false;
        var checkedBytes = 0;
        while (checkedBytes < bytes.Length)
        {
            var rest = bytes[checkedBytes..];
            var type = (BackendMessage)rest[0];
            var length = rest.Length < Frame.HeaderLength ? 0 : Frame.BodyLength(rest);
            var isWhole = rest.Length >= Frame.HeaderLength && (uint)length <= (uint)(rest.Length - Frame.HeaderLength);
            // An error that does not end the session answers a command.
            hasEnded = type == BackendMessage.ErrorResponse && isWhole && Messages.ReadError(rest.Slice(Frame.HeaderLength, length)).EndsSession;
            var isAllowed = hasEnded || type is BackendMessage.NoticeResponse or BackendMessage.ParameterStatus or BackendMessage.NotificationResponse
                || (type == BackendMessage.ErrorResponse && !isWhole);
            if (!isAllowed || (uint)length > (uint)Frame.MaxLengthOf(type))
                throw Messages.Unexpected("nothing before the next command", type, length);
            if (!isWhole)
                break;
            checkedBytes += Frame.HeaderLength + length;
            if (hasEnded)
                break;
        }

        return checkedBytes;
    }

    // A connection that only listens may find more messages than the buffer should hold.
    private void TakeUnsolicited(int end)
    {
        while (Wire.Start < end && (BackendMessage)Wire.In[Wire.Start] is var type and not BackendMessage.ErrorResponse)
        {
            var body = Wire.Start + Frame.HeaderLength;
            Wire.Start = body + Frame.BodyLength(Wire.In.AsSpan(Wire.Start));
            Messages.TakeAsynchronous(this, State, type, Wire.In.AsSpan(body, Wire.Start - body), "nothing before the next command");
        }
    }

    // A reset that still waits, because the command after it could not be written, can be used again.
    // This is not possible among other prefixes: each of two resets then counts its own answers.
    protected override void PrependReset()
    {
        if (_reset is not null && Queue.HoldsOnly(_reset))
            return;
        // The first session that notices a pooler tells the others.
        State.IsBehindPooler = _opener.IsBehindPooler |= State.IsBehindPooler;
        if (_reset is null || Queue.HasPrefixes)
            _reset = new Reset(this, State, Prepared);
        _reset.Choose();
        Queue.Prepend(_reset, Wire);
    }

    // Without this message, the server logs an unexpected end of the connection.
    private void SendTerminate()
    {
        try
        {
            Wire.Out.Clear();
            Terminate.Write(Wire.Out);
            Wire.Transport.Send(Wire.Out.Written);
        }
        catch (WireException)
        {
            // The connection is already closed.
        }
    }
}
