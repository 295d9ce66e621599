using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.State;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// COM_QUERY or COM_STMT_EXECUTE and its results: OK, ERR, or columns and rows, perhaps several times. Hot: one instance per session,
/// reused, no allocation per step. Source: "Text Resultset" (page_protocol_com_query_response_text_resultset) and its binary sibling.
/// </summary>
internal sealed partial class CommandExchange : ResultExchange
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
        NextResult,
    }

    /// <summary>
    /// Results of one command: a script of many statements has as many, and nobody writes one of a million; a server that announces another for ever must end.
    /// </summary>
    internal const int MostResults = 1 << 20;

    // From here on it pays to let the server send binary rows, however rarely.
    private const long LargeResult = 64 * 1024;

    private readonly SessionContext _session;
    private readonly CodecSettings _codecs;
    private readonly bool _deprecateEof;
    private readonly bool _cachesMetadata;
    private readonly MySqlRow _row;
    private readonly LargeRow _large;
    private Awaiting _awaiting;
    private Goal _goal;
    private bool _binary;
    private bool _skips;
    private bool _streams;
    private bool _onlyDescribes;
    private bool _isOnlyText;
    private bool _isFirstResult;
    private bool _scalarIsDone;
    private bool _inLargeRow;
    private int _results;
    private int _commandLength;
    private long _receivedBefore;
    private OkInfo _info = new();
    private MySqlStatement _statement = null!;
    private PreparedStatement? _prepared;
    private readonly PreparedExecution _execution;
    private IExecution? _repeats;
    private DefinitionBlock _block;
    private ResultMetadata? _metadata;

    public override bool IsPrepared => _prepared is not null;

    public CommandExchange(SessionContext session, CodecSettings codecs, RowLimits limits)
    {
        _session = session;
        _codecs = codecs;
        _execution = new PreparedExecution(session);
        _row = new MySqlRow(codecs);
        _large = new LargeRow(_row, limits);
        _deprecateEof = (session.State.Capabilities & Capabilities.DeprecateEof) != 0;
        _cachesMetadata = (session.State.Capabilities & Capabilities.CacheMetadata) != 0;
    }

    public override Row Row => _row;

    public override ExternalSource ExternalSource => _execution.Producer;

    /// <summary>The row with its own type, for the getters that only this provider has.</summary>
    public MySqlRow OwnRow => _row;

    /// <summary>The first value that the last INSERT made for an AUTO_INCREMENT column; 0 when it made none.</summary>
    public ulong LastInsertId { get; private set; }

    /// <summary>Warnings of the last result.</summary>
    public int Warnings { get; private set; }

    /// <summary>What the server said for people about the last statement that returned no rows ("Rows matched: 1 …"); empty when nothing.</summary>
    public string Info => _info.ToString();

    /// <summary>True when the error proves that nothing was executed: the server has the prepared statement no more, or not as it is now.</summary>
    public bool IsStatementLost { get; private set; }

    /// <summary>True when the error proves that nothing was executed, because the server could not convert a value that it might store as a literal.</summary>
    public bool IsUnconverted { get; private set; }

    /// <summary>
    /// Says a statement that prepared itself as text, if the server cannot convert a value that it would store as a literal, or refuse with another error;
    /// set for the answer that has just begun.
    /// </summary>
    public IExecution? TextInstead { get; set; }

    /// <summary>Only the columns of the results are wanted, and no row; set for the answer that has just begun.</summary>
    public bool HidesRows { get; set; }

    /// <summary>Told of the end of each result; set for the answer that has just begun.</summary>
    public IResultListener? Listener { get; set; }

    /// <summary>The results to come are another statement's of the same text.</summary>
    public void RowsAreOf(string sql) => _row.Sql = sql;

    /// <summary>The text query whose bytes stand in the writer.</summary>
    public void BeginQuery(MySqlStatement statement, int length, Goal goal, ScalarTarget? scalar, bool streams)
    {
        Begin(statement, goal, scalar, streams);
        _commandLength = length;
        _binary = false;
        _prepared = null;
        _awaiting = Awaiting.Answer;
    }

    /// <summary>The execution whose bytes stand in the writer.</summary>
    /// <remarks><paramref name="execution"/> says it again when the server has lost what was prepared; null when somebody else does.</remarks>
    public void BeginExecute(MySqlStatement statement, PreparedStatement prepared, int length, Goal goal, ScalarTarget? scalar, bool streams, IExecution? execution = null)
    {
        Begin(statement, goal, scalar, streams);
        _repeats = execution;
        _commandLength = length;
        _binary = true;
        _prepared = prepared;
        _awaiting = Awaiting.Answer;
    }

    /// <summary>An execution of what is prepared, behind values that come in pieces; nothing stands in the writer.</summary>
    public void BeginLongData(MySqlStatement statement, PreparedStatement prepared, IExecution execution, LongValue[] values, Goal goal, ScalarTarget? scalar, bool streams)
    {
        Begin(statement, goal, scalar, streams);
        _execution.BeginLongData(prepared, execution, values);
        _awaiting = Awaiting.Prepared;
    }

    /// <summary>A PREPARE whose bytes stand in the writer, and what follows it: see <see cref="PreparedExecution.Begin"/>.</summary>
    public PreparedExecution BeginPrepare(MySqlStatement statement, Goal goal, ScalarTarget? scalar, bool streams, bool onlyDescribes)
    {
        Begin(statement, goal, scalar, streams);
        _onlyDescribes = onlyDescribes;
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
        _skips = true;
        if (_inLargeRow)
            _large.SkipRest();
        if (_awaiting == Awaiting.NextResult)
            NextResult();
    }

    public override Step Advance(Wire wire)
    {
        if (_inLargeRow && AdvanceLargeRow(wire) is { } large)
            return large;

        while (_awaiting == Awaiting.Rows && IncomingPackets.TryTake(wire, out var at, out var length))
        {
            if (length == 0)
                throw new ProtocolException("a row", "an empty packet");
            if (wire.In[at] < Eof.Header)
            {
                if (length >= MessagePart.StreamedFrom && _streams && IsRowWanted)
                    return TakeBack(wire, at);
                _row.Set(wire.In, at, length);
                if (IsWanted())
                    return Step.Row;
            }
            else if (EndOfRows(wire.In.AsSpan(at, length)))
                return Step.Completed;
        }

        return _awaiting == Awaiting.Rows ? MissingRow(wire) : AdvanceOther(wire);
    }

    private bool End()
    {
        if (!_onlyDescribes)
        {
            if (!_binary)
                EndText();
            // What a statement changed that failed half-way, no tracker tells. A query that calls a function may have changed as much as any other statement.
            var isUntold = !_session.State.TrackerIsOn || Error is not null;
            if (_statement.KeepsPrepared ? isUntold && !_statement.IsStateless(_session.State.IsMariaDb) : isUntold || _statement.ChangesSettings)
                _session.Prepared.ForgetAll();
        }

        _awaiting = Awaiting.Nothing;
        HasMoreResults = false;
        IsOver = true;
        _session.SendBuffer.Delivered(_session.Wire.Received - _receivedBefore);
        return true;
    }

    private void EndText()
    {
        if (Error is null)
        {
            _statement.TakeTextResult(Warnings, _session.Wire.Received - _receivedBefore > LargeResult);
            _session.Prepared.CountUse(_statement);
            _statement.StaysText |= _isOnlyText;
        }
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
                    if (_repeats is not null && IsStale(wire.In.AsSpan(at, length)))
                        return PrepareAgain();
                    if (TextInstead is not null && IsConversion(wire.In.AsSpan(at, length)) && SaysAsText(wire))
                        return Step.Send;
                    if (TakeHeader(wire.In.AsSpan(at, length)))
                        return Step.Completed;
                    if (_awaiting == Awaiting.Rows)
                        return Described(wire);
                    break;

                case Awaiting.FileRefused:
                    SendNoFile(wire);
                    return Step.Send;

                case Awaiting.Definitions:
                    if (!_block.TryTake(wire, _isFirstResult ? _prepared?.Metadata ?? TextMetadata : null, _codecs, out var metadata))
                    {
                        if (!_block.IsRefused)
                            return Step.Receive;
                        _awaiting = Awaiting.Header;
                        break;
                    }

                    Remember(metadata);
                    if (_deprecateEof)
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
                    throw new InvalidOperationException($"{_awaiting} is no state of its own.");
            }
        }
    }

    private ResultMetadata? TextMetadata => _binary ? null : _statement.TextMetadata;

    private Step? TakePreparation()
    {
        _prepared = _execution.Prepared;
        _binary = _prepared is not null;
        _isOnlyText = _execution.IsOnlyText;
        if (_execution.CommandLength > 0)
        {
            _commandLength = _execution.CommandLength;
            _awaiting = Awaiting.Answer;
            return null;
        }

        Error = _execution.Error;
        ScalarFailure = _execution.Failure;
        End();
        if (!_onlyDescribes || _prepared?.Metadata is null)
            return Step.Completed;
        _metadata = _prepared.Metadata;
        _row.Describe(_metadata, _binary);
        return Step.Metadata;
    }

    /// <summary>OK, ERR, or the number of columns. True when the exchange is over.</summary>
    private bool TakeHeader(ReadOnlySpan<byte> message)
    {
        var reader = new ByteReader(message);
        switch (reader.Peek())
        {
            case Ok.Header:
                reader.Skip(1);
                var ok = Ok.Read(ref reader);
                if (reader.Failed)
                    break;
                _info.Take(message[reader.Position..], (_session.State.Capabilities & Capabilities.SessionTrack) != 0);
                _session.State.Learn(ok, ref reader);
                if (reader.Failed)
                    break;
                TakeOk(ok);
                _isFirstResult = false;
                if ((ok.Status & ServerStatus.MoreResultsExist) == 0)
                    return _hasRefusedFile ? EndWithoutFile() : End();
                CountResult();
                return false;

            case Err.Header:
                reader.Skip(1);
                return Refused(ref reader, message.Length);

            case LocalInfileRequest.Header:
                RefuseFile();
                return false;

            default:
                var columns = reader.LengthEncoded();
                var definitionsFollow = !_cachesMetadata || reader.Byte() != 0;
                if (reader.Failed || reader.Remaining > 0 || columns > DefinitionBlock.MostColumns)
                    break;
                _block.Begin((long)columns);
                if (definitionsFollow)
                {
                    _awaiting = Awaiting.Definitions;
                    return false;
                }

                // MariaDB: the definitions are those of last time.
                _metadata = _prepared?.Metadata is { } cached && cached.Columns.Length == (int)columns
                    ? cached
                    : throw new ProtocolException("column definitions", $"a result of {columns} columns without them");
                _awaiting = _deprecateEof ? Awaiting.Rows : Awaiting.DefinitionsEof;
                return false;
        }

        throw new ProtocolException("OK, ERR or the number of columns", $"a packet of {message.Length} bytes beginning with 0x{(message.Length > 0 ? message[0] : 0):X2}");
    }

    // Another result is announced.
    private void CountResult()
    {
        if (++_results == MostResults)
            throw new ProtocolException($"at most {MostResults:N0} results of one command (send a script of more statements in several commands)", "the announcement of one more");
    }

    private void TakeOk(in Ok ok)
    {
        RecordsAffected = Math.Max(RecordsAffected, 0) + (long)ok.AffectedRows;
        if (ok.LastInsertId != 0)
        {
            LastInsertId = ok.LastInsertId;
            _session.State.MadeKey();
        }

        Warnings = ok.Warnings;
        Listener?.ResultEnded(withRows: false, (long)ok.AffectedRows);
    }

    private void Remember(ResultMetadata metadata)
    {
        _metadata = metadata;
        if (!_isFirstResult)
            return;
        if (_prepared is not null)
            _prepared.Metadata = metadata;
        else if (!_binary)
            _statement.TextMetadata = metadata;
    }

    private Step Described(Wire wire)
    {
        _awaiting = Awaiting.Rows;
        _row.Describe(_metadata!, _binary);
        return _goal == Goal.Rows && !_skips ? Step.Metadata : Advance(wire);
    }

    private bool Refused(ref ByteReader reader, int length)
    {
        var err = Err.Read(ref reader);
        if (reader.Failed)
            throw new ProtocolException("an ERR packet", $"one of {length} bytes");
        Error = new ServerError(err.Number, err.SqlState, Explained(err.Number, err.Message));
        IsStatementLost = ProvesStale(Error);
        IsUnconverted = _isFirstResult && _prepared is not null && IsConversion(Error);
        // Where it proves nothing, the error is the caller's; prepared anew it is in any case.
        if (_prepared is not null && LostStatement.MayBe(err.Number))
            _session.Prepared.Forget(_statement);
        _session.State.Refused(Error);
        if (_isFirstResult)
            _session.SendBuffer.CheckUnanswered(Error);
        // What it changed before it failed, no server tells; a trigger may have.
        _session.State.MarkDirty();
        // Whether the server has read the types of the parameters, it does not say.
        _prepared?.ForgetSent();
        return End();
    }

    private void Begin(MySqlStatement statement, Goal goal, ScalarTarget? scalar, bool streams)
    {
        if (!statement.IsStateless(_session.State.IsMariaDb))
            _session.State.MarkDirty(statement);
        // The end of rows does not tell of it.
        if (statement.MayReturnKey)
            _session.State.MadeKey();
        _statement = statement;
        _row.Sql = statement.Sql;
        _goal = goal;
        Scalar = scalar;
        _streams = streams && goal == Goal.Rows;
        _skips = false;
        _onlyDescribes = false;
        _isOnlyText = false;
        _isFirstResult = true;
        IsStatementLost = IsUnconverted = false;
        _repeats = null;
        TextInstead = null;
        _scalarIsDone = false;
        _results = 0;
        _receivedBefore = _session.Wire.Received;
        _inLargeRow = false;
        _hasRefusedFile = false;
        _metadata = null;
        Part = null;
        Error = null;
        ScalarFailure = null;
        RecordsAffected = -1;
        LastInsertId = 0;
        Warnings = 0;
        _info.Clear();
        HasMoreResults = false;
        IsOver = false;
        HidesRows = false;
        Listener = null;
    }
}
