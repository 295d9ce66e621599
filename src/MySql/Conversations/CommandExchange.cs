using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.State;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// COM_QUERY or COM_STMT_EXECUTE and its results: OK, ERR, or columns and rows, perhaps several times. Hot: one instance per session,
/// reused, no allocation per step. Source: "Text Resultset" (page_protocol_com_query_response_text_resultset) and its binary sibling.
/// </summary>
internal sealed partial class CommandExchange : RowsExchange
{
    private enum Awaiting : byte
    {
        Nothing,
        Answer,
        Prepared,
        Header,
        FileRefused,
        Definitions,
        DefinitionsEof,
        Rows,

        /// <summary>The rest of a row that is taken apart while it arrives.</summary>
        LargeRow,
        NextResult,
    }

    /// <summary>Which command has the results.</summary>
    private enum CommandForm : byte
    {
        /// <summary>COM_QUERY.</summary>
        Query,

        /// <summary>COM_QUERY, after the server refused to prepare what the application had not asked to prepare.</summary>
        UnpreparableQuery,

        /// <summary>COM_QUERY whose LOAD DATA LOCAL got an empty file.</summary>
        QueryWithoutFile,

        /// <summary>COM_STMT_EXECUTE, or what becomes of it when the PREPARE before it was answered.</summary>
        Execute,

        /// <summary>COM_STMT_PREPARE alone: only the description of the columns is wanted.</summary>
        Describe,
    }

    /// <summary>
    /// Limit for the results of one command. A script has one per statement, and no script has a million; a server that announces one more result for ever
    /// must come to an end.
    /// </summary>
    internal const int MaxResults = 1 << 20;

    // From this size on it pays to let the server send binary rows, even if the statement is rare.
    private const long LargeResult = 64 * 1024;

    private readonly SessionContext _session;
    private readonly CodecSettings _codecs;
    private readonly MySqlRow _row;
    private readonly LargeRow _large;
    private readonly PreparedExecution _execution;
    private Awaiting _awaiting;
    private CommandForm _form;

    // A row that has not arrived whole is taken apart from this size on.
    private int _splitFrom;
    private int _furtherResults;
    private int _commandLength;
    private long _receivedBefore;
    private OkInfo _info = new();
    private MySqlStatement _statement = null!;

    // What is executed; null for text. Its results have binary rows.
    private PreparedStatement? _prepared;
    private IExecution? _repeats;
    private DefinitionBlock _block;
    private ResultMetadata? _metadata;

    public CommandExchange(SessionContext session, CodecSettings codecs, RowLimits limits)
    {
        _session = session;
        _codecs = codecs;
        _execution = new PreparedExecution(session);
        _row = new MySqlRow(codecs);
        _large = new LargeRow(_row, limits);
    }

    public override bool IsPrepared => _prepared is not null;

    public override Row Row => _row;

    public override ExternalSource ExternalSource => _execution.Producer;

    /// <summary>Gets the row with its own type, for the getters that only this provider has.</summary>
    public MySqlRow OwnRow => _row;

    /// <summary>Gets the first value that the last INSERT generated for an AUTO_INCREMENT column; 0 if it generated none.</summary>
    public ulong LastInsertId { get; private set; }

    /// <summary>Gets the number of warnings of the last result.</summary>
    public int Warnings { get; private set; }

    /// <summary>Gets the server's text about the last statement without rows ("Rows matched: 1 …"); empty if there is none.</summary>
    public string Info => _info.ToString();

    /// <summary>Gets what the error proves about the execution.</summary>
    public RefusalProof Proof { get; private set; }

    /// <summary>
    /// Gets or sets what sends an automatically prepared statement as text, if the server cannot convert a value that it would store as a literal,
    /// or refuses the execution with another error. Set for the answer that has just begun.
    /// </summary>
    public IExecution? TextInstead { get; set; }

    /// <summary>Gets or sets what is notified of the end of each result. Set for the answer that has just begun.</summary>
    public IResultListener? Listener { get; set; }

    private bool IsFirstResult => _furtherResults == 0;

    /// <summary>Gets the text whose first statement is being answered; null if another statement of it has run.</summary>
    public MySqlStatement? Beginning => !IsCompleted && IsFirstResult ? _statement : null;

    private ResultMetadata? KnownMetadata => !IsFirstResult ? null : _prepared is { } prepared ? prepared.Metadata : _statement.TextMetadata;

    public override void LeaveRow()
    {
        _row.Leave();
        _large.Leave();
    }

    /// <summary>Notes that the following results belong to another statement of the same text.</summary>
    public void RowsAreOf(string sql) => _row.Sql = sql;

