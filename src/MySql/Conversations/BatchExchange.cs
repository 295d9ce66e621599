using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.State;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// Several commands as one exchange, which expects the answers in the order in which the requests were encoded. Commands travel in flights: one send, and
/// an answer for each request. The next flight leaves when the last answer of the flight before has come. A server goes on after an error:
/// without <see cref="ContinuesAfterErrors"/> the answers after an error are dropped and no further flight leaves.
/// </summary>
internal sealed partial class BatchExchange(SessionContext session, CommandExchange one, ProcedureExchange procedure) : ResultExchange, IResultListener
{
    // Where the exchange stands.
    private enum Awaiting : byte
    {
        /// <summary>Nothing: the batch is complete.</summary>
        Nothing,

        /// <summary>The next answer of the flight, or the next flight.</summary>
        NextAnswer,

        /// <summary>An answer of which the caller has not been shown a result since it asked for the next one.</summary>
        Answer,

        /// <summary>The rest of an answer of which the caller has been shown a result.</summary>
        ShownAnswer,

        /// <summary>The caller's <see cref="NextResult"/>, after a whole answer.</summary>
        NextResult,
    }

    // What becomes of the answers, whatever the caller still reads.
    private enum Course : byte
    {
        /// <summary>The caller gets them.</summary>
        Reporting,

        /// <summary>A prepared statement was gone: the answers up to the end of the flight are dropped, and the commands from it on are sent again.</summary>
        Passing,

        /// <summary>An error or a failure has ended the batch: the rest of the flight is dropped, and no further one leaves.</summary>
        Stopped,

        /// <summary>As <see cref="Stopped"/>, but the refused read is sent again, so that its error is the last one of the session.</summary>
        StoppedBeforeRepeat,
    }

    // ER_MAX_PREPARED_STMT_COUNT_REACHED
    private const int TooManyStatements = 1461;

    // ER_UNSUPPORTED_PS
    private const int UnsupportedPrepared = 1295;
    private const string UnsupportedPreparedMessage = "This command is not supported in the prepared statement protocol yet";

    // Fewer answers are not worth the system calls; more bytes could be more than the peer may send unread.
    private const int FewAnswers = 8;
    private const int MaxGathered = 16 * 1024;

    private readonly List<Answer> _answers = [];
    private readonly List<BatchItem> _items = [];
    private HeldByCaller<IBatchPlan> _plan;
    private ResultExchange _current = one;
    private Awaiting _awaiting;
    private Course _course;

    // The command from which on everything is sent again, or the only one that is: see Course.
    private int _repeated;

    // What the caller wanted of the rows, and what it still wants.
    private RowUse _wanted;
    private RowUse _use;
    private int _answer;
    private int _item;
    private long _receivedBefore;

    // How many commands were answered when the length of the answers was last measured, how many bytes they had, and the average length since the time before.
    private int _measured;
    private long _takenThen;
    private long _recentLength;
    private ServerError? _first;
    private MySqlStatement? _prepares;
    private Preparation? _preparation;

    public override Row Row => one.Row;

    public override void LeaveRow() => one.LeaveRow();

    /// <summary>Gets whether the commands after a refused one are executed and reported like any other.</summary>
    public bool ContinuesAfterErrors { get; private set; }

    /// <summary>Gets the first command that the server refused; −1 while there is none.</summary>
    public int FirstRefused { get; private set; } = -1;

    /// <summary>Gets the text with the first command, while it is being answered; null if another command has run, or runs in spite of an error.</summary>
    public MySqlStatement? Beginning =>
        !ContinuesAfterErrors && _current == one && _answer < _answers.Count && _item < _items.Count && _items[_item].First == 0 ? one.Beginning : null;

    /// <summary>
    /// Gets or sets whether the only request of a flight is sent again as text, if the server does not support it in this form. The server reports that
    /// before it does anything.
    /// </summary>
    public bool CanResendAsText { get; set; }

    /// <summary>Begins with the plan's first flight.</summary>
    public void Begin(IBatchPlan plan, Goal goal, ScalarTarget? scalar, bool streams, bool continuesAfterErrors)
    {
        _answers.Clear();
        _items.Clear();
        (_answer, _item) = (0, 0);
        _plan.Set(plan);
        _wanted = _use = RowUses.For(goal, streams);
        (_awaiting, _course) = (Awaiting.NextAnswer, Course.Reporting);
        _current = one;
        ContinuesAfterErrors = continuesAfterErrors;
        FirstRefused = -1;
        CanResendAsText = false;
        _first = null;
        (_prepares, _preparation) = (null, null);
        Scalar = scalar;
        ScalarFailure = null;
        Error = null;
        Part = null;
        RecordsAffected = -1;
        Outcomes.Clear();
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
        IsCompleted = false;
    }

    /// <summary>Expects the answer to the request that has just been appended.</summary>
    /// <param name="at">The writer's total length before the request.</param>
    /// <param name="statement">Its text, or the first one of several.</param>
    /// <param name="prepared">What it executes; null for text.</param>
    /// <param name="items">The commands that it answers, in order.</param>
    public void Expect(int at, MySqlStatement statement, PreparedStatement? prepared, params ReadOnlySpan<BatchItem> items)
    {
        _items.AddRange(items);
        _answers.Add(new(statement, prepared, session.Wire.Out.TotalLength - at, _items.Count));
    }

