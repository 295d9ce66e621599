using System.Collections.ObjectModel;
using System.Data;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.Sessions;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql;

/// <summary>
/// Writes a batch in flights: the messages of all commands, and one Sync at the end. Source: PostgreSQL 18, 54.2.4 "Pipelining".
/// </summary>
internal sealed class PgBatchExecution(PgBatchCommandCollection commands) : ProviderBatchExecution, IBatchPlan
{
    // The size of a flight, in bytes. A longer batch waits for the answers to its first part, so that neither side has to hold the whole batch in memory.
    private const int LongestFlight = 512 * 1024;

    // Outside a transaction that the user began, SAVEPOINT is an error, which rolls back the batch as an error of a command does. Inside one, the two
    // statements have no effect. Only the server knows which case applies, because the commands may have begun or ended a transaction. Its log shows the name.
    private static readonly PgStatement UndoAlone = PgStatement.ScanPositional(
        "SAVEPOINT a_value_of_the_batch_could_not_be_written;RELEASE SAVEPOINT a_value_of_the_batch_could_not_be_written");

    // The session and the exchange during the execution.
    private PgSession? _session;
    private CommandExchange? _exchange;
    private Exception? _refusal;
    private bool _hasSent;
    private int _next;
    // The last command whose output parameters were set.
    private int _lastOutputs;
    private bool _executes;
    private bool _arePlanned;
    private bool _changesSettings;
    // A query precedes the next statement. The caller may already have its result when that statement is bound, and the query may have called a function whose
    // effects no rollback reverts, such as pg_advisory_lock.
    private bool _hasQuery;
    private bool? _canRepeat;

    /// <summary>Gets or sets the batch's own setting; null means the option Batch Errors.</summary>
    public PgBatchErrors? BatchErrors { get; set; }

    /// <summary>Gets the batch, for the application's callbacks.</summary>
    public required PgBatch Batch { get; init; }

    protected override int Count => commands.Count;

    bool IBatchPlan.HasMore => _next < commands.Count;

    Exception? IBatchPlan.Refusal => _refusal;

    bool IBatchPlan.IsWhole => IsWhole;

    bool IBatchPlan.CanBeRepeated => IsWhole && CanRewrite;

    // A statement that is not planned may have ended a transaction, or cannot run in one.
    private bool IsWhole => _arePlanned && !ContinuesAfterErrors;

    public bool ContinuesAfterErrors { get; private set; }

    public bool HasOpenGroup { get; private set; }

    private PgConnection Own => (PgConnection)OpenConnection;

    // A stream that has been read cannot be written again.
    private bool CanRewrite
    {
        get
        {
            for (var i = 0; i < commands.Count; i++)
                if (commands[i].Encoder.HasValueToReadOnce)
                    return false;
            return true;
        }
    }

    // Looks ahead at the commands that have not been written yet.
    private bool WillBePlanned
    {
        get
        {
            for (var i = _next; i < commands.Count; i++)
                if (commands[i].Encoder.Find(Own.PgSource, commands[i].CommandText, commands[i].CommandType) is { IsNotPreparable: true }
                    or { ChangesSettings: true })
                    return false;
            return true;
        }
    }

    /// <summary>Gets the commands.</summary>
    public IReadOnlyList<PgBatchCommand> Commands => new ReadOnlyCollection<PgBatchCommand>(commands);

    public Task<PgDataReader> ExecuteReaderOf(CommandBehavior behavior, CancellationToken cancellationToken) =>
        ExecuteProviderReaderAsync<PgDataReader>(behavior, cancellationToken);

    protected override ProviderBatchCommand CommandAt(int index) => commands[index];

    protected override QuerySummary? Summarize(int index, Session session) =>
        commands[index].Encoder.Find(Own.PgSource, commands[index].CommandText, commands[index].CommandType).Summary;

    private protected override ProviderDataReader CreateReader(Session session, CommandBehavior behavior) =>
        new PgDataReader(this, (PgSession)session, behavior);

