using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.State;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// What precedes an execution, up to the point where its answer is awaited: COM_STMT_PREPARE, COM_STMT_SEND_LONG_DATA, or both.
/// If the statement's number is known beforehand, and no value comes in pieces, all leaves in one send. An execution whose number was wrong finds
/// no statement, does nothing, and is sent again.
/// </summary>
internal sealed class PreparedExecution(SessionContext session)
{
    private enum Awaiting : byte
    {
        Preparation,

        /// <summary>The answer to an execution whose number no statement has.</summary>
        NoStatement,
        LongData,
        Nothing,
    }

    // ER_MAX_PREPARED_STMT_COUNT_REACHED
    private const int TooManyStatements = 1461;

    // ER_UNSUPPORTED_PS
    private const int NotPreparable = 1295;

    // ER_LOCK_WAIT_TIMEOUT, ER_QUERY_TIMEOUT
    private const int LockWaitTimeout = 1205;
    private const int QueryTimeout = 3024;

    private MySqlStatement _statement = null!;
    private Preparation _preparation = null!;
    private IExecution? _execution;
    private LongData? _longData;
    private Awaiting _awaiting;
    private bool _isAutomatic;
    private int _sentLength;
    private uint _assumed;

    /// <summary>Gets what was prepared; null if the server refused, or the text is sent instead.</summary>
    public PreparedStatement? Prepared { get; private set; }

    /// <summary>Gets the server's refusal to prepare, if it is the command's answer.</summary>
    public ServerError? Error { get; private set; }

    /// <summary>
    /// Gets whether the server refused to prepare a statement that the application had not asked to prepare. The text follows, and if that succeeds, the
    /// statement stays text.
    /// </summary>
    public bool IsOnlyText { get; private set; }

    /// <summary>Gets why a value was not available or could not be written. Nothing was executed then, and the session is in step.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Gets the value that is read piece by piece.</summary>
    public ExternalSource Producer => _longData!.ExternalSource;

    /// <summary>
    /// Gets the length in bytes of the command whose answer comes next; 0 if none does: only a description was wanted, or there is an error or a failure.
    /// </summary>
    public int CommandLength { get; private set; }

    /// <summary>Begins with a PREPARE.</summary>
    /// <param name="statement">What is prepared.</param>
    /// <param name="preparation">Its conversation, whose bytes are in the writer.</param>
    /// <param name="execution">Appends the execution; null if only the description of the columns is wanted.</param>
    /// <param name="sentLength">Bytes of the execution that are in the writer already; 0 if it waits for the answer.</param>
    /// <param name="isAutomatic">True if the application did not ask for it: whatever the server refuses is sent as text.</param>
    public void Begin(MySqlStatement statement, Preparation preparation, IExecution? execution, int sentLength, bool isAutomatic)
    {
        _statement = statement;
        _preparation = preparation;
        _execution = execution;
        _sentLength = sentLength;
        _isAutomatic = isAutomatic;
        _awaiting = Awaiting.Preparation;
        Forget();
    }

    /// <summary>Begins with the pieces of values, before the execution of a prepared statement. Nothing is in the writer.</summary>
    public void BeginLongData(PreparedStatement prepared, IExecution execution, LongValue[] values)
    {
        _execution = execution;
        Forget();
        Prepared = prepared;
        SendPieces(values);
    }

    private void Forget()
    {
        Prepared = null;
        Error = null;
        IsOnlyText = false;
        Failure = null;
        CommandLength = 0;
    }

    /// <summary>Goes on to <see cref="Step.Completed"/>, where the properties show what comes next.</summary>
    public Step Advance(Wire wire)
    {
        while (true)
        {
            Step? step;
            switch (_awaiting)
            {
                case Awaiting.Preparation:
                    if (_preparation.Advance(wire) is var asked && asked != Step.Completed)
                        return asked;
                    step = TakePreparation(wire);
                    break;
                case Awaiting.NoStatement:
                    if (!IncomingPackets.TryTakeAnswer(wire, out var at, out var length))
                        return Step.Receive;
                    CheckNoStatement(wire.In.AsSpan(at, length), _assumed);
                    step = Prepared is not null ? Execute(wire) : MayPrepareAgain ? PrepareAgain() : Refused();
                    break;
                case Awaiting.LongData:
                    if (_longData!.Advance(wire) is var sends && sends != Step.Completed)
                        return sends;
                    _awaiting = Awaiting.Nothing;
                    Failure = _longData.Failure;
                    step = Failure is null ? ExecuteNow(wire) : null;
                    break;
                default:
                    // The session outlives the command and its values.
                    _execution = null;
                    return Step.Completed;
            }

            if (step is { } waits)
                return waits;
        }
    }

