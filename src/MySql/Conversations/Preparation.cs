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
    private enum Awaiting
    {
        Answer,
        Parameters,
        ParametersRest,
        ParametersEof,
        Columns,
        ColumnsEof,
    }

    private readonly SessionContext _session;
    private readonly bool _deprecateEof;
    private readonly CodecSettings _codecs;
    private readonly ScannedSql _sql;
    private readonly int _commandLength;
    private Awaiting _awaiting;
    private PrepareOk _ok;
    private DefinitionBlock _block;
    private ResultMetadata? _metadata;
    private ResultMetadata? _parameters;
    private readonly bool _readsParameters;
    private readonly int _described;
    private bool _answering;

    /// <param name="session">Where it is prepared.</param>
    /// <param name="sql">The text.</param>
    /// <param name="codecs">The data source's.</param>
    /// <param name="readsParameters">False when the types of the parameters are known or of no interest.</param>
    /// <param name="described">Of how many parameters the types are of interest: those of the first row when all rows are alike; 0 for all.</param>
    /// <summary>Appends the command; its answer is awaited when the conversation is first advanced.</summary>
    public Preparation(SessionContext session, ScannedSql sql, CodecSettings codecs, bool readsParameters, int described = 0)
    {
        _described = described > 0 ? described : sql.Parameters.Length;
        _session = session;
        _codecs = codecs;
        _sql = sql;
        _deprecateEof = (session.State.Capabilities & Capabilities.DeprecateEof) != 0;
        _readsParameters = readsParameters && _described <= ResultMetadata.MaxColumns;
        _commandLength = session.Wire.Out.Length;
        StatementPrepare.Write(session.Wire.Out, sql.Prepared);
        _commandLength = session.Wire.Out.Length - _commandLength;
        Result = new PreparedStatement(0, sql.Parameters.Length, null, sql);
    }

    /// <summary>What is being prepared. Its number and columns are known when the server has agreed; before, the number that is assumed.</summary>
    public PreparedStatement Result { get; }

    /// <summary>The server's refusal.</summary>
    public ServerError? Error { get; private set; }

    /// <summary>The types of the parameters; null where the server does not say.</summary>
    public SettledTypes? Settled => _parameters is null ? null : new(_parameters);

    /// <summary>True when the server warned of the text while it read it: the executions will not be warned of.</summary>
    public bool Warns => _ok.Warnings > 0;

    /// <summary>The statement as the server has described it.</summary>
    public PreparedStatement Take()
    {
        Result.Id = _ok.StatementId;
        Result.Metadata = _metadata;
        return Result;
    }

    public override Step Advance(Wire wire)
    {
        if (!_answering)
        {
            IncomingPackets.BeginAnswer(wire, _commandLength);
            _answering = true;
        }

        while (true)
        {
            switch (_awaiting)
            {
                case Awaiting.Answer:
                    if (!IncomingPackets.TryTakeAnswer(wire, out var at, out var length))
                        return Step.Receive;
                    if (!TakeAnswer(wire.In.AsSpan(at, length)))
                        return Step.Completed;
                    _awaiting = Awaiting.Parameters;
                    if (_ok.Parameters > 0)
                        _block.Begin(_readsParameters ? _described : _ok.Parameters, DefinitionBlock.MostParameters);
                    break;
                case Awaiting.Parameters:
                    if (_ok.Parameters > 0 && !TakeParameters(wire))
                    {
                        if (!IsRefused())
                            return Step.Receive;
                        break;
                    }

                    if (_readsParameters && _described < _ok.Parameters)
                    {
                        _block.Begin(_ok.Parameters - _described, DefinitionBlock.MostParameters);
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

                    if (_deprecateEof)
                        return Step.Completed;
                    _awaiting = Awaiting.ColumnsEof;
                    break;
                default:
                    return TakeEof(wire) ? Step.Completed : Step.Receive;
            }
        }
    }

    // The ERR in place of a definition is the answer.
    private bool IsRefused()
    {
        if (_block.IsRefused)
            _awaiting = Awaiting.Answer;
        return _block.IsRefused;
    }

    // MySQL since 8.0.22 says what type it has settled on for each parameter; other servers say nothing of use.
    private bool TakeParameters(Wire wire) => _readsParameters ? _block.TryTake(wire, null, _codecs, out _parameters!) : _block.TrySkip(wire);

    private Awaiting EndParameters() => _ok.Parameters > 0 && !_deprecateEof ? Awaiting.ParametersEof : BeginColumns();

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
                _session.Prepared.Numbers.Learn(_ok.StatementId, _session.State.StateVersion);
                _session.State.LeftWarnings(_ok.Warnings);
                break;
            case Err.Header:
                var err = Err.Read(ref reader);
                Error = new ServerError(err.Number, err.SqlState, err.Message);
                _session.State.LeftWarnings(1);
                _session.Prepared.Numbers.Doubt();
                break;
            default:
                reader.Fail();
                break;
        }

        // An execution would be read by the server as something else than it was meant to be.
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
