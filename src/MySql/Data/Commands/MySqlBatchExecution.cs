using System.Data;
using System.Runtime.InteropServices;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.Sessions;
using Slipstream.MySql.State;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>Chooses how a batch is sent and encodes its requests in flights. A flight is the data that the driver sends before it reads an answer.</summary>
internal sealed class MySqlBatchExecution(MySqlBatchCommandCollection commands) : ProviderBatchExecution, IBatchPlan
{
    // In bytes. After a flight of this size, the driver reads the answers before it sends the next flight. The write buffer then has a size that is kept, and
    // the text stays below every common max_allowed_packet.
    private const int LongestFlight = 512 * 1024;

    private readonly List<BatchItem> _items = [];
    private readonly MergedInserts _merged = new(commands);
    private ParameterBinding? _binding;
    private BatchExchange? _exchange;
    private MySqlAttributeCollection? _attributes;
    private int _next;

    // The end of the commands that can be written, as far as known, and the first command of the flight being encoded.
    private int _end;
    private int _first;
    private Exception? _refusal;
    private bool _pipelines;
    private bool _executesPrepared;
    private bool _merges;
    private bool _continues;
    private bool _defines;
    private bool _sendsTogether;
    private bool _mayBeLost;
    private int _asks;

    /// <summary>The batch's setting; null for the connection string's.</summary>
    public MySqlBatchErrors? BatchErrors { get; set; }

    protected override int Count => commands.Count;

    bool IBatchPlan.HasMore => _next < _end && !(_mayBeLost && Own.MySqlSession.LostTransaction is not null);

    Exception? IBatchPlan.Refusal => _refusal;

    public Task<MySqlDataReader> ExecuteReaderOf(CommandBehavior behavior, CancellationToken cancellationToken) =>
        ExecuteProviderReaderAsync<MySqlDataReader>(behavior, cancellationToken);

    protected override ProviderBatchCommand CommandAt(int index) => commands[index];

    protected override QuerySummary? Summarize(int index, Session session) =>
        commands[index].StatementIn(Own.MySqlSource).Scan(RulesOf((MySqlSession)session)).Summary;

    private protected override bool IgnoresTransaction(ProviderConnection connection) =>
        ((MySqlConnection)connection).MySqlSource.Settings.IgnoreCommandTransaction;

    private protected override bool MustNameTransaction(ProviderConnection connection) =>
        connection.HasTransaction && !((MySqlConnection)connection).MySqlSource.Settings.IgnoreCommandTransaction;

    private protected override ProviderDataReader CreateReader(Session session, CommandBehavior behavior) =>
        new MySqlDataReader(this, (MySqlSession)session, behavior);

    internal override void Completed(ResultExchange exchange)
    {
        if (_defines)
            Own.MySqlSource.StoredPrograms.ForgetAll();
        if (Own.QueriesWarnings)
            Own.RaiseInfoMessage();
    }

    internal override Exception Refused(Exception refusal)
    {
        if (_exchange?.FirstRefused is >= 0 and var command && command < commands.Count && refusal is MySqlException exception)
            exception.RefusedCommand = commands[command];
        return refusal;
    }

    private protected override bool DependsOnReset(Session session)
    {
        for (var i = 0; i < commands.Count; i++)
            if (commands[i].IsProcedure || !commands[i].StatementIn(Own.MySqlSource).IsStateless(((MySqlSession)session).State.IsMariaDb))
                return true;
        return false;
    }

    private protected override bool CoversQuestion(Session session)
    {
        for (var i = 0; i < commands.Count; i++)
            if (!commands[i].StatementIn(Own.MySqlSource).ReplacesWarnings(((MySqlSession)session).State.IsMariaDb))
                return false;
        return true;
    }

