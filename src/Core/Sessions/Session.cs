using System.Diagnostics;
using System.Net;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Statements;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>
/// One open, authenticated connection: its wire, its queue of conversations, what it is doing now and what it must do before the next
/// command. A provider adds the server's state, its exchange and its prepared statements.
/// </summary>
internal abstract class Session : IPooledSession, IDeadlined
{
    private readonly LeakDetector _holder = new();
    private ScalarTarget? _scalar;
    private string? _peerAddress;
    private Host? _host;
    private CancellationTokenRegistration _registration;
    private Cancellation? _cancellation;

    /// <summary>A session over a wire that has been authenticated.</summary>
    protected Session(Wire wire, Endpoint endpoint)
    {
        Wire = wire;
        Endpoint = endpoint;
        Queue = new ConversationQueue(this);
        OpenedAt = ChangedAt = Clock.Now;
    }

    /// <summary>Its bytes.</summary>
    public Wire Wire { get; }

    /// <summary>Whom it is connected to.</summary>
    public Endpoint Endpoint { get; }

    /// <summary>What it has to say, in order.</summary>
    public ConversationQueue Queue { get; }

    /// <summary>What it is doing now.</summary>
    public Operation Operation { get; } = new();

    /// <summary>The hot exchange, reused for every command.</summary>
    public abstract ResultExchange Exchange { get; }

    /// <summary>The server's number for the session: what a cancellation names.</summary>
    public abstract long ServerId { get; }

    /// <summary>The server's version, as it says it.</summary>
    public abstract string ServerVersion { get; }

    /// <summary>What OpenTelemetry's conventions call the database, where that is known only now; null: as the data source says.</summary>
    public virtual string? DatabaseSystem => null;

    /// <summary>True while the server says that a transaction is open.</summary>
    public abstract bool IsInTransaction { get; }

    /// <summary>
    /// How long an interrupted operation may take to end after the server was asked to cancel it, in milliseconds; 0:
    /// no asking, the connection is closed at once; less: no limit.
    /// </summary>
    public int CancellationTimeout { get; init; } = 2000;

    /// <summary>Whether it is out of step with the server, or lost: it is closed instead of used again.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>Why it broke; null while it is whole.</summary>
    public string? BrokenBecause { get; private set; }

    /// <summary>Whether the server has neither ended it nor said anything unasked.</summary>
    public bool IsAlive => !IsBroken && !Wire.Transport.IsReadable && !HasLeftovers();

    // What cannot be read is left over, too.
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

    /// <summary>Whether its transport has waited asynchronously before.</summary>
    public bool HasWaitedAsynchronously => Wire.Transport.HasWaitedAsynchronously;

    /// <summary>Whether it suits blocking and asynchronous callers alike.</summary>
    public bool SuitsBothWays => Wire.Transport.SuitsBothWays;

    /// <summary>When it was opened, in the clock's milliseconds.</summary>
    public long OpenedAt { get; }

    /// <summary>When it was last leased or given back, in the clock's milliseconds.</summary>
    public long ChangedAt { get; set; }

    /// <summary>The pool's generation in which it was opened: an older one is closed when it comes back.</summary>
    public int Generation { get; set; }

    /// <summary>Who leases it; null when nobody does, or who did is gone.</summary>
    public object? Holder
    {
        get => _holder.Holder;
        set => _holder.Holder = value;
    }

    /// <summary>Whether it was leased by somebody who is gone.</summary>
    public bool IsLeaked => _holder.IsLeaked;

    /// <summary>A reset is owed before the next command; it will travel in the same send.</summary>
    public bool NeedsReset { get; set; }

    /// <summary>
    /// True until the lease's first command when the reset in front of it was left out. What a proven lease leaves all the same (the values of
    /// its last statement) only some statements can see: in front of such a one it is made up for.
    /// </summary>
    public bool HasSkippedReset { get; private set; }

    /// <summary>The lease's first command could not be written: the next one may see what the last lease has left, as if it were the first.</summary>
    public void KeepSkippedReset() => HasSkippedReset = true;

    /// <summary>Settings that every session needs are owed before the next command; a reset brings them along.</summary>
    protected bool NeedsSettings { get; set; }

    /// <summary>
    /// Whether several commands may travel in one send. False behind a proxy that cannot take it:
    /// then nothing is glued, and what is owed has a round trip of its own.
    /// </summary>
    public bool MayPipeline { get; set; } = true;

    long IDeadlined.Due => Operation.Due;

    /// <summary>A conversation that travels in front of the next command; null when none is owed.</summary>
    public SimpleExchange? PendingBegin { get; set; }

    /// <summary>
    /// The end of a transaction that no command has used, where <see cref="TellsOfLastStatement"/>: it travels in front of the next command, too, and in front
    /// of <see cref="PendingBegin"/>. Null when none is owed.
    /// </summary>
    public SimpleExchange? PendingEnd { get; set; }