    /// <summary>Begins the answer of the text query whose bytes are in the writer.</summary>
    public void BeginQuery(MySqlStatement statement, int length, Goal goal, ScalarTarget? scalar, bool streams) =>
        BeginQuery(statement, length, RowUses.For(goal, streams), scalar);

    /// <summary>Begins the answer of the text query whose bytes are in the writer.</summary>
    public void BeginQuery(MySqlStatement statement, int length, RowUse use, ScalarTarget? scalar)
    {
        Begin(statement, CommandForm.Query, use, scalar);
        _commandLength = length;
        _awaiting = Awaiting.Answer;
    }

    /// <summary>Begins the answer of the execution whose bytes are in the writer.</summary>
    /// <remarks>
    /// If the server no longer has the prepared statement, <paramref name="execution"/> sends it again; null if the caller of this method does.
    /// </remarks>
    public void BeginExecute(
        MySqlStatement statement, PreparedStatement prepared, int length, Goal goal, ScalarTarget? scalar, bool streams, IExecution? execution = null)
    {
        BeginExecute(statement, prepared, length, RowUses.For(goal, streams), scalar);
        _repeats = execution;
    }

    /// <summary>Begins the answer of the execution whose bytes are in the writer. It is not repeated.</summary>
    public void BeginExecute(MySqlStatement statement, PreparedStatement prepared, int length, RowUse use, ScalarTarget? scalar)
    {
        Begin(statement, CommandForm.Execute, use, scalar);
        _commandLength = length;
        _prepared = prepared;
        _awaiting = Awaiting.Answer;
    }

    /// <summary>Begins an execution of a prepared statement, after values that are sent in pieces. Nothing is in the writer.</summary>
    public void BeginLongData(
        MySqlStatement statement, PreparedStatement prepared, IExecution execution, LongValue[] values, Goal goal, ScalarTarget? scalar, bool streams)
    {
        Begin(statement, CommandForm.Execute, RowUses.For(goal, streams), scalar);
        _execution.BeginLongData(prepared, execution, values);
        _awaiting = Awaiting.Prepared;
    }

    /// <summary>Begins a PREPARE whose bytes are in the writer, and what follows it: see <see cref="PreparedExecution.Begin"/>.</summary>
    public PreparedExecution BeginPrepare(MySqlStatement statement, Goal goal, ScalarTarget? scalar, bool streams, bool onlyDescribes)
    {
        Begin(statement, onlyDescribes ? CommandForm.Describe : CommandForm.Execute, RowUses.For(goal, streams), scalar);
        _awaiting = Awaiting.Prepared;
        return _execution;
    }

    public override void NextResult()
    {
        if (_awaiting != Awaiting.NextResult)
            throw new InvalidOperationException("The current result has not been read to its end, or there is no other.");
        HasMoreResults = false;
        _awaiting = Awaiting.Header;
    }

    public override void SkipRest()
    {
        SkipRows();
        if (_awaiting == Awaiting.LargeRow)
            _large.SkipRest();
        if (_awaiting == Awaiting.NextResult)
            NextResult();
    }

    public override Step Advance(Wire wire)
    {
        if (_awaiting == Awaiting.LargeRow && AdvanceLargeRow(wire) is { } large)
            return large;

        while (_awaiting == Awaiting.Rows && IncomingPackets.TryTake(wire, out var at, out var length))
        {
            if (length == 0)
                throw new ProtocolException("a row", "an empty packet");
            if (wire.In[at] < Eof.Header)
            {
                if (length >= MessagePart.StreamedFrom && Use == RowUse.Streamed)
                    return TakeBack(wire, at);
                _row.Set(wire.In, at, length);
                if (TakeRow())
                    return Step.Row;
            }
            else if (EndOfRows(wire.In.AsSpan(at, length)))
                return Step.Completed;
        }

        return _awaiting == Awaiting.Rows ? MissingRow(wire) : AdvanceOther(wire);
    }

    private void Begin(MySqlStatement statement, CommandForm form, RowUse use, ScalarTarget? scalar)
    {
        if (!statement.IsStateless(_session.State.IsMariaDb))
            _session.State.MarkDirty(statement);
        // The end of rows does not report it.
        if (statement.MayReturnKey)
            _session.State.MadeKey();
        _statement = statement;
        _form = form;
        _row.Sql = statement.Sql;
        BeginRows(use, scalar);
        _splitFrom = use == RowUse.Streamed ? MessagePart.StreamedFrom
            : _session.Wire.Optimizations.PassesLargeValues ? LargeRow.MinOwnArray
            : Packets.MaxPayload;
        Proof = RefusalProof.None;
        _prepared = null;
        ForgetRepetition();
        _furtherResults = 0;
        _receivedBefore = _session.Wire.Received;
        _metadata = null;
        Part = null;
        Error = null;
        RecordsAffected = -1;
        Outcomes.Clear();
        LastInsertId = 0;
        Warnings = 0;
        _info.Clear();
        HasMoreResults = false;
        IsCompleted = false;
        Listener = null;
    }

