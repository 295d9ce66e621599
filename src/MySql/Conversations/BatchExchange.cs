using System.Runtime.InteropServices;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.State;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// Several commands as one exchange: what is encoded more is expected more, in that order. Commands travel in flights, each of one send and as
/// many answers as it has; the next flight leaves when the last answer of the one before has come. A server goes on behind an error:
/// without <see cref="ContinuesAfterErrors"/> the answers behind one are swallowed and no further flight leaves.
/// </summary>
internal sealed partial class BatchExchange(SessionContext session, CommandExchange one, ProcedureExchange procedure) : ResultExchange, IResultListener
{
    // ER_MAX_PREPARED_STMT_COUNT_REACHED
    private const int TooManyStatements = 1461;

    // ER_UNSUPPORTED_PS
    private const int NotExecutableSo = 1295;
    private const string NotExecutableSoMessage = "This command is not supported in the prepared statement protocol yet";

    // Fewer answers are not worth the system calls; more bytes could be more than the peer may send unread.
    private const int FewAnswers = 8;
    private const int MostGathered = 16 * 1024;

    private readonly List<Answer> _answers = [];
    private readonly List<BatchItem> _items = [];
    private IBatchPlan _plan = null!;
    private ResultExchange _current = one;
    private bool _hasFailed;
    private int _againAt = -1;
    private Goal _goal;
    private bool _streams;
    private bool _skips;
    private bool _inAnswer;
    private bool _isShown;
    private bool _isBetween;
    private bool _scalarIsDone;
    private int _answer;
    private int _item;
    private long _receivedBefore;
    private ServerError? _first;
    private MySqlStatement? _prepares;
    private Preparation? _preparation;
    private int _again = -1;

    public override Row Row => one.Row;

    /// <summary>True when the commands behind a refused one are executed and reported like any other.</summary>
    public bool ContinuesAfterErrors { get; private set; }

    /// <summary>The first command that the server refused; −1 while there is none.</summary>
    public int FirstRefused { get; private set; } = -1;

    /// <summary>
    /// Set with the only request of a flight: when the server cannot take it in this form, which it says before it does anything, it is sent as text.
    /// </summary>
    public bool MayBeSaidAsText { get; set; }

    /// <summary>Starts with the plan's first flight.</summary>
    public void Begin(IBatchPlan plan, Goal goal, ScalarTarget? scalar, bool streams, bool continuesAfterErrors)
    {
        _answers.Clear();
        _items.Clear();
        (_answer, _item, _plan, _goal, _streams) = (0, 0, plan, goal, streams && goal == Goal.Rows);
        _skips = _inAnswer = _isShown = _isBetween = _scalarIsDone = _hasFailed = false;
        _againAt = -1;
        _current = one;
        ContinuesAfterErrors = continuesAfterErrors;
        FirstRefused = _again = -1;
        MayBeSaidAsText = false;
        _first = null;
        (_prepares, _preparation) = (null, null);
        Scalar = scalar;
        ScalarFailure = null;
        Error = null;
        Part = null;
        RecordsAffected = -1;
        HasMoreResults = false;
        try
        {
            plan.EncodeNext(session, this);
        }
        catch
        {
            ForgetFlight();
            throw;
        }

        BeginReceiving();
        IsOver = false;
    }

    /// <summary>One more answer: of a request that has just been appended, which began at <paramref name="at"/>.</summary>
    /// <param name="at">The writer's total length before it.</param>
    /// <param name="statement">Its text, or the first one of several.</param>
    /// <param name="prepared">What it executes; null for text.</param>
    /// <param name="items">Which commands it answers, in order.</param>
    public void Expect(int at, MySqlStatement statement, PreparedStatement? prepared, params ReadOnlySpan<BatchItem> items)
    {
        _items.AddRange(items);
        _answers.Add(new(statement, prepared, session.Wire.Out.TotalLength - at, _items.Count));
    }

    /// <summary>The whole flight is the call of a procedure: encodes it, with what must be asked before.</summary>
    public void ExpectCall(int command, IProcedureCall call, bool asks)
    {
        procedure.Begin(call, GoalNow, Scalar, asks);
        _current = procedure;
        session.State.MarkDirty();
        _items.Add(new(command, 1, BatchItemEnd.Answer));
        _answers.Add(new(null!, null, 0, _items.Count));
    }

    /// <summary>Behind the flight's answers comes that of a PREPARE whose bytes have just been appended: what it gives is for executions to come.</summary>
    public void ExpectPreparation(MySqlStatement statement, Preparation preparation) => (_prepares, _preparation) = (statement, preparation);