    /// <summary>
    /// Whether statements tell of the last one, so that it shows when a transaction has begun and ended in between though no command has used it.
    /// </summary>
    public virtual bool TellsOfLastStatement => false;

    /// <summary>
    /// Whether it is known that the beginning of a transaction ends nothing: no transaction, no locks, no settings for the next one. Then it may be owed.
    /// </summary>
    public virtual bool HoldsNothing => true;

    /// <summary>
    /// Whether a transaction may be open that no answer has told of: the answer to a ping tells. Asked before one begins, because what would end it ends more.
    /// </summary>
    public virtual bool MayHideTransaction => false;

    /// <summary>
    /// The error with which the server has rolled back all of the open transaction, though nobody has ended it; null when there is none. What ran now would
    /// commit by itself.
    /// </summary>
    public ServerError? LostTransaction { get; set; }

    /// <summary>The span and the start of the operation under way, while somebody listens.</summary>
    public Activity? Activity { get; set; }

    /// <summary>What the operation under way does, while somebody listens; null when that is not known.</summary>
    public QuerySummary? Summary { get; set; }

    /// <summary>The command under way as the log shows it; null unless the application has asked for that.</summary>
    public string? LoggedText { get; set; }

    /// <summary>Whether the operation under way is counted.</summary>
    public bool IsCounted { get; set; }

    /// <summary>Whether the operation under way is one command of the caller's, while somebody listens.</summary>
    public bool IsCommand { get; set; }

    /// <summary>The bytes that had come before the operation under way.</summary>
    public long ReceivedBefore { get; set; }

    /// <summary>The bytes that had left before the operation under way.</summary>
    public long SentBefore { get; set; }

    /// <summary>The address of the server that answers: an IP address, or the path of a unix socket; null when it is not known.</summary>
    public string? PeerAddress
    {
        get
        {
            _peerAddress ??= Endpoint.IsUnixSocket ? Endpoint.Host : AddressOf(Wire.Transport.PeerAddress);
            return _peerAddress.Length > 0 ? _peerAddress : null;
        }
    }

    // A socket for both families writes IPv4 as ::ffff:192.0.2.1.
    private static string AddressOf(IPAddress? address) => (address is { IsIPv4MappedToIPv6: true } ? address.MapToIPv4() : address)?.ToString() ?? "";

    /// <summary>When its operation began, as a time stamp.</summary>
    public long Began { get; set; }

    /// <summary>When the lease began, while somebody listens to how long leases take.</summary>
    public long LeasedAt { get; set; }

    /// <summary>How many leases have ended, and whether they leave traces.</summary>
    public Leases Leases { get; } = new();

    /// <summary>See <see cref="Leases.AreReset"/>.</summary>
    public bool ResetsBetweenLeases
    {
        get => Leases.AreReset;
        init => Leases.AreReset = value;
    }

    /// <summary>What keeps the commands of a connection in order where several may wait; it ends with the lease.</summary>
    public object? CallersOrder { get; set; }

    /// <summary>Its part in an ambient transaction, which holds it until that ends; null while it takes part in none.</summary>
    public object? Enlistment { get; set; }

    /// <summary>The lease has ended: what it owed is forgotten; a reset is owed to the next one, unless there is nothing to reset.</summary>
    public void Released()
    {
        PendingBegin = null;
        // Without a reset the next lease sees the last statement of this one.
        if (ResetsBetweenLeases)
            PendingEnd = null;
        LostTransaction = null;
        CallersOrder = null;
        AsksAfterwards = false;
        Enlistment = null;
        // The connection may have been closed under a command of another thread, which still receives: a buffer that it writes into is nobody else's.
        if (!IsBroken)
            Wire.Shrink();
        Leases.Ended++;
        NeedsReset = Leases.AreReset && (NeedsReset || !IsProvenClean);
        HasSkippedReset = Leases.AreReset && !NeedsReset;
        if (HasSkippedReset)
            ResetSkipped();
        if (NeedsReset && !CanBeReset)
            Break("it cannot be brought back to the state of a new session");
        else if (ServesOnce)
            Break("it was opened for one connection only");
    }

    /// <summary>True when no other lease may follow, with a reset or without.</summary>
    protected bool ServesOnce { get; set; }

    /// <summary>False when the session is in a state that no reset undoes: it is not used again.</summary>
    protected virtual bool CanBeReset => true;

    /// <summary>True when it is known that the lease has left the session as a reset would leave it.</summary>
    protected virtual bool IsProvenClean => false;

    /// <summary>No reset is owed to the next lease: what a proven one leaves all the same is undone in front of that lease's first command.</summary>
    protected virtual void ResetSkipped()
    {
        // Most sessions leave nothing.
    }