    private Step AdvanceOther(Wire wire)
    {
        while (true)
        {
            switch (_awaiting)
            {
                case Awaiting.Nothing:
                case Awaiting.NextResult:
                    return Step.Completed;

                case Awaiting.Answer:
                    IncomingPackets.BeginAnswer(wire, _commandLength);
                    _awaiting = Awaiting.Header;
                    break;

                case Awaiting.Prepared:
                    if (_execution.Advance(wire) is var asked && asked != Step.Completed)
                        return asked;
                    if (TakePreparation() is { } step)
                        return step;
                    break;

                case Awaiting.Header:
                    if (!IncomingPackets.TryTakeAnswer(wire, out var at, out var length))
                        return Step.Receive;
                    if (_repeats is not null || TextInstead is not null)
                    {
                        if (Repeats(wire, wire.In.AsSpan(at, length)))
                            return Step.Send;
                        ForgetRepetition();
                    }

                    if (TakeHeader(wire.In.AsSpan(at, length)))
                        return Step.Completed;
                    if (_awaiting == Awaiting.Rows)
                        return Described(wire);
                    break;

                case Awaiting.FileRefused:
                    SendNoFile(wire);
                    return Step.Send;

                case Awaiting.Definitions:
                    if (!_block.TryTake(wire, KnownMetadata, _codecs, out var metadata))
                    {
                        if (!_block.IsRefused)
                            return Step.Receive;
                        _awaiting = Awaiting.Header;
                        break;
                    }

                    Remember(metadata);
                    if (_session.State.DeprecatesEof)
                        return Described(wire);
                    _awaiting = Awaiting.DefinitionsEof;
                    break;

                case Awaiting.DefinitionsEof:
                    if (!IncomingPackets.TryTakeAnswer(wire, out at, out length))
                        return Step.Receive;
                    if (length > 0 && wire.In[at] == Err.Header)
                    {
                        TakeHeader(wire.In.AsSpan(at, length));
                        return Step.Completed;
                    }

                    if (length is 0 or >= 9 || wire.In[at] != Eof.Header)
                        throw new ProtocolException("EOF after the definitions", $"a packet of {length} bytes");
                    return Described(wire);

                default:
                    throw new InvalidOperationException($"{_awaiting} is not a state of the exchange.");
            }
        }
    }

    private Step? TakePreparation()
    {
        _prepared = _execution.Prepared;
        if (_form != CommandForm.Describe)
        {
            _form = _prepared is not null ? CommandForm.Execute
                : _execution.IsOnlyText ? CommandForm.UnpreparableQuery
                : CommandForm.Query;
        }

        if (_execution.CommandLength > 0)
        {
            _commandLength = _execution.CommandLength;
            _awaiting = Awaiting.Answer;
            return null;
        }

        Error = _execution.Error;
        ScalarFailure = _execution.Failure;
        End();
        if (_form != CommandForm.Describe || _prepared?.Metadata is null)
            return Step.Completed;
        _metadata = _prepared.Metadata;
        _row.Describe(_metadata, isBinary: true);
        return Step.Metadata;
    }

    private bool End()
    {
        if (_form != CommandForm.Describe)
        {
            if (_form != CommandForm.Execute)
                EndText();
            ForgetIfUnreported();
        }

        _awaiting = Awaiting.Nothing;
        HasMoreResults = false;
        IsCompleted = true;
        ForgetRepetition();
        _session.SendBuffer.Delivered(_session.Wire.Received - _receivedBefore);
        return true;
    }

    private void EndText()
    {
        if (Error is null)
        {
            _statement.TakeTextResult(Warnings, _session.Wire.Received - _receivedBefore > LargeResult);
            _session.Prepared.CountUse(_statement);
            _statement.StaysText |= _form == CommandForm.UnpreparableQuery;
        }
    }

    // No tracker reports what a statement changed that failed half-way. A query that calls a function may have changed as much as any other statement.
    private void ForgetIfUnreported()
    {
        var isUnreported = !_session.State.TrackerIsOn || Error is not null;
        if (_statement.KeepsPrepared ? isUnreported && !_statement.IsStateless(_session.State.IsMariaDb) : isUnreported || _statement.ChangesSettings)
            _session.Prepared.ForgetAll();
    }
}
