using System.Diagnostics;
using System.Net;
using Slipstream.Core.Causality;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Statements;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>
/// One open, authenticated connection: its wire, its queue of conversations, its current operation, and the exchanges that it owes before the next command. A
/// provider adds the server's state, its command exchange and its prepared statements.
/// </summary>
internal abstract partial class Session : IPooledSession, IDeadlined
{
    private readonly LeakDetector _holder = new();
    private ScalarTarget? _scalar;
    private string? _peerAddress;
    private Host? _host;
    private CancellationTokenRegistration _registration;
    private Cancellation? _cancellation;
    private bool _isOfReplica;

    // When the socket was last found silent, and the number of bytes that had been sent by then.
    private long _checkedAt;
    private long _checkedSent = -1;

    /// <summary>Creates a session over an authenticated wire.</summary>
    protected Session(Wire wire, Endpoint endpoint)
    {
        Wire = wire;
        Endpoint = endpoint;
        Queue = new ConversationQueue(this);
        OpenedAt = ChangedAt = Clock.Now;
    }

    /// <summary>The buffers and the transport.</summary>
    public Wire Wire { get; }

    /// <summary>The endpoint that the session is connected to.</summary>
    public Endpoint Endpoint { get; }

    /// <summary>The session's conversations, in order.</summary>
    public ConversationQueue Queue { get; }

    /// <summary>The current operation.</summary>
    public Operation Operation { get; } = new();

    /// <summary>The exchange of commands, reused for each one.</summary>
    public abstract ResultExchange Exchange { get; }

    /// <summary>The server's number of the session, which a cancellation names.</summary>
    public abstract long ServerId { get; }

    /// <summary>The version that the server reported.</summary>
    public abstract string ServerVersion { get; }

    /// <summary>The database system in OpenTelemetry's terms, if only the session knows it; null: that of the data source.</summary>
    public virtual string? DatabaseSystem => null;

    /// <summary>Whether the server reports an open transaction.</summary>
    public abstract bool IsInTransaction { get; }

    /// <summary>
    /// How long an interrupted operation may take to end after the server was asked to cancel it, in milliseconds (default 2000). 0: the server is not asked,
    /// and the connection is closed at once. Negative: no limit.
    /// </summary>
    public int CancellationTimeout { get; init; } = 2000;

    /// <summary>Whether an interrupted operation ends at once, with the connection, whatever <see cref="CancellationTimeout"/> is.</summary>
    public bool EndsAtOnce { get; set; }

    /// <summary>Whether the session is out of step with the server, or lost. It is then closed instead of reused.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>Why the session broke; null if it did not.</summary>
    public string? BrokenBecause { get; private set; }

    /// <summary>Whether the server has neither ended the session nor sent anything unexpected.</summary>
    public bool IsAlive => !IsBroken && !Wire.Transport.IsReadable && !HasLeftovers();

    // The system call is most of what a lease costs. An end of the session that it misses here would have come just as well after the check.
    /// <summary>
    /// The same at the given time (<see cref="Clock.Precise"/>). The socket is not checked again if it was checked in the last 50 microseconds, and nothing has
    /// been sent since.
    /// </summary>
    public bool IsAliveAt(long precise)
    {
        if (Wire.Sent == _checkedSent && precise - _checkedAt < Clock.FiftyMicroseconds)
            return !IsBroken && !Wire.HoldsPart && !HasLeftovers();
        if (!IsAlive)
            return false;
        _checkedAt = precise;
        _checkedSent = Wire.Sent;
        return true;
    }

    // Bytes that cannot be read are leftovers, too.
    private bool HasLeftovers()
    {
        try
        {
            return Wire.HasLeftovers;
        }
        catch (Exception exception) when (exception is WireException or ProtocolException)
        {
            return true;
        }
    }

    /// <summary>Whether the transport has ever waited asynchronously.</summary>
    public bool HasWaitedAsynchronously => Wire.Transport.HasWaitedAsynchronously;

    /// <summary>Whether the transport suits blocking and asynchronous callers equally.</summary>
    public bool SupportsMixedWaits => Wire.Transport.SupportsMixedWaits;

    /// <summary>When the session was opened, in the clock's milliseconds.</summary>
    public long OpenedAt { get; }

    /// <summary>When the session was last leased or returned, in the clock's milliseconds.</summary>
    public long ChangedAt { get; set; }

