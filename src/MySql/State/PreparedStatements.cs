using Slipstream.Core.Conversations;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.State;

/// <summary>The prepared statements of a session and their validity.</summary>
/// <param name="session">The session.</param>
/// <param name="wire">The session's connection.</param>
/// <param name="leases">The session's leases.</param>
/// <param name="automatic">The rules for statements that the driver prepares by itself.</param>
internal sealed class PreparedStatements(ISessionHost session, Wire wire, Leases leases, AutoPrepare automatic)
{
    private readonly PreparedIds<PreparedStatement> _kept = new(automatic.PerSession);
    private int _counted;
    private int _resetAtLease = -1;
    private byte[] _usesInLease = [];
    private int _usesOfLease;
    private Queue<uint>? _toClose;

    /// <summary>Gets the data source's rules for statements that the driver prepares by itself.</summary>
    public AutoPrepare Automatic => automatic;

    /// <summary>Gets the prediction of the server's statement IDs.</summary>
    public StatementNumbers Numbers { get; } = new();

    public int Count => _kept.Count;

    /// <summary>Returns whether the statement that would be evicted next has not been used for a long time.</summary>
    public bool CanEvictOldest() => _kept.CanEvictOldest();

    /// <summary>Gets whether statements prepared now will probably outlive the lease, as they did at the end of the last lease.</summary>
    public bool Stay => !leases.AreReset || (leases.Ended > 0 && _resetAtLease != leases.Ended);

    /// <summary>
    /// Returns the statement ID for an execution in the same send as the PREPARE, or null if the answer to PREPARE must be awaited. Servers count IDs, so the
    /// next ID can be predicted. MariaDB 10.2 and later has an ID for "the statement prepared last", which is usable only for the first statement of a session:
    /// if the server refuses a PREPARE because it has no room (error 1461), the previous statement remains the last one and would be executed.
    /// </summary>
    public uint? NextNumber(ServerState state) => !session.MayPipeline ? null
        : state.NumbersLastPrepared && !Numbers.HasLast ? StatementExecute.LastPrepared
        : state.TrackerIsOn ? Numbers.Next(state.StateVersion) : null;

    public PreparedStatement? Find(MySqlStatement statement) => _kept.Find(statement);

    /// <summary>Keeps a prepared statement. If another one is evicted for it, the driver closes that one before the next command.</summary>
    public void Remember(MySqlStatement statement, PreparedStatement prepared)
    {
        if (_kept.Add(statement, prepared) is { } evicted)
            Close(evicted);
        Recount();
    }

    /// <summary>Closes the least recently used statement before the next command, because the server has no room for another one.</summary>
    public void EvictOldest()
    {
        if (_kept.TakeOldest() is { } oldest)
            Close(oldest);
        Recount();
        automatic.ServerIsFull();
    }

    /// <summary>Discards and closes the prepared form of one statement.</summary>
    public void Forget(MySqlStatement statement)
    {
        if (_kept.Remove(statement) is { } prepared)
            Close(prepared);
        Recount();
    }

    /// <summary>
    /// Discards and closes all prepared statements. They are valid only under the default database, sql_mode and collation of their preparation.
    /// </summary>
    public void ForgetAll()
    {
        if (_kept.Count == 0)
            return;
        foreach (var prepared in _kept.TakeAll())
            Close(prepared);
        Recount();
    }

    /// <summary>
    /// Closes all prepared statements because the lease is for another database. They count as statements that did not outlive the last lease.
    /// </summary>
    public void ForgetForLease()
    {
        ForgetAll();
        _resetAtLease = leases.Ended;
    }

    /// <summary>Discards all prepared statements without closing them: the server has released them, or will release them with the session.</summary>
    public void Clear()
    {
        _resetAtLease = leases.Ended;
        Numbers.ForgetLast();
        _kept.Clear();
        _toClose?.Clear();
        Recount();
    }

    /// <summary>Returns how often the current lease has executed the statement as text. It counts only if the number matters, and up to 255.</summary>
    public int UsesInLease(MySqlStatement statement) =>
        _usesOfLease == leases.Ended && statement.Slot < _usesInLease.Length ? _usesInLease[statement.Slot] : 0;

    /// <summary>Records that the statement was executed as text.</summary>
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
    /// Takes the next statement to close, if commands must not be pipelined. Each is then closed by a send of its own before the next command, because the
    /// command that evicted it may still be waiting for answers.
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

    // COM_STMT_CLOSE has no answer, so it is sent together with the next command.
    private void Close(PreparedStatement prepared)
    {
        if (session.MayPipeline)
            StatementClose.Write(wire.Out, prepared.Id);
        else
            (_toClose ??= new()).Enqueue(prepared.Id);
    }
}