    private protected override void Encode(Session session, Goal goal, CommandBehavior behavior, ScalarTarget? scalar)
    {
        if ((behavior & CommandBehavior.SchemaOnly) != 0)
            throw new NotSupportedException("CommandBehavior.SchemaOnly is not supported for batches: execute a command with it.");
        var own = (MySqlSession)session;
        var settings = Own.MySqlSource.Settings;
        for (var i = 0; i < commands.Count; i++)
        {
            commands[i].SetRecordsAffected(-1);
            commands[i].Error = null;
        }

        (_next, _end, _refusal) = (0, commands.Count, null);
        _asks = -1;
        _defines = false;
        _continues = (BatchErrors ?? settings.BatchErrors) == MySqlBatchErrors.Continue;
        _merges = settings.MergeInserts && !_continues;
        _sendsTogether = settings.Batching;
        // After a deadlock the transaction is gone. Commands that were sent already would commit on their own.
        _mayBeLost = Own.HasTransaction || own.Enlistment is not null;
        // A read after a refused command begins the snapshot of a transaction, and prevents changes of its table until the transaction ends.
        var areReads = AreReads(own);
        _pipelines = own.MayPipeline && !_mayBeLost && (own.NeedsReset || !own.IsInTransaction) && own.IsAutocommit && (_continues || areReads);
        // If an execution fails because its statement no longer exists, the driver repeats the commands after it, and only reads can be repeated.
        _executesPrepared = areReads || !_pipelines;
        _exchange = own.Batch;
        _attributes = TraceContext.Add(own, null);
        own.Batch.Begin(this, goal, scalar, (behavior & CommandBehavior.SequentialAccess) != 0, _continues);
        own.Queue.Begin(own.Batch);
    }

    void IBatchPlan.EncodeNext(SessionContext context, BatchExchange exchange)
    {
        var session = (MySqlSession)context.Host;
        _first = _next;
        if (_pipelines)
            EncodePipeline(session, exchange);
        else
            EncodeTogether(session, exchange);
    }

    // The driver can write the values again at any time: values that can be read only once are not allowed in a batch.
    void IBatchPlan.StopAtRefusal(Exception refusal)
    {
        _refusal = refusal;
        // No commands remain before the failure if the same flight failed at its first command, or failed again at another place.
        _end = Math.Max(_first, Math.Min(_end - 1, _pipelines ? _next : _merged.Writes));
        _next = _first;
    }

    bool IBatchPlan.EncodeAgain(SessionContext context, BatchExchange exchange, int command)
    {
        var session = (MySqlSession)context.Host;
        if (!_pipelines)
            return false;
        var statement = commands[command].StatementIn(Own.MySqlSource);
        _next = command;
        EncodeOne(session, exchange, commands[command], statement, commands[command].Scan(statement, RulesOf(session)));
        return true;
    }

    void IBatchPlan.ResendAsText(int command)
    {
        _next = command;
        commands[command].StatementIn(Own.MySqlSource).RefusesBulk = true;
    }

    bool IBatchPlan.IsPreparedByUser => IsPreparedByUser;

    void IBatchPlan.ResendFrom(int command) => _next = command;

    bool IBatchPlan.TryResendCall(int command, ServerError error)
    {
        if (!commands[command].IsProcedure)
            return false;
        var call = commands[command].CallOn(Own);
        if (!call.IsDeclarationOutdated(error))
        {
            call.Complete(error);
            return false;
        }

        _next = _asks = command;
        return true;
    }

    string IBatchPlan.TextOf(int command) => commands[command].CommandText;

    void IBatchPlan.Changed(int command, long rows) => commands[command].SetRecordsAffected(rows);

    void IBatchPlan.Refused(int command, ServerError error)
    {
        var refusal = MySqlException.Refused(error);
        refusal.RefusedCommand = commands[command];
        commands[command].Error = refusal;
    }

    private MySqlConnection Own => (MySqlConnection)OpenConnection;

