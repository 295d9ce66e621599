using Slipstream.Core.Statements;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Sessions;

/// <content>What is prepared in the session, and how long it stays valid.</content>
internal sealed partial class MySqlSession
{
    private int _counted;
    private int _resetAtLease = -1;
    private byte[] _usesInLease = [];
    private int _usesOfLease;
    private Queue<uint>? _toClose;

    /// <summary>Which statements prepare themselves.</summary>
    public AutoPrepare AutoPrepare { get; }

    /// <summary>What is prepared in this session.</summary>
    public PreparedIds<PreparedStatement> Prepared { get; }

    /// <summary>How the server numbers what is prepared.</summary>
    public StatementNumbers Numbers { get; } = new();

    /// <summary>
    /// The number by which a statement can be executed in the same send as its PREPARE; null when the answer to that must be awaited. Servers
    /// count, and the next number is foretold. MariaDB since 10.2 has a number for "the one prepared last", which serves only for the first of a
    /// session: a PREPARE that is refused because the server is full (error 1461) leaves the one before it "the last", and it would be executed.
    /// </summary>
    public uint? NextStatementNumber => !MayPipeline ? null
        : IsMariaDb && !Numbers.HasLast && (_greeting.Capabilities & Capabilities.BulkOperations) != 0 ? StatementExecute.LastPrepared
        : TrackerIsOn ? Numbers.Next(Unproven) : null;

    /// <summary>
    /// True when the server settles the types of parameters at PREPARE, and says which: MySQL since 8.0.22. Others take them from each execution.
    /// All of 8.0 counts, because a proxy may call itself 8.0.11 whatever is behind it.
    /// </summary>
    public bool SettlesTypes => !IsMariaDb && !(Version.TryParse(_greeting.ServerVersion.Split('-', '+', ' ')[0], out var version) && version.Major < 8);

    /// <summary>True when what is prepared now will probably outlive the lease: it did so at the end of the last one.</summary>
    public bool KeepsPrepared => !ResetsBetweenLeases || (Leases > 0 && _resetAtLease != Leases);

    /// <summary>Keeps what has been prepared; what must give way is closed in front of the next command.</summary>
    public void Remember(MySqlStatement statement, PreparedStatement prepared)
    {
        if (Prepared.Add(statement, prepared) is { } evicted)
            CloseStatement(evicted);
        Recount();
    }

    /// <summary>The server has no room for another statement: the least recently used one is closed in front of the next command.</summary>
    public void GiveUpOldest()
    {
        if (Prepared.TakeOldest() is { } oldest)
            CloseStatement(oldest);
        Recount();
        AutoPrepare.ServerIsFull();
    }

    /// <summary>Forgets and closes what is prepared for one statement.</summary>
    public void Forget(MySqlStatement statement)
    {
        if (Prepared.Remove(statement) is { } prepared)
            CloseStatement(prepared);
        Recount();
    }

    /// <summary>Forgets and closes what is prepared: it is valid only under the default database, sql_mode and collation it was prepared under.</summary>
    public void ForgetPrepared()
    {
        if (Prepared.Count == 0)
            return;
        foreach (var prepared in Prepared.TakeAll())
            CloseStatement(prepared);
        Recount();
    }

    /// <summary>How often the lease under way has executed the statement as text; counted only where it matters, and to 255.</summary>
    public int UsesInLease(MySqlStatement statement) =>
        _usesOfLease == Leases && statement.Slot < _usesInLease.Length ? _usesInLease[statement.Slot] : 0;

    /// <summary>The statement was executed as text.</summary>
    public void CountUse(MySqlStatement statement)
    {
        if (KeepsPrepared || statement.Slot < 0 || !AutoPrepare.IsOn)
            return;
        if (_usesOfLease != Leases)
        {
            _usesOfLease = Leases;
            Array.Clear(_usesInLease);
        }

        if (statement.Slot >= _usesInLease.Length)
            Array.Resize(ref _usesInLease, Math.Max(64, statement.Slot * 2));
        if (_usesInLease[statement.Slot] < byte.MaxValue)
            _usesInLease[statement.Slot]++;
    }

    // The server has forgotten them, or will with the session.
    private void ClearPrepared()
    {
        _resetAtLease = Leases;
        Numbers.ForgetLast();
        Prepared.Clear();
        _toClose?.Clear();
        Recount();
    }

    private void Recount()
    {
        if (Prepared.Count == _counted)
            return;
        AutoPrepare.Changed(Prepared.Count - _counted);
        _counted = Prepared.Count;
    }

    // Never answered: it goes with what is said next.
    private void CloseStatement(PreparedStatement prepared)
    {
        if (MayPipeline)
            StatementClose.Write(Wire.Out, prepared.Id);
        else
            (_toClose ??= new()).Enqueue(prepared.Id);
    }

    // Where nothing may be glued each has a send of its own, in front of the next command: this one may still be waiting for answers.
    private void CloseApart()
    {
        while (_toClose is { } waiting && waiting.TryDequeue(out var id))
            Queue.Glue(new StatementClosing(id), Wire);
    }
}