    /// <summary>Encodes a flight that is the call of a procedure, with the question for its parameters if that is needed.</summary>
    public void ExpectCall(int command, IProcedureCall call, bool asks)
    {
        procedure.Begin(call, UseOfAnswer, Scalar, asks);
        _current = procedure;
        session.State.MarkDirty();
        _items.Add(new(command, 1, BatchItemEnd.Answer));
        _answers.Add(new(null!, null, 0, _items.Count));
    }

    /// <summary>Expects, after the flight's answers, that of a PREPARE whose bytes have just been appended. Its result is for later executions.</summary>
    public void ExpectPreparation(MySqlStatement statement, Preparation preparation) => (_prepares, _preparation) = (statement, preparation);

    public override void NextResult()
    {
        if (!HasMoreResults)
            throw new InvalidOperationException("The current result has not been read to its end, or there is no other.");
        HasMoreResults = false;
        if (_awaiting == Awaiting.NextResult)
        {
            _awaiting = Awaiting.NextAnswer;
            return;
        }

        _current.NextResult();
        _awaiting = Awaiting.Answer;
    }

    public override void SkipRest()
    {
        _use = RowUse.Skipped;
        HasMoreResults = false;
        if (_awaiting == Awaiting.NextResult)
            _awaiting = Awaiting.NextAnswer;
        else if (_awaiting is Awaiting.Answer or Awaiting.ShownAnswer)
            _current.SkipRest();
    }

    public override Step Advance(Wire wire)
    {
        wire.ExpectedSoon = 0;
        if (_awaiting is Awaiting.NextResult or Awaiting.Nothing)
            return Step.Completed;
        while (true)
        {
            if (_awaiting == Awaiting.NextAnswer)
            {
                if (_answer == _answers.Count && AdvancePreparation(wire) is { } waits)
                    return waits;
                if (BeginAnswer() is { } begun)
                    return begun;
            }

            var step = _current.Advance(wire);
            if (step == Step.Receive)
            {
                ExpectMore(wire);
                return step;
            }

            Part = _current.Part;
            if (step == Step.Metadata)
                _awaiting = Awaiting.ShownAnswer;
            if (step != Step.Completed)
                return step;
            if (!_current.IsCompleted)
            {
                HasMoreResults = true;
                return Step.Completed;
            }

            var wasShown = _awaiting == Awaiting.ShownAnswer;
            _awaiting = Awaiting.NextAnswer;
            EndAnswer();
            if (wasShown && UseNow != RowUse.Skipped && (_answer < _answers.Count || _plan.Value.HasMore || _plan.Value.Refusal is not null))
            {
                HasMoreResults = true;
                _awaiting = Awaiting.NextResult;
                return Step.Completed;
            }
        }
    }

    // Small answers come one by one, as the server makes them, those of a pipeline and those of a text of several statements. Half of what is left, if it is
    // like what came, may come before the waiting thread or task is woken. So 100 answers wake it about seven times, and the last ones are still taken while
    // the server works. One large answer among small ones does not make it wait for more of them.
    private void ExpectMore(Wire wire)
    {
        var left = _items.Count - _item;
        if (left < FewAnswers || _item == 0 || wire.ArrivedLate)
            return;
        var taken = wire.Received - wire.Buffered - _receivedBefore;
        if (_item > _measured)
        {
            _recentLength = (taken - _takenThen) / (_item - _measured);
            (_measured, _takenThen) = (_item, taken);
        }

        var coming = Math.Min(taken / _item, _recentLength) * left / 2;
        wire.ExpectedSoon = (int)Math.Clamp(coming - wire.Buffered, 0, MaxGathered);
    }

    // From now on nothing is shown, and no further flight leaves.
    private bool HasStopped => _course >= Course.Stopped;

    private RowUse UseNow => _course == Course.Reporting ? _use : RowUse.Skipped;

    // An answer is begun as the caller wanted it at first, and then skipped: its large rows are still taken apart as they arrive.
    private RowUse UseOfAnswer => _course == Course.Reporting ? _wanted : RowUse.Skipped;

    // Null if there is none, or it is over. A refusal is not an error of the batch: the statement stays text.
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
                session.Prepared.EvictOldest();
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

    // Null if an answer is awaited; otherwise the next flight leaves, or all is over.
    private Step? BeginAnswer()
    {
        if (_answer < _answers.Count)
        {
            var answer = _answers[_answer];
            if (answer.Prepared is { } prepared)
                one.BeginExecute(answer.Statement, prepared, answer.Length, UseOfAnswer, Scalar);
            else if (_current == one)
                one.BeginQuery(answer.Statement, answer.Length, UseOfAnswer, Scalar);
            // A call has begun with its encoding, and reports at its end what it did.
            if (_current == one)
                one.Listener = this;
            if (_use != _wanted)
                _current.SkipRest();
            _awaiting = Awaiting.Answer;
            return null;
        }

        if (_course == Course.Passing)
        {
            _plan.Value.ResendFrom(_repeated);
            _course = Course.Reporting;
        }

        if (session.Operation.Interruption == Interruption.None && EncodesMore())
        {
            session.RefuseLeftovers();
            return Step.Send;
        }

        Error = _first;
        _awaiting = Awaiting.Nothing;
        IsCompleted = true;
        HasMoreResults = false;
        one.Listener = null;
        return Step.Completed;
    }

    private bool EncodesMore() => !HasStopped && (_plan.Value.HasMore || _plan.Value.Refusal is not null)
        ? EncodeNext()
        : _course == Course.StoppedBeforeRepeat && EncodeAgain();

    private readonly record struct Answer(MySqlStatement Statement, PreparedStatement? Prepared, int Length, int ItemsEnd);
}
