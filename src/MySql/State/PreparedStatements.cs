using Slipstream.Core.Conversations;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.State;

/// <summary>What is prepared in a session, and how long it stays valid.</summary>
/// <param name="session">Whose it is.</param>
/// <param name="wire">Its bytes.</param>
/// <param name="leases">Its leases.</param>
/// <param name="automatic">Which statements prepare themselves.</param>
internal sealed class PreparedStatements(ISessionHost session, Wire wire, Leases leases, AutoPrepare automatic)
{
    private readonly PreparedIds<PreparedStatement> _kept = new(automatic.PerSession);
    private int _counted;
    private int _resetAtLease = -1;
    private byte[] _usesInLease = [];
    private int _usesOfLease;
    private Queue<uint>? _toClose;

    /// <summary>Which statements of the data source prepare themselves.</summary>
    public AutoPrepare Automatic => automatic;

    /// <summary>How the server numbers what is prepared.</summary>
    public StatementNumbers Numbers { get; } = new();

    public int Count => _kept.Count;

    /// <summary>True when what would give way next has not been used for long.</summary>
    public bool IsOldestStale() => _kept.IsOldestStale();

    /// <summary>True when what is prepared now will probably outlive the lease: it did so at the end of the last one.</summary>
    public bool Stay => !leases.AreReset || (leases.Ended > 0 && _resetAtLease != leases.Ended);

    /// <summary>
    /// The number by which a statement can be executed in the same send as its PREPARE; null when the answer to that must be awaited. Servers
    /// count, and the next number is foretold. MariaDB since 10.2 has a number for "the one prepared last", which serves only for the first of a
    /// session: a PREPARE that is refused because the server is full (error 1461) leaves the one before it "the last", and it would be executed.
    /// </summary>
    public uint? NextNumber(ServerState state) => !session.MayPipeline ? null
        : state.NumbersLastPrepared && !Numbers.HasLast ? StatementExecute.LastPrepared
        : state.TrackerIsOn ? Numbers.Next(state.StateVersion) : null;

    public PreparedStatement? Find(MySqlStatement statement) => _kept.Find(statement);

    /// <summary>Keeps what has been prepared; what must give way is closed in front of the next command.</summary>
    public void Remember(MySqlStatement statement, PreparedStatement prepared)
    {
        if (_kept.Add(statement, prepared) is { } evicted)
            Close(evicted);
        Recount();
    }

    /// <summary>The server has no room for another statement: the least recently used one is closed in front of the next command.</summary>
    public void GiveUpOldest()
    {
        if (_kept.TakeOldest() is { } oldest)
            Close(oldest);
        Recount();
        automatic.ServerIsFull();
    }

    /// <summary>Forgets and closes what is prepared for one statement.</summary>
    public void Forget(MySqlStatement statement)
    {
        if (_kept.Remove(statement) is { } prepared)
            Close(prepared);
        Recount();
    }

    /// <summary>Forgets and closes what is prepared: it is valid only under the default database, sql_mode and collation it was prepared under.</summary>
    public void ForgetAll()
    {
        if (_kept.Count == 0)
            return;
        foreach (var prepared in _kept.TakeAll())
            Close(prepared);
        Recount();
    }

    /// <summary>The lease is for another database: what was prepared is closed, and has not outlived the last lease.</summary>
    public void ForgetForLease()
    {
        ForgetAll();
        _resetAtLease = leases.Ended;
    }

    /// <summary>The server has forgotten them, or will with the session.</summary>
    public void Clear()
    {
        _resetAtLease = leases.Ended;
        Numbers.ForgetLast();
        _kept.Clear();
        _toClose?.Clear();
        Recount();
    }

    /// <summary>How often the lease under way has executed the statement as text; counted only where it matters, and to 255.</summary>
    public int UsesInLease(MySqlStatement statement) =>
        _usesOfLease == leases.Ended && statement.Slot < _usesInLease.Length ? _usesInLease[statement.Slot] : 0;

    /// <summary>The statement was executed as text.</summary>
    public void CountUse(MySqlStatement statement)
    {
        if (Stay || statement.Slot < 0 || !automatic.IsOn)
            return;
        if (_usesOfLease != leases.Ended)
        {
            _usesOfLease = leases.Ended;
            Array.Clear(_usesInLease);
        }

        if (statement.Slot >= _usesInLease.Length)
            Array.Resize(ref _usesInLease, Math.Max(64, statement.Slot * 2));
        if (_usesInLease[statement.Slot] < byte.MaxValue)
            _usesInLease[statement.Slot]++;
    }

    /// <summary>
    /// Where nothing may be glued each is closed by a send of its own, in front of the next command: the one that gave it up may still be waiting for answers.
    /// </summary>
    public bool TryTakeToClose(out uint id)
    {
        id = 0;
        return _toClose is not null && _toClose.TryDequeue(out id);
    }

    private void Recount()
    {
        if (_kept.Count == _counted)
            return;
        automatic.Changed(_kept.Count - _counted);
        _counted = _kept.Count;
    }

    // Never answered: it goes with what is said next.
    private void Close(PreparedStatement prepared)
    {
        if (session.MayPipeline)
            StatementClose.Write(wire.Out, prepared.Id);
        else
            (_toClose ??= new()).Enqueue(prepared.Id);
    }
}