    private QuotingRules RulesOf(MySqlSession session) =>
        session.State.Quoting | (Own.MySqlSource.Settings.AllowUserVariables ? QuotingRules.AllowUserVariables : QuotingRules.None);

    private bool AreReads(MySqlSession session)
    {
        var rules = RulesOf(session);
        for (var i = 0; i < commands.Count; i++)
        {
            if (commands[i].IsProcedure)
                return false;
            var statement = commands[i].StatementIn(Own.MySqlSource);
            if (!statement.FormFor(rules).OnlyReads || !statement.IsStateless(session.State.IsMariaDb))
                return false;
        }

        return true;
    }

    // ---------------------------------------------------------------- each command by itself, all in one send

    private void EncodePipeline(MySqlSession session, BatchExchange exchange)
    {
        var rules = RulesOf(session);
        var writer = session.Wire.Out;
        var (begin, first) = (writer.TotalLength, _next);
        while (_next < _end && writer.TotalLength - begin < LongestFlight)
        {
            var command = commands[_next];
            if (command.IsProcedure)
            {
                if (_next == first)
                    EncodeCall(exchange, command);
                break;
            }

            var statement = command.StatementIn(Own.MySqlSource);
            var scanned = command.Scan(statement, rules);
            _defines |= scanned.Kind == StatementKind.Definition;
            // A statement that changes the rules for reading the next text, or after which the server requests data, is sent alone.
            var isAlone = !statement.FormFor(rules).CanJoin;
            if (isAlone && _next > first)
                break;
            EncodeOne(session, exchange, command, statement, scanned);
            if (isAlone || !_sendsTogether)
                break;
        }

        session.Wire.IsAnsweredEarly |= _next - first > 1;
        if (_next - first > 1)
            PrepareForNextTime(session, exchange, commands[first], commands[first].StatementIn(Own.MySqlSource), rules);
    }

    // Prepares a recurring text after its batch, in the same send: this batch is not delayed, and the next one executes the prepared statement.
    private static void PrepareForNextTime(
        MySqlSession session, BatchExchange exchange, MySqlBatchCommand command, MySqlStatement statement, QuotingRules rules)
    {
        if (!session.AutoPrepare.IsOn || statement.StaysText || statement.IsNotPreparable || statement.Slot < 0
            || session.Prepared.Find(statement) is not null || !session.AutoPrepare.ShouldPrepare(session.Prepared, statement))
            return;
        var scanned = command.Scan(statement, rules);
        if (!scanned.MayPrepareItself || !ReferenceEquals(scanned, statement.Scan(rules)))
            return;
        var asksTypes = session.State.SettlesTypes && scanned.Parameters.Length > 0 && statement.Settled is null;
        exchange.ExpectPreparation(statement, new Preparation(session.Context, scanned, session.State.Codecs, asksTypes));
    }

    private void EncodeCall(BatchExchange exchange, MySqlBatchCommand command)
    {
        var asks = _asks == _next;
        _asks = -1;
        exchange.ExpectCall(_next++, command.CallOn(Own), asks);
    }

    private void EncodeOne(MySqlSession session, BatchExchange exchange, MySqlBatchCommand command, MySqlStatement statement, ScannedSql scanned)
    {
        var writer = session.Wire.Out;
        var at = writer.TotalLength;
        var prepared = PreparedFor(session, command, statement, scanned);
        var isBare = scanned.Parameters.Length == 0 && _attributes is null;
        if (prepared is not null && isBare)
            StatementExecute.Write(writer, prepared.Id);
        else if (prepared is not null)
            command.BindingFor(scanned, ref _binding).WriteBinary(writer, prepared, command.Parameters, session.State.Codecs, keepsTypes: false, _attributes);
        else if (isBare)
            Query.Write(writer, scanned.Prepared);
        else
            command.BindingFor(scanned, ref _binding).WriteText(writer, scanned, command.Parameters, session.State.Literals, session.State.Codecs, _attributes);
        exchange.Expect(at, statement, prepared, new BatchItem(_next++, 1, BatchItemEnd.Answer));
    }