    internal override Exception Refused(Exception refusal)
    {
        if (_exchange?.FirstRefused is >= 0 and var command && command < commands.Count && refusal is PgException exception)
        {
            exception.RefusedCommand = commands[command];
            return ContinuesAfterErrors ? WithAllErrors(exception) : exception;
        }

        return refusal;
    }

    // The exception of a batch that continued after errors contains all errors.
    private PgException WithAllErrors(PgException first)
    {
        var all = new List<PgException>();
        for (var i = 0; i < commands.Count; i++)
            if (commands[i].Error is { } error)
                all.Add(error);
        return all.Count > 1 ? new(first, all) : first;
    }

    private protected override void Encode(Session session, Goal goal, CommandBehavior behavior, ScalarTarget? scalar)
    {
        var pg = (PgSession)session;
        _session = pg;
        _exchange = pg.Results;
        _executes = (behavior & CommandBehavior.SchemaOnly) == 0;
        ContinuesAfterErrors = HasBarriers();
        _exchange.Prepare(this);
        _hasSent = false;
        Restart();
        var closes = pg.Prepared.WriteCloses(pg.Wire.Out);
        try
        {
            WriteNext(_exchange);
        }
        catch
        {
            _exchange.Forget();
            throw;
        }

        _hasSent = true;
        pg.Prepared.ClosesWritten(closes);
        _exchange.Begin(goal, scalar, closes, (behavior & CommandBehavior.SequentialAccess) != 0);
        pg.Queue.Begin(_exchange);
    }

    public void WriteNext(CommandExchange exchange)
    {
        var session = _session!;
        var writer = session.Wire.Out;
        var begin = writer.TotalLength;
        UnnamedStatement unnamed = default;
        session.Wire.IsAnsweredEarly = true;
        var longest = Own.PgSource.Settings.Batching ? LongestFlight : 1;
        do
        {
            if (!_hasSent)
                WriteCommand(session, exchange, ref unnamed);
            else if (!TryWriteCommand(session, exchange, ref unnamed))
                break;
            HasOpenGroup = !IsBarrierAfter(_next - 1);
            if (HasOpenGroup)
                continue;
            Sync.Write(writer);                                      // C: Sync
            exchange.EndOfGroup();
            unnamed = default;
        }
        while (_next < commands.Count && writer.TotalLength - begin < longest);
        if (!HasOpenGroup || writer.TotalLength == begin)
            return;
        if (_next < commands.Count)
        {
            Flush.Write(writer);                                     // C: Flush
            return;
        }

        Sync.Write(writer);                                          // C: Sync
        exchange.EndOfGroup();
        HasOpenGroup = false;
    }

    // Some values can be read only once, so the values written before a refused one stay in the buffer.
    private bool TryWriteCommand(PgSession session, CommandExchange exchange, ref UnnamedStatement unnamed)
    {
        var (length, expected) = (session.Wire.Out.Length, exchange.ExpectedCount);
        try
        {
            WriteCommand(session, exchange, ref unnamed);
            return true;
        }
        catch (Exception exception)
        {
            session.Wire.Out.Truncate(length);
            exchange.ForgetFrom(expected);
            _refusal = exception;
            return false;
        }
    }

    public void WriteEnd(CommandExchange exchange)
    {
        var session = _session!;
        UnnamedStatement unnamed = default;
        exchange.BeginCommand(UndoAlone, _next);
        default(StatementEncoder).Write(session, UndoAlone, null, executes: true, ref unnamed);  // C: SAVEPOINT, RELEASE SAVEPOINT
        Sync.Write(session.Wire.Out);                                // C: Sync
        exchange.EndOfGroup();
    }

    public void WriteAgain(CommandExchange exchange)
    {
        Restart();
        WriteNext(exchange);
    }

    IOutputs? IBatchPlan.TakeOutputs(int command)
    {
        if (command <= _lastOutputs || !commands[command].Encoder.HasOutputs)
            return null;
        _lastOutputs = command;
        return commands[command];
    }