    /// <summary>The pool's generation when the session was opened. A session of an earlier generation is closed when it is returned.</summary>
    public int Generation { get; set; }

    /// <summary>Receives what the session learns about its server, if that is one of several; null otherwise.</summary>
    public ISessionWatcher? Watcher { get; set; }

    /// <summary>What is known about the writes of the lease; null if the session does not track them.</summary>
    public WriteTracking? Writes { get; init; }

    /// <summary>The server's generation when the session was opened, if <see cref="Watcher"/> is set.</summary>
    public long HostGeneration { get; set; }

    /// <summary>The holder of the session; null if it is not leased or its holder has been garbage collected.</summary>
    public object? Holder
    {
        get => _holder.Holder;
        set => _holder.Holder = value;
    }

    /// <summary>Whether the session is leased and its holder has been garbage collected.</summary>
    public bool IsLeaked => _holder.IsLeaked;

    /// <summary>Whether a reset is owed before the next command. It travels in the same send.</summary>
    public bool NeedsReset { get; set; }

    /// <summary>
    /// Whether the reset before the lease's first command was left out; true until that command. A lease that is proven clean still leaves the values of its
    /// last statement, which only some statements can see. The provider makes up for that before such a statement.
    /// </summary>
    public bool HasSkippedReset { get; private set; }

    /// <summary>Sets <see cref="HasSkippedReset"/> again after the lease's first command could not be encoded: the next command counts as the first.</summary>
    public void KeepSkippedReset() => HasSkippedReset = true;

    /// <summary>Whether settings that every session needs are owed before the next command. A reset includes them.</summary>
    protected bool NeedsSettings { get; set; }

    /// <summary>
    /// Whether several commands may travel in one send (default true). False behind a proxy that does not support it: then nothing is prepended, and each owed
    /// exchange has a round trip of its own.
    /// </summary>
    public bool MayPipeline { get; set; } = true;

    long IDeadlined.Due => Operation.Due;

    /// <summary>The BEGIN (or similar) to send before the next command; null if none is owed.</summary>
    public SimpleExchange? PendingBegin { get; set; }

    /// <summary>
    /// The end of a transaction that no command has used, if <see cref="CanQueryLastStatement"/>. It is also sent before the next command, and before
    /// <see cref="PendingBegin"/>. Null if none is owed.
    /// </summary>
    public SimpleExchange? PendingEnd { get; set; }

    /// <summary>
    /// Whether statements can report on the previous statement. Then a transaction that began and ended without a command is visible to the next one.
    /// </summary>
    public virtual bool CanQueryLastStatement => false;

    /// <summary>
    /// Whether it is known that the beginning of a transaction ends nothing: no transaction, no locks, no settings for the next transaction. Then BEGIN may be
    /// deferred.
    /// </summary>
    public virtual bool HoldsNothing => true;

    /// <summary>
    /// Whether a transaction may be open that no answer has reported. The answer to a ping reports it. Checked before a transaction begins, because the
    /// statement that would end the hidden one also ends more than that.
    /// </summary>
    public virtual bool MayHideTransaction => false;

    /// <summary>
    /// The error with which the server rolled back the whole transaction while the application still regards it as open; null without one. A command executed
    /// now would commit on its own.
    /// </summary>
    public ServerError? LostTransaction { get; set; }

    /// <summary>The span of the current operation, while a listener exists.</summary>
    public Activity? Activity { get; set; }

    /// <summary>Summary of the current operation, while a listener exists; null if unknown.</summary>
    public QuerySummary? Summary { get; set; }

    /// <summary>The text of the current command for the log; null unless the application has enabled that.</summary>
    public string? LoggedText { get; set; }

    /// <summary>Whether the current operation is counted in metrics.</summary>
    public bool IsCounted { get; set; }

    /// <summary>Whether the current operation is a command of the caller, while a listener exists.</summary>
    public bool IsCommand { get; set; }

    /// <summary>Number of bytes received before the current operation.</summary>
    public long ReceivedBefore { get; set; }

    /// <summary>Number of bytes sent before the current operation.</summary>
    public long SentBefore { get; set; }

    /// <summary>Address of the server that answers: an IP address or the path of a unix socket; null if unknown.</summary>
    public string? PeerAddress
    {
        get
        {
            _peerAddress ??= Endpoint.IsUnixSocket ? Endpoint.Host : AddressOf(Wire.Transport.PeerAddress);
            return _peerAddress.Length > 0 ? _peerAddress : null;
        }
    }