    /// <summary>Behind each command's results <see cref="CreateTrailer"/> is asked for what else is to be said; until the lease ends.</summary>
    public bool AsksAfterwards { get; set; }

    /// <summary>
    /// A question behind a command's results, whose bytes it has appended; null when there is none.
    /// Its answers come before the caller hears that the command is over.
    /// </summary>
    protected internal virtual Conversation? CreateTrailer() => null;

    /// <summary>A conversation has been begun that is the last of its exchange: a command, or one of the driver's own.</summary>
    protected internal virtual void Runs(Conversation last)
    {
        // Only a provider that leaves resets out wants to know.
    }

    /// <summary>Glues what is owed (a reset, a BEGIN) in front of the command about to be encoded.</summary>
    public void PrependPending()
    {
        HasSkippedReset = false;
        if (NeedsReset)
        {
            NeedsReset = false;
            PrependReset();
        }
        else if (NeedsSettings)
            PrependSettings();

        if (TellsDeadlines && MayPipeline)
            PrependDeadline(Operation.Limit);

        if (PendingEnd is { } end)
        {
            PendingEnd = null;
            Queue.Prepend(end, Wire);
        }

        if (PendingBegin is { } owed)
        {
            PendingBegin = null;
            Queue.Prepend(owed, Wire);
            PendingBeginPrepended(owed);
        }

        if (HasPendingNoReply && MayPipeline)
        {
            HasPendingNoReply = false;
            WriteNoReply();
        }
    }

    /// <summary>Whether the server is told how long a command may take.</summary>
    public bool TellsDeadlines { get; init; }

    /// <summary>Glues what tells the server how long the command about to be encoded may take, if it does not know that already.</summary>
    /// <param name="milliseconds">0: without limit.</param>
    protected virtual void PrependDeadline(long milliseconds)
    {
        // Where the server has no such thing.
    }

    /// <summary>A question of the driver's own waits for a command that does not see what the question leaves: see <see cref="PrependQuestion"/>.</summary>
    public bool HasPendingQuestion { get; protected set; }

    /// <summary>Glues the question, last of all prefixes.</summary>
    public virtual void PrependQuestion()
    {
        // Most providers know all that they need.
    }

    /// <summary>
    /// The command behind the question could not be written: its bytes are gone, and the next command may be one that would see what it leaves.
    /// </summary>
    public virtual void TakeQuestionBack()
    {
        // None was asked.
    }

    /// <summary>Something that the server does not answer is owed before the next command: see <see cref="WriteNoReply"/>.</summary>
    protected bool HasPendingNoReply { get; set; }

    /// <summary>Appends what is owed and never answered: it takes no place among the conversations.</summary>
    protected virtual void WriteNoReply()
    {
        // Most providers owe nothing of the kind.
    }

    /// <summary>What was owed stands in front of the command about to be encoded.</summary>
    protected virtual void PendingBeginPrepended(SimpleExchange owed)
    {
        // Most providers need not know.
    }

    /// <summary>Glues what brings the session back to the state of a new one.</summary>
    protected abstract void PrependReset();

    /// <summary>Glues the settings of a session that was opened without them.</summary>
    protected virtual void PrependSettings() => NeedsSettings = false;

    /// <summary>A statement that answers with nothing but yes or no.</summary>
    /// <param name="sql">Written by the provider, not by the user.</param>
    public abstract SimpleExchange CreateSimple(string sql);

    /// <summary>Asks whether the server is still there.</summary>
    public abstract SimpleExchange CreatePing();

    /// <summary>The conversation that changes the default database.</summary>
    public abstract SimpleExchange CreateChangeDatabase(string database);

    /// <summary>Which of the data source's servers counts this session, until it is closed.</summary>
    internal void At(Host host) => _host = host;

    /// <summary>The target for a scalar of type <typeparamref name="T"/>, kept from call to call.</summary>
    public ScalarTarget<T> ScalarTarget<T>()
    {
        if (_scalar is not ScalarTarget<T> target)
            _scalar = target = new ScalarTarget<T>();
        target.Clear();
        return target;
    }

    /// <summary>The target that the operation under way has filled.</summary>
    public ScalarTarget<T> ScalarTargetAs<T>() => (ScalarTarget<T>)_scalar!;

    /// <summary>The token of the operation under way.</summary>
    public CancellationToken CallersToken { get; private set; }

    /// <summary>Lets the token interrupt the operation that has begun, until <see cref="StopListening"/>.</summary>
    public void ListenTo(CancellationToken token)
    {
        CallersToken = token;
        if (token.CanBeCanceled)
            _registration = token.UnsafeRegister(static session => ((Session)session!).Interrupt(((Session)session).Operation.Number, Interruption.Canceled), this);
    }

