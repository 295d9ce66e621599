using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.Protocol.Connect;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql.Sessions;

/// <summary>One session of a PostgreSQL server: its settings as the server reports them, where its transaction stands, what it has prepared.</summary>
internal sealed class PgSession : Session
{
    /// <summary>Settings that a server reports: it has a dozen, and one that makes up new ones without end fills no memory.</summary>
    private const int MostSettings = 1000;

    private readonly PgSessionOpener _opener;
    private readonly BackendKeyData? _key;
    private readonly Dictionary<string, string> _parameters;
    private readonly List<byte[]> _toClose = [];
    private Reset? _reset;
    private TransactionStatus _transactionStatus = TransactionStatus.Idle;
    // A setting was changed, and what becomes of that is known when the transaction ends.
    private bool _changesMayEnd;
    private bool _pathHasMoved;
    private bool _pathMayGoBack;
    // Something was made, renamed or dropped, and may be undone.
    private bool _namesMayGoBack;
    private bool _isDiscarding;
    private int _statementNumber;

    public PgSession(Wire wire, Endpoint endpoint, PgSessionOpener opener, Connect connect)
        : base(wire, endpoint)
    {
        _opener = opener;
        _key = connect.Key;
        _parameters = connect.Parameters;
        Prepared = new(opener.MaxPrepared);
        Results = new CommandExchange(this);
    }

    /// <summary>The hot exchange under its own type.</summary>
    public CommandExchange Results { get; }

    public override ResultExchange Exchange => Results;

    public override long ServerId => _key?.ProcessId ?? 0;

    /// <summary>Without what a packager adds: "15.18 (Debian 15.18-0+deb12u1)" is 15.18.</summary>
    public override string ServerVersion => ServerText.OneLine(_parameters.GetValueOrDefault("server_version", "").Split(' ')[0]);

    public override bool IsInTransaction => TransactionStatus != TransactionStatus.Idle;

    /// <summary>As of the last ReadyForQuery.</summary>
    public TransactionStatus TransactionStatus
    {
        get => _transactionStatus;
        set
        {
            _transactionStatus = value;
            Beginning = null;
            if (value == TransactionStatus.Idle)
            {
                TransactionEnded();
                _namesMayGoBack = false;
            }

            if (_pathMayGoBack && value == TransactionStatus.Idle)
                MovePath(mayGoBack: false);
            if (_changesMayEnd && value == TransactionStatus.Idle)
                EndChanges();
        }
    }

    /// <summary>The settings that the server reports, by name.</summary>
    public IReadOnlyDictionary<string, string> Parameters => _parameters;

    /// <summary>The statements that exist on the server.</summary>
    public PreparedIds<PreparedStatement> Prepared { get; }

    /// <summary>Which texts are prepared unasked.</summary>
    public AutoPreparation AutoPreparation => _opener.AutoPreparation;

    /// <summary>
    /// How the names of its statements begin. No other session's do: a proxy may hand the next transaction to a session of the server where somebody else has
    /// prepared something, and what is executed must never be that.
    /// </summary>
    public string StatementPrefix { get; init; } = "s";

    /// <summary>Bytes of a value beyond which the session ends instead of filling the memory.</summary>
    public long MaxValueBytes => _opener.MaxValueBytes;

    /// <summary>The most that is held of one row, in bytes.</summary>
    public long MaxRowBytes => _opener.MaxRowBytes;

    public override SimpleExchange CreateSimple(string sql) => new Simple(this, sql);

    public override SimpleExchange CreatePing() => new Ping(this);

    public override SimpleExchange CreateChangeDatabase(string database) =>
        throw new NotSupportedException("A PostgreSQL session belongs to one database for its life; the connection opens another session.");

    public override Conversation CreateSwallow() => new Swallow(this);

    public override void CancelOnServer(int milliseconds)
    {
        if (_key is not null)
            _opener.Cancel(Endpoint, _key, milliseconds, Wire.Transport.PeerAddress, Wire.Transport.Trust.IsEncrypted());
    }

    public override void Close()
    {
        if (!IsBroken && !Operation.IsRunning)
            SayGoodbye();
        base.Close();
    }

    /// <summary>A name for a statement about to be prepared.</summary>
    public byte[] NewStatementName() => Encoding.ASCII.GetBytes($"{StatementPrefix}{++_statementNumber}");

    /// <summary>The server shall forget these statements: said in front of the next command.</summary>
    public void CloseLater(PreparedStatement statement)
    {
        for (PreparedStatement? each = statement; each is not null; each = each.Other)
            foreach (var part in each.Parts)
                if (part.IsParsed || part.IsBeingParsed)
                    _toClose.Add(part.Name);
    }

    /// <summary>
    /// The names in a prepared statement stand for what they meant when it was prepared,
    /// and the server notices only changes of just those objects and of search_path:
    /// after anything that may put another object in their place all are prepared anew. Source: PostgreSQL 18, PREPARE, "Notes".
    /// </summary>
    public void NamesMayMeanOthers()
    {
        if (Prepared.Count == 0)
            return;
        foreach (var prepared in Prepared.TakeAll())
            CloseLater(prepared);
    }

