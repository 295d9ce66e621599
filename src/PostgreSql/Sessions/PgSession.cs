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

/// <summary>One session of a PostgreSQL server: who answers, and the exchanges with it. What is known of its state is in objects of their own.</summary>
internal sealed class PgSession : Session, ISessionHost
{
    private readonly PgSessionOpener _opener;
    private readonly BackendKeyData? _key;
    private Reset? _reset;

    public PgSession(Wire wire, Endpoint endpoint, PgSessionOpener opener, Connect connect)
        : base(wire, endpoint)
    {
        _opener = opener;
        _key = connect.Key;
        Prepared = new(opener.AutoPreparation, opener.MaxPrepared);
        State = new(Prepared, connect.Parameters);
        Results = new CommandExchange(this, State, Prepared, opener.MaxValueBytes, opener.MaxRowBytes);
    }

    /// <summary>What the server has said of itself, and what follows from what has run.</summary>
    public ServerState State { get; }

    /// <summary>The statements that exist on the server.</summary>
    public PreparedStatements Prepared { get; }

    /// <summary>See <see cref="PreparedStatements.NamePrefix"/>.</summary>
    public string StatementPrefix
    {
        init => Prepared.NamePrefix = value;
    }

    /// <summary>See <see cref="ServerState.ResetsWhole"/>.</summary>
    public bool ResetsWhole
    {
        init => State.ResetsWhole = value;
    }

    /// <summary>The hot exchange under its own type.</summary>
    public CommandExchange Results { get; }

    public override ResultExchange Exchange => Results;

    public override long ServerId => _key?.ProcessId ?? 0;

    /// <summary>Without what a packager adds: "15.18 (Debian 15.18-0+deb12u1)" is 15.18.</summary>
    public override string ServerVersion => ServerText.OneLine(State.Settings.GetValueOrDefault("server_version", "").Split(' ')[0]);

    public override bool IsInTransaction => State.IsInTransaction;

    public override SimpleExchange CreateSimple(string sql) => new Simple(this, State, sql, MayPipeline);

    public override SimpleExchange CreatePing() => new Ping(this, State);

    public override SimpleExchange CreateChangeDatabase(string database) =>
        throw new NotSupportedException("A PostgreSQL session belongs to one database for its life; the connection opens another session.");

    public override Conversation CreateAbsorbQuery() => new Swallow(this, State);

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

    void ISessionHost.Hear(ErrorFields notice) => (Holder as INoticeSink)?.Hear(notice);

    protected override void PendingBeginPrepended(SimpleExchange owed) => State.Beginning = owed.What;

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
            Messages.TakeAsynchronous(this, State, type, Wire.In.AsSpan(body, Wire.Start - body), "nothing before the next command");
        }
    }

    // One that waits still, because the command behind it could not be written, is as good as a new one.
    // Among other prefixes it is not: then there must be two, and each counts its own answers.
    protected override void PrependReset()
    {
        if (_reset is not null && Queue.HoldsOnly(_reset))
            return;
        if (_reset is null || Queue.HasPrefixes)
            _reset = new Reset(this, State, Prepared);
        _reset.Choose();
        Queue.Prepend(_reset, Wire);
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