    public override void NextResult()
    {
        if (!HasMoreResults)
            throw new InvalidOperationException("The current result has not been read to its end, or there is no other.");
        HasMoreResults = false;
        if (!_isBetween)
            _current.NextResult();
        _isBetween = _isShown = false;
    }

    public override void SkipRest()
    {
        _skips = true;
        HasMoreResults = _isBetween = false;
        if (_inAnswer)
            _current.SkipRest();
    }

    public override Step Advance(Wire wire)
    {
        wire.ComingSoon = 0;
        if (_isBetween)
            return Step.Completed;
        while (true)
        {
            if (!_inAnswer && _answer == _answers.Count && AdvancePreparation(wire) is { } waits)
                return waits;
            if (!_inAnswer && BeginAnswer() is { } step)
                return step;
            step = _current.Advance(wire);
            if (step == Step.Receive)
            {
                ExpectMore(wire);
                return step;
            }

            Part = _current.Part;
            if (step == Step.Metadata)
                _isShown = true;
            if (step != Step.Completed)
                return step;
            if (!_current.IsOver)
            {
                HasMoreResults = true;
                return Step.Completed;
            }

            EndAnswer();
            if (_isShown && !_skips && !HasStopped && !IsPassing && (_answer < _answers.Count || _plan.HasMore || _plan.Refusal is not null))
            {
                HasMoreResults = _isBetween = true;
                return Step.Completed;
            }
        }
    }

    // Small answers of a pipeline come one by one as the server makes them. Half of what is left, if it is like what came, may come before anybody is woken:
    // so 100 answers wake some seven times, and the last ones are still taken while the server works.
    private void ExpectMore(Wire wire)
    {
        var left = _answers.Count - _answer;
        if (left < FewAnswers || _answer == 0 || wire.CameLate)
            return;
        var coming = (wire.Received - _receivedBefore) / _answer * left / 2;
        wire.ComingSoon = (int)Math.Clamp(coming - wire.Buffered, 0, MostGathered);
    }

    // From now on nothing is shown, and nothing more leaves.
    private bool HasStopped => (_first is not null && !ContinuesAfterErrors) || _hasFailed;

    // The answers up to the end of the flight are nobody's: from a command on that found its statement gone all is said again.
    private bool IsPassing => _againAt >= 0;

    private Goal GoalNow => HasStopped || IsPassing || (_goal == Goal.Scalar && _scalarIsDone) ? Goal.Count : _goal;

    void IResultListener.ResultEnded(bool withRows, long affected)
    {
        if (IsPassing)
            return;
        _scalarIsDone |= withRows;
        if (HasStopped || _item == _answers[_answer].ItemsEnd)
            return;
        ref var item = ref CollectionsMarshal.AsSpan(_items)[_item];
        if (!withRows)
        {
            // A bulk execution of MariaDB counts the rows that triggers changed along.
            affected = item.Count > 1 ? Math.Min(affected, item.Count) : affected;
            item.Affected = Math.Max(item.Affected, 0) + affected;
            RecordsAffected = Math.Max(RecordsAffected, 0) + affected;
        }

        if (item.Ends != BatchItemEnd.Result && (item.Ends != BatchItemEnd.Ok || withRows))
            return;
        EndItem();
        if (_item < _answers[_answer].ItemsEnd)
            one.RowsAreOf(_plan.TextOf(_items[_item].First));
    }

    // Null when there is none, or it is over. A refusal is nobody's error: the text goes on as text.
    private Step? AdvancePreparation(Wire wire)
    {
        if (_preparation is not { } preparation)
            return null;
        if (preparation.Advance(wire) is var step && step != Step.Completed)
            return step;
        var statement = _prepares!;
        (_prepares, _preparation) = (null, null);
        if (preparation.Error is { } error)
        {
            session.SendBuffer.CheckUnanswered(error);
            if (error.Number == TooManyStatements)
                session.Prepared.GiveUpOldest();
            else
                statement.StaysText = true;
            return null;
        }

        session.Prepared.Remember(statement, preparation.Take());
        if (preparation.Settled is { } settled)
            statement.Settled = settled;
        statement.StaysText |= preparation.Warns;
        return null;
    }