    private Step? TakePreparation(Wire wire)
    {
        _awaiting = Awaiting.Nothing;
        Error = _preparation.Error;
        _assumed = _preparation.Result.Id;
        if (Error is null)
        {
            Prepared = _preparation.Take();
            // Its own execution, such as a CALL, may take numbers.
            if (!_statement.IsStateless(session.State.IsMariaDb))
                session.Prepared.Numbers.Invalidate();
            session.Prepared.Remember(_statement, Prepared);
            if (_preparation.Settled is { } settled)
                _statement.Settled = settled;
            // Under another sql_mode it may have been executed without a warning.
            _statement.StaysText |= _preparation.Warns;
            if (_execution is null)
                return null;
            if (_isAutomatic && (!_execution.Fits(session) || (_preparation.Warns && _sentLength == 0)))
                return ExecuteText(wire);
            if (_sentLength == 0)
                return Execute(wire);
            if (_assumed == Prepared.Id || _assumed == StatementExecute.LastPrepared)
            {
                CommandLength = _sentLength;
                return null;
            }

            session.Prepared.Numbers.Missed();
        }
        else
        {
            session.SendBuffer.CheckUnanswered(Error);
            if (_sentLength == 0)
                return Refused();
        }

        IncomingPackets.BeginAnswer(wire, _sentLength);
        _awaiting = Awaiting.NoStatement;
        return null;
    }

    // The only possible answer to an execution whose number no statement has. Any other means that the server has executed another statement.
    private static void CheckNoStatement(ReadOnlySpan<byte> message, uint id)
    {
        var reader = new ByteReader(message);
        if (reader.Byte() == Err.Header && Err.Read(ref reader) is var err && !reader.Failed
            && LostStatement.IsUnknown(new(err.Number, err.SqlState, err.Message), id))
            return;
        throw new ProtocolException(
            $"error 1243 with statement number {id}, because no such statement exists",
            $"a packet of {message.Length} bytes, as if another statement had been executed in its place");
    }

    private Step? Execute(Wire wire)
    {
        _awaiting = Awaiting.Nothing;
        if (_execution!.LongValues is not { } values)
            return ExecuteNow(wire);
        SendPieces(values);
        return null;
    }

    private void SendPieces(LongValue[] values)
    {
        (_longData ??= new()).Begin(Prepared!.Id, values);
        _awaiting = Awaiting.LongData;
    }

    private Step? ExecuteNow(Wire wire)
    {
        session.RefuseLeftovers();
        Prepared!.ForgetSent();
        return Encode(wire, executes: true);
    }

    // Null if a value cannot be written. The statement is prepared, nothing is executed, and the session is in step.
    private Step? Encode(Wire wire, bool executes)
    {
        var (at, mark) = (wire.Out.TotalLength, wire.Out.Length);
        try
        {
            if (executes)
                _execution!.EncodeExecution(session, Prepared!);
            else
                _execution!.EncodeText(session);
        }
        catch (Exception exception) when (exception is not ProtocolException)
        {
            wire.Out.Truncate(mark);
            Failure = exception;
            return null;
        }

        CommandLength = wire.Out.TotalLength - at;
        return Step.Send;
    }

    // The execution after the refused PREPARE was refused, too, and SHOW WARNINGS would show that error. If nothing else follows, PREPARE is sent
    // again, so that the caller's error is the session's last. Errors that do not depend on the text, and would take as long again, are excepted: a lock, a
    // time limit, a deadlock (SQLSTATE 40), a KILL (70), a lost connection (08).
    private bool MayPrepareAgain =>
        !_isAutomatic && session.Operation.Interruption == Interruption.None
        && Error is { Number: not (TooManyStatements or LockWaitTimeout or QueryTimeout), SqlState: not (['4', '0', ..] or ['7', '0', ..] or ['0', '8', ..]) };

    private Step PrepareAgain()
    {
        session.RefuseLeftovers();
        _preparation = _execution!.PrepareAgain(session);
        _sentLength = 0;
        _awaiting = Awaiting.Preparation;
        return Step.Send;
    }

    private Step? Refused()
    {
        _awaiting = Awaiting.Nothing;
        _statement.IsNotPreparable |= Error!.Number == NotPreparable;
        if (Error.Number == TooManyStatements)
            session.Prepared.EvictOldest();
        else if (!_isAutomatic || session.Operation.Interruption != Interruption.None)
            return null;
        else
            IsOnlyText = true;
        if (_execution is null)
            return null;

        // Nothing was executed. The answer to the text counts, even if it is the same error.
        Error = null;
        return ExecuteText(session.Wire);
    }

    private Step? ExecuteText(Wire wire)
    {
        session.RefuseLeftovers();
        Prepared = null;
        return Encode(wire, executes: false);
    }
}

/// <summary>A command that can be sent in either protocol. The answer to its PREPARE decides which.</summary>
internal interface IExecution
{
    /// <summary>Appends COM_STMT_PREPARE of a statement that the server no longer has, or has in another form.</summary>
    Preparation PrepareAgain(SessionContext session);

    /// <summary>Appends COM_STMT_EXECUTE.</summary>
    void EncodeExecution(SessionContext session, PreparedStatement prepared);

    /// <summary>Returns whether the server takes the values as they are, now that it has reported the types of the parameters.</summary>
    bool Fits(SessionContext session);

    /// <summary>Gets the values that are sent in pieces before the execution; null if there are none.</summary>
    LongValue[]? LongValues { get; }

    /// <summary>Appends COM_QUERY.</summary>
    void EncodeText(SessionContext session);
}