    void IBatchPlan.Completed(int command, in StatementOutcome outcome) => commands[command].Add(outcome);

    public void SkipGroup()
    {
        // The group may end with the last written command, whose Sync is written now.
        while (HasOpenGroup && _next < commands.Count)
            HasOpenGroup = !IsBarrierAfter(_next++);
        HasOpenGroup = false;
    }

    private bool HasBarriers()
    {
        var all = BatchErrors ?? Own.PgSource.Settings.BatchErrors;
        for (var i = 0; i < commands.Count && all != PgBatchErrors.Continue; i++)
            if (commands[i].AppendErrorBarrier == true)
                return true;
        return all == PgBatchErrors.Continue;
    }

    private bool IsBarrierAfter(int command) =>
        ContinuesAfterErrors
        && (commands[command].AppendErrorBarrier ?? (BatchErrors ?? Own.PgSource.Settings.BatchErrors) == PgBatchErrors.Continue);

    void IBatchPlan.Refused(int command, ServerError error) =>
        commands[command].Error = new PgException(error, Own.PgSource.Settings.IncludeErrorDetail) { RefusedCommand = commands[command] };

    private void Restart()
    {
        _next = 0;
        _lastOutputs = -1;
        _refusal = null;
        _arePlanned = true;
        _changesSettings = _hasQuery = false;
        _canRepeat = null;
        HasOpenGroup = false;
        for (var i = 0; i < commands.Count; i++)
            commands[i].Reset();
    }

    private void WriteCommand(PgSession session, CommandExchange exchange, ref UnnamedStatement unnamed)
    {
        var command = commands[_next];
        var statement = command.Encoder.Find(Own.PgSource, command.CommandText, command.CommandType);
        foreach (var part in statement.Parts)
            if (FirstWord.IsCopy(part.Sql))
                throw new NotSupportedException($"Command {_next} of the batch is a COPY, which a batch cannot contain: execute it as a separate command.");
        command.Encoder.Map(statement, command.CommandType);
        exchange.BeginCommand(statement, _next);
        var prepared = Prepared(session, statement, command);
        if (prepared is not null)
            exchange.WhenStale = IsPreparedByUser && prepared.Request(session.Leases.Ended) && !session.State.IsBehindPooler ? WhenStale.Reported
                : CanRepeat(exchange) ? WhenStale.Repeated : WhenStale.Avoided;
        command.Encoder.Write(session, statement, prepared, _executes, ref unnamed);
        foreach (var part in statement.Parts)
            _hasQuery |= part.MayReturnRows;
        if (statement.ChangesSettings)
        {
            _changesSettings = true;
            unnamed = default;
        }

        _arePlanned &= !statement.IsNotPreparable && !_changesSettings;
        _next++;
    }

    private bool CanRepeat(CommandExchange exchange) =>
        exchange.CanRepeat && !_hasQuery && (_canRepeat ??= !ContinuesAfterErrors && WillBePlanned && CanRewrite);

    // After a change of settings, no statement that was prepared before it is used, even if the caller requested the preparation.
    // After a statement that is not planned, names in a prepared statement might refer to other objects than in its text now.
    // If each command has its own Sync, a stale statement fails only its own command, which then could not be repeated.
    private PreparedStatement? Prepared(PgSession session, PgStatement statement, PgBatchCommand command)
    {
        var isWanted = IsPreparedByUser || (session.Prepared.Automatic.ShouldPrepare(statement) && _arePlanned && !ContinuesAfterErrors);
        var prepared =
            isWanted && _executes && !_changesSettings && statement.Slot >= 0 ? command.Encoder.PreparedFor(session, statement, IsPreparedByUser) : null;
        // It is not known yet whether an earlier command's Parse succeeds. With a Sync of its own, this command would be executed even if it does not.
        return ContinuesAfterErrors && prepared is { IsBeingParsed: true } ? null : prepared;
    }
}