    // Null when an answer is awaited; otherwise the next flight leaves, or all is over.
    private Step? BeginAnswer()
    {
        if (_answer < _answers.Count)
        {
            var answer = _answers[_answer];
            if (answer.Prepared is { } prepared)
                one.BeginExecute(answer.Statement, prepared, answer.Length, GoalNow, Scalar, _streams);
            else if (_current == one)
                one.BeginQuery(answer.Statement, answer.Length, GoalNow, Scalar, _streams);
            // A call has begun with its encoding, and tells at its end what it did.
            if (_current == one)
                one.Listener = this;
            if (_skips)
                _current.SkipRest();
            _inAnswer = true;
            return null;
        }

        if (IsPassing)
        {
            _plan.SayFrom(_againAt);
            _againAt = -1;
        }

        if (session.Operation.Interruption == Interruption.None && (!HasStopped && (_plan.HasMore || _plan.Refusal is not null) ? EncodeNext() : _again >= 0 && EncodeAgain()))
        {
            session.RefuseLeftovers();
            return Step.Send;
        }

        Error = _first;
        IsOver = true;
        HasMoreResults = false;
        one.Listener = null;
        return Step.Completed;
    }

    private void EndAnswer()
    {
        _inAnswer = false;
        ScalarFailure ??= _current.ScalarFailure;
        if (_current == procedure)
            EndCall();
        var (statement, prepared, _, end) = _answers[_answer++];
        // Behind a prepared statement in the pipeline there are reads only: to say them again leaves no trace.
        if (IsPassing)
            return;
        // What stands behind an error in the same text has not been executed. Behind one in the pipeline it has, but nobody is told.
        if (_current == one && one.IsStatementLost && !HasStopped && session.Operation.Interruption == Interruption.None)
            _againAt = _items[Math.Min(_item, end - 1)].First;
        else if (_current == one && one.IsUnconverted && !_plan.IsPreparedByUser && !HasStopped && session.Operation.Interruption == Interruption.None)
        {
            statement.StaysText = true;
            session.Prepared.Forget(statement);
            _againAt = _items[Math.Min(_item, end - 1)].First;
        }
        else if (MayBeSaidAsText && one.Error is { Number: NotExecutableSo, Message: NotExecutableSoMessage })
            _plan.SayAsText(_items[0].First);
        else if (_current.Error is { } error && !HasStopped)
        {
            var command = _items[Math.Min(_item, end - 1)].First;
            // In another language it proves nothing: a trigger may have said it. The next batch goes as text.
            if (MayBeSaidAsText && error.Number == NotExecutableSo)
                statement.RefusesBulk = true;
            if (_current == procedure || ContinuesAfterErrors || !_plan.SaysAgain(command, error))
            {
                Refused(command, error);
                // What stood behind it has been executed, or prepared, and was the session's last statement instead.
                if (!ContinuesAfterErrors && (_answer < _answers.Count || _preparation is not null))
                    _again = command;
            }
        }
        else if (!HasStopped)
            while (_item < end)
                EndItem();
        _item = end;
    }

    // A value that is missing, or one that came back and is not of its parameter's type, ends a batch as it would end the call by itself.
    private void EndCall()
    {
        _hasFailed = procedure.ScalarFailure is not null;
        _scalarIsDone |= Scalar is { HasValue: true };
        if (procedure.RecordsAffected < 0)
            return;
        CollectionsMarshal.AsSpan(_items)[_item].Affected = procedure.RecordsAffected;
        RecordsAffected = Math.Max(RecordsAffected, 0) + procedure.RecordsAffected;
    }

    private void Refused(int command, ServerError error)
    {
        if (_first is null)
            FirstRefused = command;
        _first ??= error;
        _plan.Refused(command, error);
    }

    private void EndItem()
    {
        var item = _items[_item++];
        if (item.Affected < 0)
            return;
        if (item.Count == 1)
            _plan.Changed(item.First, item.Affected);
        else
            for (var i = 0; i < item.Count; i++)
                _plan.Changed(item.First + i, 1);
    }

    private readonly record struct Answer(MySqlStatement Statement, PreparedStatement? Prepared, int Length, int ItemsEnd);
}

/// <summary>Which commands of a batch a part of an answer belongs to.</summary>
/// <param name="First">The first command.</param>
/// <param name="Count">How many: more than one when their rows were merged into one statement.</param>
/// <param name="Ends">By what its end is known.</param>
internal record struct BatchItem(int First, int Count, BatchItemEnd Ends)
{
    /// <summary>Rows changed; −1 while nothing was said of any.</summary>
    public long Affected { get; set; } = -1;
}

/// <summary>By what the end of one command's results is known.</summary>
internal enum BatchItemEnd : byte
{
    /// <summary>Each statement has one result.</summary>
    Result,

    /// <summary>A procedure's result sets are followed by an OK.</summary>
    Ok,

    /// <summary>A text of several statements, alone in its request.</summary>
    Answer,
}