    // A dual-stack socket reports IPv4 addresses as ::ffff:192.0.2.1.
    private static string AddressOf(IPAddress? address) => (address is { IsIPv4MappedToIPv6: true } ? address.MapToIPv4() : address)?.ToString() ?? "";

    /// <summary>When the current operation began, as a time stamp.</summary>
    public long Began { get; set; }

    /// <summary>Keeps the session alive while it is leased and idle; null if that is off.</summary>
    public KeepAlive? KeepAlive { get; set; }

    /// <summary>Starts the next operation, with a limit of <paramref name="milliseconds"/>; 0 or less: no limit.</summary>
    public void BeginOperation(long milliseconds)
    {
        if (KeepAlive is { } keepAlive)
            keepAlive.Begin(milliseconds);
        else
            Operation.Begin(milliseconds);
    }

    /// <summary>When the lease began, while a listener measures leases.</summary>
    public long LeasedAt { get; set; }

    /// <summary>Number of ended leases, and whether each is followed by a reset.</summary>
    public Leases Leases { get; } = new();

    /// <summary>See <see cref="Leases.AreReset"/>.</summary>
    public bool ResetsBetweenLeases
    {
        get => Leases.AreReset;
        init => Leases.AreReset = value;
    }

    /// <summary>Keeps the commands of a connection in order where several may wait. Ends with the lease.</summary>
    public object? CallersOrder { get; set; }

    /// <summary>The session's part in an ambient transaction, which holds the session until it ends; null without one.</summary>
    public object? Enlistment { get; set; }

    /// <summary>Ends the lease: drops what it owed, and owes a reset to the next lease, unless there is nothing to reset.</summary>
    public void Released()
    {
        KeepAlive?.Released();
        CallersToken = default;
        PendingSearch = null;
        PendingBegin = null;
        // Without a reset, the next lease sees the last statement of this one.
        if (ResetsBetweenLeases)
            PendingEnd = null;
        LostTransaction = null;
        TransactionEnds();
        CallersOrder = null;
        SendsTrailer = false;
        Enlistment = null;
        Writes?.Released();
        // The connection may have been closed during another thread's command that still receives. That thread's buffer must not be reused.
        if (!IsBroken)
        {
            Wire.ReturnBuffers();
            Exchange.LeaveRow();
        }

        Leases.Ended++;
        NeedsReset = Leases.AreReset && (NeedsReset || !IsProvenClean);
        HasSkippedReset = Leases.AreReset && !NeedsReset;
        if (HasSkippedReset)
            ResetSkipped();
        if (NeedsReset && !CanBeReset)
            Break("it cannot be reset to the state of a new session");
        else if (_isOfReplica)
            Break("its server has refused a write because it is a replica");
        else if (WasUnready)
            Break("its server has refused a command because it is not ready");
        else if (ServesOnce)
            Break("it was opened for one connection only");
    }

    /// <summary>Called with each error of the server to a command of the lease.</summary>
    public void Refused(ServerError error)
    {
        Watcher?.Refused(this, error);
        if (MeansReplica(error))
            _isOfReplica = true;
        WasUnready = MeansUnready(error);
    }

    /// <summary>
    /// Called with each error of the server to a statement of the driver's own. A server that is not ready also refuses the end of a transaction, which then
    /// stays open and could still be committed: the session ends, and the server rolls back.
    /// </summary>
    public void RefusedOwn(ServerError error)
    {
        Refused(error);
        if (WasUnready)
            Break("its server is not ready, and has refused a statement of the driver");
    }

    /// <summary>Breaks the session because an operation has failed below the server's answers, and ends the operation.</summary>
    public void Abort(Exception exception, Interruption interruption)
    {
        WasUnready = exception is ServerRefusedException { Error: var error } && MeansUnready(error) && !Queue.HasSent;
        Abort(exception.Message);
        Writes?.MayHaveWritten();
        if (Watcher is not { } watcher)
            return;
        if (interruption == Interruption.TimedOut)
            watcher.TimedOut(this, exception.Message);
        else if (exception is ServerRefusedException refused)
            watcher.Refused(this, refused.Error);
        else if (interruption == Interruption.None && exception is WireException { Failure: WireFailure.Lost })
            watcher.Lost(this, exception.Message);
    }

    /// <summary>
    /// Returns whether an error means that the server is a replica, or was made one. Then the session is not reused: a name or a proxy may lead a new one to
    /// the primary.
    /// </summary>
    public virtual bool MeansReplica(ServerError error) => false;