    /// <summary>
    /// Only DISCARD ALL brings the session back to what it was: its settings are not the ones that it was opened with, so that what was prepared belongs to
    /// others; or the user has given names to statements of his own.
    /// </summary>
    public bool MustDiscardAll
    {
        get => field || ResetsWhole;
        private set;
    }

    /// <summary>
    /// A statement has run, or failed, that may have changed settings: what was prepared before may mean something else now, what follows may not mean it for
    /// ever.
    /// </summary>
    public void SettingsMayHaveChanged(SettingsEffect effect)
    {
        MustDiscardAll |= effect == SettingsEffect.Session;
        _changesMayEnd = true;
        NamesMayMeanOthers();
    }

    /// <summary>A number for search_path: another one after each time that it may have changed.</summary>
    public int Path { get; private set; }

    /// <summary>A statement has run that may have changed search_path; when its transaction ends it may go back.</summary>
    public void PathMayHaveMoved()
    {
        _pathHasMoved = true;
        MovePath(mayGoBack: true);
    }

    /// <summary>A reset brings it back to what it was at the opening.</summary>
    public void PathGoesBack()
    {
        if (_pathHasMoved)
            MovePath(mayGoBack: false);
        _pathHasMoved = false;
    }

    private void MovePath(bool mayGoBack)
    {
        Path++;
        _pathMayGoBack = mayGoBack;
    }

    /// <summary>A number for the transaction: another one when locks that it took may have been given back.</summary>
    public int TransactionNumber { get; private set; } = 1;

    /// <summary>BEGIN stands in front of the next command, or of the one under way: nothing has run in that transaction.</summary>
    public bool BeginsTransaction => Beginning is not null;

    /// <summary>That BEGIN; null when there is none.</summary>
    public string? Beginning { get; private set; }

    protected override void OwedGlued(SimpleExchange owed) => Beginning = owed.What;

    /// <summary>A transaction has ended; another may have begun with it (COMMIT AND CHAIN, or a BEGIN behind it in one send).</summary>
    public void TransactionEnded() => TransactionNumber++;

    /// <summary>A transaction was committed by a statement, behind which another may have begun: what was set for the first has ended with it.</summary>
    public void Committed()
    {
        TransactionEnded();
        _namesMayGoBack = false;
        if (_pathMayGoBack)
            MovePath(mayGoBack: false);
        if (_changesMayEnd)
            EndChanges();
    }

    /// <summary>A transaction was undone, whole or to a savepoint: changes of settings and of names with it, and locks.</summary>
    public void RolledBack()
    {
        TransactionEnded();
        if (_pathMayGoBack)
            MovePath(mayGoBack: true);
        if (_changesMayEnd || _namesMayGoBack)
            NamesMayMeanOthers();
    }

    /// <summary>An error has undone what stands in front of it, unless a transaction is open, which will be rolled back.</summary>
    public void Refused()
    {
        if (_namesMayGoBack)
            NamesMayMeanOthers();
    }

    /// <summary>A name may stand for another object now, and until that is undone.</summary>
    public void NamesHaveMoved()
    {
        _namesMayGoBack = true;
        NamesMayMeanOthers();
    }

    /// <summary>
    /// Something was dropped. The server plans anew what has used it; but what finds another object by that name now does not notice when the first comes back.
    /// </summary>
    public void NamesMayGoBack() => _namesMayGoBack = true;

    /// <summary>The user has prepared a statement under a name of his own, which nobody knows who could drop it.</summary>
    public void NamesStatements() => MustDiscardAll = true;

    /// <summary>DISCARD ALL stands in front of what is encoded next: nothing is prepared from there on.</summary>
    public void BeginDiscardingAll()
    {
        Prepared.Clear();
        _toClose.Clear();
        MustDiscardAll = _changesMayEnd = false;
        _isDiscarding = true;
    }

    /// <summary>It has been answered.</summary>
    public void EndDiscardingAll() => _isDiscarding = false;

    private void EndChanges()
    {
        _changesMayEnd = false;
        NamesMayMeanOthers();
    }

    // What the server reports may have been changed inside a function, or by its administrator.
    private void TakeSetting(ParameterStatus status)
    {
        var isKnown = _parameters.TryGetValue(status.Name, out var before);
        if (!isKnown && _parameters.Count >= MostSettings)
            return;
        _parameters[status.Name] = status.Value;
        if (_isDiscarding || before == status.Value || SettingsChange.IsHarmless(status.Name))
            return;
        MustDiscardAll = true;
        NamesMayMeanOthers();
    }

    /// <summary>Appends what <see cref="CloseLater"/> put off; its answers belong to the command behind it.</summary>
    /// <returns>How many answers there will be.</returns>
    public int WriteCloses()
    {
        foreach (var name in _toClose)
            Protocol.Commands.Close.Statement(Wire.Out, name);
        return _toClose.Count;
    }