    private PreparedStatement? PreparedFor(MySqlSession session, MySqlBatchCommand command, MySqlStatement statement, ScannedSql scanned) =>
        _executesPrepared && session.Prepared.Find(statement) is { } prepared
        && (IsPreparedByUser
            || (session.AutoPrepare.IsOn && statement.CanShareStatement && !command.Parameters.DiffersWhenPrepared(session.State.SettlesTypes)))
        && prepared.IsFor(scanned) && prepared.Parameters == scanned.Parameters.Length && scanned.MayPrepareItself
        && (scanned.Parameters.Length == 0 || (!session.State.MayReadForeign
            && command.BindingFor(scanned, ref _binding).AreCounts(scanned.Counts, command.Parameters)
            && command.BindingFor(scanned, ref _binding).KeepsMeaning(statement, prepared, command.Parameters, session.State.Codecs)))
            ? prepared
            : null;

    // ---------------------------------------------------------------- one text of several statements

    private void EncodeTogether(MySqlSession session, BatchExchange exchange)
    {
        var rules = RulesOf(session);
        var canJoin = !_continues && _sendsTogether && (session.State.Capabilities & Capabilities.MultiStatements) != 0;
        _merged.Begin(session, Own.MySqlSource, rules, _next, _end);
        if (_merges && canJoin && _merged.TryEncode(exchange, ref _next, LongestFlight))
            return;
        var writer = session.Wire.Out;
        var at = writer.TotalLength;
        var packet = _attributes is null ? Query.Begin(writer) : _attributes.BeginQuery(writer, session.State.Codecs);
        MySqlStatement? first = null;
        var keepsPrepared = true;
        _items.Clear();
        while (_next < _end && writer.TotalLength - at < LongestFlight)
        {
            _merged.Writes = _next;
            var command = commands[_next];
            var call = command.IsProcedure && canJoin && _next != _asks ? command.CallOn(Own).TextToJoin(session) : null;
            if (command.IsProcedure && call is null)
            {
                if (first is not null)
                    break;
                writer.Truncate(packet);
                EncodeCall(exchange, command);
                return;
            }

            var statement = call is null ? command.StatementIn(Own.MySqlSource) : command.StatementOf(call, Own.MySqlSource);
            var scanned = command.Scan(statement, rules);
            if (scanned.Kind == StatementKind.Definition)
            {
                _defines = true;
                Own.MySqlSource.StoredPrograms.ForgetAll();
            }

            var form = statement.FormFor(rules);
            if (!canJoin || !form.CanJoin)
            {
                if (first is not null)
                    break;
                writer.Truncate(packet);
                EncodeOne(session, exchange, command, statement, scanned);
                return;
            }

            // A line break before the semicolon: the text may end with a comment.
            if (first is not null)
                writer.Bytes("\n;"u8);
            first ??= statement;
            var rows = _merges && form.RowAt > 0 ? _merged.AppendRows(_next, form.RowAt) : 1;
            if (rows == 1)
                _merged.Append(command, scanned, 0);
            _items.Add(new(_next, rows, scanned.Kind == StatementKind.Call ? BatchItemEnd.Ok : BatchItemEnd.Result));
            _next += rows;
            statement.CountUse();
            keepsPrepared &= scanned.KeepsPrepared;
            if (!statement.IsStateless(session.State.IsMariaDb))
            {
                session.State.MarkDirty(statement);
                keepsPrepared &= session.State.TrackerIsOn;
            }

            if (statement.MayReturnKey)
                session.State.MadeKey();
        }

        writer.End(packet);
        exchange.Expect(at, first!, null, CollectionsMarshal.AsSpan(_items));
        if (!keepsPrepared)
            session.Prepared.ForgetAll();
        else if (_merges)
            _merged.PrepareForNextTime(exchange);
    }
}