    /// <summary>Returns whether an error means that the server is not ready, and refuses all commands until it is.</summary>
    public virtual bool MeansUnready(ServerError error) => false;

    /// <summary>Whether the last refusal of the lease meant that.</summary>
    public bool WasUnready { get; private set; }

    /// <summary>Whether the session has ended because its server was not ready: the server rolls back what was not committed.</summary>
    public bool HasEndedUnready => IsBroken && WasUnready;

    /// <summary>
    /// Whether the server may refuse a BEGIN, a reset or settings, and execute the command after them: outside of any transaction, or with another user's
    /// settings. The command then waits for the answers.
    /// </summary>
    protected virtual bool MayRefusePrefixes => false;

    /// <summary>Whether no other lease may follow, not even after a reset.</summary>
    protected bool ServesOnce { get; set; }

    /// <summary>Whether a reset restores the session (default true). If not, it is not reused.</summary>
    protected virtual bool CanBeReset => true;

    /// <summary>Whether it is known that the lease has left the session in the state after a reset.</summary>
    protected virtual bool IsProvenClean => false;

    /// <summary>Called when no reset is owed to the next lease. What a clean lease still leaves is undone before the next lease's first command.</summary>
    protected virtual void ResetSkipped()
    {
        // Most sessions leave nothing.
    }

    /// <summary>Whether <see cref="CreateTrailer"/> is called after the results of each command, until the lease ends.</summary>
    public bool SendsTrailer { get; set; }

    /// <summary>
    /// A question after a command's results, whose bytes it has appended; null if there is none. Its answers are read before the caller is resumed.
    /// </summary>
    protected internal virtual Conversation? CreateTrailer() => null;

    /// <summary>
    /// Appends the question for the position of the command's writes, if the command is such that its answer certainly precedes that of the question. Called
    /// after the command was written, if its position is wanted.
    /// </summary>
    public virtual void AppendWriteQuestion()
    {
        // Most servers report the position by themselves.
    }

    /// <summary>
    /// A question for the position of the writes that have just ended, whose bytes it has appended; null if the session asks no question then. It costs a round
    /// trip.
    /// </summary>
    protected internal virtual Conversation? CreateWriteQuestion() => null;

    /// <summary>Whether the server reports the position of each write by itself.</summary>
    protected virtual bool ReportsWrites => false;

    /// <summary>Called when an operation has ended on the server, before its caller is resumed.</summary>
    public void SettleWrites()
    {
        // In a transaction, only its end makes writes visible, unless it is not the one in which they were made.
        if (Writes is not { IsWanted: true } writes || (IsInTransaction && !writes.HasCommitted))
            return;
        if (ReportsWrites)
            writes.WroteNothing();
        else
            writes.MayHaveWritten();
    }

    /// <summary>Called when the last conversation of an exchange begins: a command, or an exchange of the driver.</summary>
    protected internal virtual void LastConversationBegins(Conversation last)
    {
        // Only a provider that skips resets needs it.
    }

    /// <summary>Prepends the owed exchanges (a reset, a BEGIN) to the command that will be encoded next.</summary>
    public void PrependPending()
    {
        HasSkippedReset = false;
        if (Queue.HasPrefixes)
            RenewBegin();
        if ((NeedsReset || NeedsSettings || PendingEnd is not null || PendingBegin is not null) && MayRefusePrefixes)
            Queue.SeparatePrefixes();
        if (NeedsReset)
        {
            NeedsReset = false;
            PrependReset();
        }
        else if (NeedsSettings)
            PrependSettings();

        if (SendsDeadlines && MayPipeline)
            PrependDeadline(Operation.Limit);

        if (PendingEnd is { } end)
        {
            PendingEnd = null;
            Queue.Prepend(end, Wire);
        }

        if (PendingBegin is { } owed)
        {
            PendingBegin = null;
            Begins(owed);
            Queue.Prepend(owed, Wire);
            PendingBeginPrepended(owed);
        }

        if (HasPendingNoReply && MayPipeline)
        {
            HasPendingNoReply = false;
            WriteNoReply();
        }
    }

    /// <summary>Whether the server is informed of the time limit of commands.</summary>
    public bool SendsDeadlines { get; init; }

