using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.State;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Conversations;

/// <summary>COM_STMT_PREPARE and its answer: PREPARE_OK, the definitions of the parameters, those of the columns.</summary>
internal sealed class Preparation : Conversation
{
    private enum Awaiting : byte
    {
        /// <summary>The first advance, after the command has left.</summary>
        Nothing,
        Answer,
        Parameters,
        ParametersRest,
        ParametersEof,
        Columns,
        ColumnsEof,
    }

    private readonly SessionContext _session;
    private readonly CodecSettings _codecs;
    private readonly ScannedSql _sql;
    private readonly int _commandLength;

    // The number of parameters whose definitions are read; 0 if they are skipped.
    private readonly int _described;
    private Awaiting _awaiting;
    private PrepareOk _ok;
    private DefinitionBlock _block;
    private ResultMetadata? _metadata;
    private ResultMetadata? _parameters;

    /// <summary>Appends the command. Its answer is awaited from the first advance on.</summary>
    /// <param name="session">The session that prepares.</param>
    /// <param name="sql">The text.</param>
    /// <param name="codecs">The codecs of the data source.</param>
    /// <param name="readsParameters">False if the types of the parameters are known or of no interest.</param>
    /// <param name="described">
    /// The number of parameters whose types are of interest: those of the first row if all rows have the same types. 0 for all.
    /// </param>
    public Preparation(SessionContext session, ScannedSql sql, CodecSettings codecs, bool readsParameters, int described = 0)
    {
        var asked = described > 0 ? described : sql.Parameters.Length;
        _described = readsParameters && asked <= ResultMetadata.MaxColumns ? asked : 0;
        _session = session;
        _codecs = codecs;
        _sql = sql;
        _commandLength = session.Wire.Out.Length;
        StatementPrepare.Write(session.Wire.Out, sql.Prepared);
        _commandLength = session.Wire.Out.Length - _commandLength;
        Result = new PreparedStatement(0, sql.Parameters.Length, null, sql);
    }

    /// <summary>
    /// Gets what is being prepared. Its number and columns are known when the server has prepared it. Before that, the number is assumed.
    /// </summary>
    public PreparedStatement Result { get; }

    /// <summary>Gets the server's refusal.</summary>
    public ServerError? Error { get; private set; }

    /// <summary>Gets the types of the parameters; null if the server does not report them.</summary>
    public SettledTypes? Settled => _parameters is null ? null : new(_parameters);

    /// <summary>Gets whether the server warned about the text while it read it: the executions will get no warning.</summary>
    public bool Warns => _ok.Warnings > 0;

    /// <summary>Returns the statement as the server has described it.</summary>
    public PreparedStatement Take()
    {
        Result.Id = _ok.StatementId;
        Result.Metadata = _metadata;
        return Result;
    }

    public override Step Advance(Wire wire)
    {
        while (true)
        {
            switch (_awaiting)
            {
                case Awaiting.Nothing:
                    IncomingPackets.BeginAnswer(wire, _commandLength);
                    _awaiting = Awaiting.Answer;
                    break;
                case Awaiting.Answer:
                    if (!IncomingPackets.TryTakeAnswer(wire, out var at, out var length))
                        return Step.Receive;
                    if (!TakeAnswer(wire.In.AsSpan(at, length)))
                        return Step.Completed;
                    _awaiting = Awaiting.Parameters;
                    if (_ok.Parameters > 0)
                        _block.Begin(_described > 0 ? _described : _ok.Parameters, DefinitionBlock.MaxParameters);
                    break;
                case Awaiting.Parameters:
                    if (_ok.Parameters > 0 && !TakeParameters(wire))
                    {
                        if (!IsRefused())
                            return Step.Receive;
                        break;
                    }

                    if (_described > 0 && _described < _ok.Parameters)
                    {
                        _block.Begin(_ok.Parameters - _described, DefinitionBlock.MaxParameters);
                        _awaiting = Awaiting.ParametersRest;
                    }
                    else
                        _awaiting = EndParameters();
                    break;
                case Awaiting.ParametersRest:
                    if (!_block.TrySkip(wire))
                    {
                        if (!IsRefused())
                            return Step.Receive;
                        break;
                    }

                    _awaiting = EndParameters();
                    break;
                case Awaiting.ParametersEof:
                    if (!TakeEof(wire))
                        return Step.Receive;
                    if (Error is not null)
                        return Step.Completed;
                    _awaiting = BeginColumns();
                    break;
                case Awaiting.Columns:
                    if (_ok.Columns == 0)
                        return Step.Completed;
                    if (!_block.TryTake(wire, null, _codecs, out _metadata))
                    {
                        if (!IsRefused())
                            return Step.Receive;
                        break;
                    }

                    if (_session.State.DeprecatesEof)
                        return Step.Completed;
                    _awaiting = Awaiting.ColumnsEof;
                    break;
                default:
                    return TakeEof(wire) ? Step.Completed : Step.Receive;
            }
        }
    }