    /// <summary>Ends what <see cref="ListenTo"/> began; waits for a callback that runs just now, so that it cannot hit the next operation.</summary>
    public void StopListening()
    {
        if (_registration != default)
        {
            _registration.Dispose();
            _registration = default;
        }
    }

    /// <summary>Asks the server, over another connection, to stop what this session is doing. Blocks; called by the cancellation's thread.</summary>
    /// <param name="milliseconds">For all of it; negative for no limit of the cancellation's.</param>
    /// <exception cref="Exception">Anything: the cancellation then closes the connection.</exception>
    public abstract void CancelOnServer(int milliseconds);

    /// <summary>A command that does nothing but absorb a cancellation that came too late for the one it was meant for.</summary>
    public abstract Conversation CreateAbsorbQuery();

    /// <summary>Nothing is outstanding now: what lies in the buffer would be taken for the answer to what is about to be said.</summary>
    /// <exception cref="ProtocolException">Something does.</exception>
    public void RefuseLeftovers()
    {
        if (Wire.HasLeftovers)
            JudgeUnasked();
        else if (Wire.HoldsPart && !MaySpeakUnasked)
            throw new ProtocolException("nothing before the next command", "a part of what answers nothing");
    }

    /// <summary>Whether the protocol lets a server speak unasked: of what has not come whole cannot be known whether it is that.</summary>
    protected virtual bool MaySpeakUnasked => false;

    /// <summary>Bytes have arrived although every answer has been read. Throws unless the protocol lets a server speak unasked.</summary>
    /// <exception cref="ProtocolException">It does not, or these bytes are something else.</exception>
    protected virtual void JudgeUnasked() =>
        throw new ProtocolException("nothing before the next command", $"{Wire.Buffered} bytes that answer nothing");

    /// <summary>The session is in doubt: it is never used again, and never resynchronised.</summary>
    public void Break(string because)
    {
        if (IsBroken)
            return;
        IsBroken = true;
        BrokenBecause = because;
        Wire.Transport.Shutdown();
    }

    /// <summary>What an operation ends with whose session was closed under it.</summary>
    /// <param name="lastWords">Why the server ended the session, if it said so before it did.</param>
    public Exception CreateLost(ServerError? lastWords = null) => lastWords is not null
        ? new ServerRefusedException(lastWords)
        : new WireException(WireFailure.Lost, $"The connection to {Endpoint} was closed while it was in use: {(BrokenBecause ?? "this client closed it").TrimEnd('.')}.");

    /// <summary>
    /// What a provider knows of why the connection was lost, or the server broke the protocol, in the midst of an operation that nobody interrupted.
    /// </summary>
    protected internal virtual Exception Explain(Exception failure) => failure;

    /// <summary>Breaks it in the midst of an operation, which ends with that.</summary>
    public void GiveUp(string because)
    {
        StopListening();
        Break(because);
        var cancellation = Volatile.Read(ref _cancellation);
        cancellation?.OperationEnded.Set();
        cancellation?.Complete();
        Operation.Drained();
    }

    /// <summary>Asks that operation <paramref name="number"/> be interrupted; returns at once, from any thread.</summary>
    public void Interrupt(long number, Interruption reason)
    {
        if (Operation.TryInterrupt(number, reason))
            Cancellation.Begin();
    }

    void IDeadlined.Expire(long now)
    {
        // What has ended meanwhile, or began since, keeps its own.
        var number = Operation.Number;
        if (Operation.Due <= now)
            Interrupt(number, Interruption.TimedOut);
    }

    /// <summary>The cancellation of the interrupted operation: created by whoever needs it first, so that nobody waits for it to be there.</summary>
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

    /// <summary>Whether an interruption has not been settled yet.</summary>
    internal bool IsBeingCancelled => Volatile.Read(ref _cancellation) is not null;

    /// <summary>The conversation that must run after an interrupted operation, before anything else: see <see cref="Drain"/>.</summary>
    public Conversation CreateDrain() => new Drain(Cancellation, this);

    /// <summary>After <see cref="CreateDrain"/> has run, or the session broke.</summary>
    public void Drained()
    {
        Volatile.Read(ref _cancellation)?.Complete();
        Volatile.Write(ref _cancellation, null);
        Operation.Drained();
    }

    /// <summary>Says farewell and closes the connection; never throws.</summary>
    public virtual void Close()
    {
        Deadlines.Forget(this);
        IsBroken = true;
        Interlocked.Exchange(ref _host, null)?.Leave();
        Wire.Transport.Dispose();
    }

    /// <summary>Fills in what a failure on the wire means for the command under way.</summary>
    public static RetrySafety SafetyOf(Exception exception) => exception is WireException { RetrySafety: RetrySafety.NotSent } ? RetrySafety.NotSent : RetrySafety.Unknown;
}