    /// <summary>The command that carried <paramref name="count"/> of them has been encoded whole.</summary>
    public void ClosesWritten(int count)
    {
        if (count > 0)
            _toClose.RemoveRange(0, count);
    }

    /// <summary>What a server may send at any time. Source: PostgreSQL 18, 54.2.7 "Asynchronous Operations".</summary>
    /// <exception cref="ProtocolException">It is none of that.</exception>
    public void TakeAsynchronous(BackendMessage type, ReadOnlySpan<byte> body, string expected)
    {
        var reader = new ByteReader(body);
        switch (type)
        {
            case BackendMessage.ParameterStatus:
                var status = ParameterStatus.Read(ref reader);
                if (!reader.Failed)
                    TakeSetting(status);
                break;
            case BackendMessage.NoticeResponse:
                var notice = NoticeResponse.Read(ref reader);
                if (!reader.Failed)
                    (Holder as INoticed)?.Hear(notice);
                break;
            case BackendMessage.NotificationResponse:
                break;
            default:
                throw Messages.Unexpected(expected, type, body.Length);
        }

        if (reader.Failed)
            throw Messages.Broken(type, body.Length);
    }

    protected override bool MaySpeakUnasked => true;

    // They are left where they are: the next answer is read past them. What came with them is looked at, too.
    protected override void JudgeUnasked()
    {
        var judged = 0;
        do
        {
            judged += JudgeUnasked(Wire.In.AsSpan(Wire.Start + judged, Wire.Buffered - judged), out var hasEnded);
            // Nobody will read what stands behind them.
            if (hasEnded)
                return;
            if (judged > Wire.KeptCapacity)
            {
                TakeUnasked(Wire.Start + judged);
                judged = 0;
            }
        }
        while (Wire.TakesMore());

        // The command would be sent before it can be seen whether this answers one.
        if (judged < Wire.Buffered && (BackendMessage)Wire.In[Wire.Start + judged] == BackendMessage.ErrorResponse)
            throw new ProtocolException("nothing before the next command", $"{Wire.Buffered - judged} bytes of an ErrorResponse that has not come whole");
    }

    // How many bytes are whole messages, and whether the last of them are the server's last words.
    private static int JudgeUnasked(ReadOnlySpan<byte> bytes, out bool hasEnded)
    {
        hasEnded = false;
        var judged = 0;
        while (judged < bytes.Length)
        {
            var rest = bytes[judged..];
            var type = (BackendMessage)rest[0];
            var length = rest.Length < Frame.HeaderLength ? 0 : Frame.BodyLength(rest);
            var isWhole = rest.Length >= Frame.HeaderLength && (uint)length <= (uint)(rest.Length - Frame.HeaderLength);
            // An error that leaves the server running answers a command.
            hasEnded = type == BackendMessage.ErrorResponse && isWhole && Messages.ReadError(rest.Slice(Frame.HeaderLength, length)).EndsSession;
            var isAllowed = hasEnded || type is BackendMessage.NoticeResponse or BackendMessage.ParameterStatus or BackendMessage.NotificationResponse
                || (type == BackendMessage.ErrorResponse && !isWhole);
            if (!isAllowed || (uint)length > (uint)Frame.MaxLengthOf(type))
                throw Messages.Unexpected("nothing before the next command", type, length);
            if (!isWhole)
                break;
            judged += Frame.HeaderLength + length;
            if (hasEnded)
                break;
        }

        return judged;
    }

    // A listener that has not looked for long may find more than should be held.
    private void TakeUnasked(int end)
    {
        while (Wire.Start < end && (BackendMessage)Wire.In[Wire.Start] is var type and not BackendMessage.ErrorResponse)
        {
            var body = Wire.Start + Frame.HeaderLength;
            Wire.Start = body + Frame.BodyLength(Wire.In.AsSpan(Wire.Start));
            TakeAsynchronous(type, Wire.In.AsSpan(body, Wire.Start - body), "nothing before the next command");
        }
    }

    /// <summary>A reset drops what is prepared, too.</summary>
    public bool ResetsWhole { get; init; }

    // One that waits still, because the command behind it could not be written, is as good as a new one.
    // Among other prefixes it is not: then there must be two, and each counts its own answers.
    protected override void GlueReset()
    {
        if (_reset is not null && Queue.HoldsOnly(_reset))
            return;
        if (_reset is null || Queue.HasPrefixes)
            _reset = new Reset(this);
        _reset.Choose();
        Queue.Glue(_reset, Wire);
    }

    // A byte-sized courtesy: without it the server logs an unexpected end of the connection.
    private void SayGoodbye()
    {
        try
        {
            Wire.Out.Clear();
            Terminate.Write(Wire.Out);
            Wire.Transport.Send(Wire.Out.Written);
        }
        catch (WireException)
        {
            // It has gone already.
        }
    }
}