    // An ERR in place of a definition is the answer.
    private bool IsRefused()
    {
        if (_block.IsRefused)
            _awaiting = Awaiting.Answer;
        return _block.IsRefused;
    }

    // MySQL since 8.0.22 reports which type it has settled on for each parameter. Other servers report nothing of use.
    private bool TakeParameters(Wire wire) => _described > 0 ? _block.TryTake(wire, null, _codecs, out _parameters!) : _block.TrySkip(wire);

    private Awaiting EndParameters() => _ok.Parameters > 0 && !_session.State.DeprecatesEof ? Awaiting.ParametersEof : BeginColumns();

    private Awaiting BeginColumns()
    {
        if (_ok.Columns > 0)
            _block.Begin(_ok.Columns);
        return Awaiting.Columns;
    }

    private bool TakeAnswer(ReadOnlySpan<byte> message)
    {
        var reader = new ByteReader(message);
        switch (reader.Byte())
        {
            case Ok.Header:
                _ok = PrepareOk.Read(ref reader);
                _session.Prepared.Numbers.Confirm(_ok.StatementId, _session.State.StateVersion);
                _session.State.LeftWarnings(_ok.Warnings);
                break;
            case Err.Header:
                var err = Err.Read(ref reader);
                Error = new ServerError(err.Number, err.SqlState, err.Message);
                _session.State.LeftWarnings(1);
                _session.Prepared.Numbers.Invalidate();
                break;
            default:
                reader.Fail();
                break;
        }

        // The server would misread an execution.
        if (!reader.Failed && Error is null && _ok.Parameters != _sql.Parameters.Length)
            throw new ProtocolException($"a prepared statement of {_sql.Parameters.Length} parameters", $"one of {_ok.Parameters}");
        return reader.Failed
            ? throw new ProtocolException("COM_STMT_PREPARE_OK or ERR", $"a packet of {message.Length} bytes")
            : Error is null;
    }

    // EOF, or the ERR in its place.
    private bool TakeEof(Wire wire)
    {
        if (!IncomingPackets.TryTakeAnswer(wire, out var at, out var length))
            return false;
        if (length > 0 && wire.In[at] == Err.Header)
            return !TakeAnswer(wire.In.AsSpan(at, length));
        return length is > 0 and < 9 && wire.In[at] == Eof.Header
            ? true
            : throw new ProtocolException("EOF after the definitions", $"a packet of {length} bytes");
    }
}

/// <summary>COM_STMT_PREPARE alone, for a Prepare that waits for the answer. The session keeps the statement for the executions.</summary>
/// <param name="session">The session that prepares.</param>
/// <param name="statement">What is prepared.</param>
/// <param name="sql">Its text.</param>
internal sealed class PrepareExchange(SessionContext session, MySqlStatement statement, ScannedSql sql) : SimpleExchange
{
    private Preparation? _preparation;

    public override string Description => "PREPARE";

    public override void Encode(Wire wire)
    {
        var asksTypes = session.State.SettlesTypes && sql.Parameters.Length > 0 && statement.Settled is null;
        _preparation = new(session, sql, session.State.Codecs, asksTypes);                          // C: COM_STMT_PREPARE
    }

    public override Step Advance(Wire wire)
    {
        var step = _preparation!.Advance(wire);                                                     // S: COM_STMT_PREPARE_OK or ERR
        if (step != Step.Completed)
            return step;
        Error = _preparation.Error;
        if (Error is not null)
        {
            session.State.Refused(Error);
            return step;
        }

        var prepared = _preparation.Take();
        prepared.IsByUser = true;
        session.Prepared.Remember(statement, prepared);
        if (_preparation.Settled is { } settled)
            statement.Settled = settled;
        statement.StaysText |= _preparation.Warns;
        return step;
    }
}