    /// <summary>Prepends the exchange that informs the server of the time limit of the next command, unless the server knows it already.</summary>
    /// <param name="milliseconds">The limit in milliseconds; 0: no limit.</param>
    protected virtual void PrependDeadline(long milliseconds)
    {
        // The server has no such setting.
    }

    /// <summary>Whether a question of the driver waits for a command that cannot see its effects: see <see cref="PrependQuestion"/>.</summary>
    public bool HasPendingQuestion { get; protected set; }

    /// <summary>Prepends the question, after all other prefixes.</summary>
    public virtual void PrependQuestion()
    {
        // Most providers have no questions.
    }

    /// <summary>
    /// Takes the question back after the command that followed it could not be encoded. The question's bytes are gone, and the next command may be one that
    /// would see its effects.
    /// </summary>
    public virtual void RestoreQuestion()
    {
        // There was no question.
    }

    /// <summary>Whether messages without an answer are owed before the next command: see <see cref="WriteNoReply"/>.</summary>
    protected bool HasPendingNoReply { get; set; }

    /// <summary>Appends the owed messages that the server does not answer. They have no place in the queue.</summary>
    protected virtual void WriteNoReply()
    {
        // Most providers have none.
    }

    /// <summary>Called when <see cref="PendingBegin"/> has been prepended to the next command.</summary>
    protected virtual void PendingBeginPrepended(SimpleExchange begin)
    {
        // Most providers do not need it.
    }

    /// <summary>Prepends the reset to the state of a new session.</summary>
    protected abstract void PrependReset();

    /// <summary>Prepends the settings of a session that was opened without them.</summary>
    protected virtual void PrependSettings() => NeedsSettings = false;

    /// <summary>Creates the exchange of a statement that has no results.</summary>
    /// <param name="sql">SQL written by the provider, not by the user.</param>
    public abstract SimpleExchange CreateSimple(string sql);

    /// <summary>Creates an exchange that checks whether the server still answers.</summary>
    public abstract SimpleExchange CreatePing();

    /// <summary>Creates the exchange that changes the default database.</summary>
    public abstract SimpleExchange CreateChangeDatabase(string database);

    /// <summary>Sets the server that counts this session until it is closed.</summary>
    internal void At(Host host) => _host = host;

    /// <summary>The target for a scalar of type <typeparamref name="T"/>, reused between calls.</summary>
    public ScalarTarget<T> ScalarTarget<T>()
    {
        if (_scalar is not ScalarTarget<T> target)
            _scalar = target = new ScalarTarget<T>();
        target.Clear();
        return target;
    }

    /// <summary>Fills a target of another session from now on, whose operation is repeated on this one.</summary>
    public void Adopt(ScalarTarget? target)
    {
        target?.Clear();
        _scalar = target;
    }

    /// <summary>The target that the current operation has filled.</summary>
    public ScalarTarget<T> ScalarTargetAs<T>() => (ScalarTarget<T>)_scalar!;

    /// <summary>Releases the scalar of a command that failed afterwards: an idle session must not hold a large value.</summary>
    public void DropScalar() => _scalar?.Clear();

    /// <summary>The token of the current operation.</summary>
    public CancellationToken CallersToken { get; private set; }

    /// <summary>Lets the token interrupt the current operation, until <see cref="UnregisterToken"/>.</summary>
    public void RegisterToken(CancellationToken token)
    {
        CallersToken = token;
        if (token.CanBeCanceled)
            _registration =
                token.UnsafeRegister(static session => ((Session)session!).Interrupt(((Session)session).Operation.Number, Interruption.Canceled), this);
    }

    /// <summary>Ends <see cref="RegisterToken"/>. Waits for a running callback, so that it cannot hit the next operation.</summary>
    public void UnregisterToken()
    {
        if (_registration != default)
        {
            _registration.Dispose();
            _registration = default;
            // A token leads to all that is registered with it, such as a command's Cancel. Only a cancelled one is still needed, for the exception.
            if (!CallersToken.IsCancellationRequested)
                CallersToken = default;
        }
    }

    /// <summary>Asks the server, over another connection, to stop this session's operation. Blocks; called on the cancellation's thread.</summary>
    /// <param name="milliseconds">Time limit in milliseconds; negative: no limit by the cancellation.</param>
    /// <exception cref="Exception">Any failure. The cancellation then closes the connection.</exception>
    public abstract void CancelOnServer(int milliseconds);

    /// <summary>Creates a command without effect that absorbs a late cancellation.</summary>
    public abstract Conversation CreateAbsorbQuery();

    /// <summary>Checks that no bytes are left before a request is sent: they would be taken for its answer.</summary>
    /// <exception cref="ProtocolException">There are bytes that the protocol does not allow.</exception>
    public void RefuseLeftovers()
    {
        if (Wire.HasLeftovers)
            CheckUnsolicited();
        else if (Wire.HoldsPart && !AllowsUnsolicitedMessages)
            throw new ProtocolException("nothing before the next command", "part of a message that belongs to no command");
    }

    /// <summary>Whether the protocol allows the server to send messages without a request. An incomplete message may then be such a one.</summary>
    protected virtual bool AllowsUnsolicitedMessages => false;

    /// <summary>Handles bytes that arrived after every answer was read. Throws unless the protocol allows such messages.</summary>
    /// <exception cref="ProtocolException">The protocol does not allow them, or these bytes are something else.</exception>
    protected virtual void CheckUnsolicited() =>
        throw new ProtocolException("nothing before the next command", $"{Wire.Buffered} bytes that belong to no command");

    /// <summary>Marks the session as broken and shuts its connection down. It is never reused and never resynchronised.</summary>
    public void Break(string because)
    {
        if (IsBroken)
            return;
        IsBroken = true;
        BrokenBecause = because;
        Wire.Transport.Shutdown();
    }

    /// <summary>The exception of an operation whose session was closed while it ran.</summary>
    /// <param name="lastWords">Why the server ended the session, if it sent an error first.</param>
    public Exception CreateLost(ServerError? lastWords = null) => lastWords is not null
        ? new ServerRefusedException(lastWords)
        : new WireException(
            WireFailure.Lost, $"The connection to {Endpoint} was closed while it was in use: {(BrokenBecause ?? "this client closed it").TrimEnd('.')}.");

    /// <summary>
    /// Adds what a provider knows about a lost connection or a protocol violation during an operation that was not interrupted.
    /// </summary>
    protected internal virtual Exception Explain(Exception failure) => failure;

    /// <summary>Breaks the session during an operation, and ends the operation.</summary>
    public void Abort(string because)
    {
        UnregisterToken();
        Break(because);
        var cancellation = Volatile.Read(ref _cancellation);
        cancellation?.OperationEnded.Set();
        cancellation?.Complete();
        Operation.Drained();
    }

    /// <summary>Requests the interruption of operation <paramref name="number"/>. Returns at once; callable from any thread.</summary>
    public void Interrupt(long number, Interruption reason)
    {
        if (Operation.TryInterrupt(number, reason))
            Cancellation.Begin();
    }

    void IDeadlined.Expire(long now)
    {
        // An operation that has ended or begun in the meantime is not interrupted.
        var number = Operation.Number;
        if (Operation.Due <= now)
            Interrupt(number, Interruption.TimedOut);
    }

    /// <summary>The cancellation of the interrupted operation. The first thread that needs it creates it, so that no thread waits for it.</summary>
    internal Cancellation Cancellation
    {
        get
        {
            if (Volatile.Read(ref _cancellation) is { } cancellation)
                return cancellation;
            cancellation = new(this);
            return Interlocked.CompareExchange(ref _cancellation, cancellation, null) ?? cancellation;
        }
    }

    /// <summary>Whether an interruption is not yet settled.</summary>
    internal bool IsBeingCancelled => Volatile.Read(ref _cancellation) is not null;

    /// <summary>Creates the conversation that must run right after an interrupted operation: see <see cref="Drain"/>.</summary>
    public Conversation CreateDrain() => new Drain(Cancellation, this);

    /// <summary>Ends the interruption. Called after <see cref="CreateDrain"/> has run or the session broke.</summary>
    public void Drained()
    {
        Volatile.Read(ref _cancellation)?.Complete();
        Volatile.Write(ref _cancellation, null);
        Operation.Drained();
    }

    /// <summary>Ends the session with a farewell message and closes the connection. Never throws.</summary>
    public virtual void Close()
    {
        Deadlines.Forget(this);
        IsBroken = true;
        Interlocked.Exchange(ref _host, null)?.Leave();
        Wire.Transport.Dispose();
    }

    /// <summary>Whether the command may be repeated after a failure on the wire.</summary>
    public static RetrySafety SafetyOf(Exception exception) =>
        exception is WireException { RetrySafety: RetrySafety.NotSent } ? RetrySafety.NotSent : RetrySafety.Unknown;
}
