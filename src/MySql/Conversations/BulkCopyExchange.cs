using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// Copies rows into a table: asks for its columns, then sends the rows over the best of three wires. This part decides and streams LOAD DATA
/// LOCAL; the statements of many rows are in the other.
/// </summary>
internal sealed partial class BulkCopyExchange(MySqlSession session, BulkOptions options) : BulkExchange
{
    // 16 to 64 KB are best for the server, which reads and inserts while the next packet is being written.
    private const int LoadPacket = 64 * 1024;

    // A statement may warn of every row; who has a thousand warnings has seen enough.
    private const int MostWarnings = 1000;

    private readonly MySqlStatement _show = new("SHOW COLUMNS FROM " + options.Table);
    private readonly List<BulkColumn> _table = [];
    private readonly List<LoadForm> _forms = [];
    private readonly List<(string Level, int Code, string Message)> _warnings = [];
    private BulkPlan _plan = null!;
    private BulkWire _wire;
    private int _loadAt = -1;
    private int _loadRow;
    private int _loadColumn;
    private byte _loadSequence;
    private int _answerWarnings;

    /// <summary>How the rows travel; known when the first row is asked for.</summary>
    public BulkWire WireUsed => _wire;

    /// <summary>What the server warned of: level, number, text.</summary>
    public IReadOnlyList<(string Level, int Code, string Message)> Warnings => _warnings;

    public override bool IsFull => _wire == BulkWire.LoadData ? session.Wire.Out.Length >= LoadPacket : AreStatementsFull;

    public override void Encode(Wire wire)
    {
        // User variables of LOAD DATA, numbers of prepared statements, triggers: a next user of the session gets a reset one.
        session.MarkUnproven();
        AskForRows(wire, _show);                                                                    // C: SHOW COLUMNS
    }

    /// <summary>Writes the next value of the row.</summary>
    public void Write<T>(T value)
    {
        if (_wire != BulkWire.LoadData)
            _filling.Write(value);
        else if (ParameterWriter.IsNull(value))
            WriteNull();
        else
        {
            BeginLoadValue();
            if (_plan.Forms[_loadColumn++] == LoadForm.Hexadecimal)
                LoadDataText.WriteHexadecimal(session.Wire.Out, value, session.Codecs);
            else
                LoadDataText.Write(session.Wire.Out, value, session.Codecs);
        }
    }

    public void WriteNull()
    {
        if (_wire != BulkWire.LoadData)
        {
            _filling.WriteNull();
            return;
        }

        BeginLoadValue();
        _loadColumn++;
        LoadDataText.WriteNull(session.Wire.Out);
    }

    protected override void CompleteRow()
    {
        if (_wire != BulkWire.LoadData)
        {
            _filling.EndRow();
            return;
        }

        if (_loadColumn != _plan.Columns.Length)
            throw new InvalidOperationException($"The row has {_loadColumn} values, but {_plan.Columns.Length} columns are to be filled.");
        session.Wire.Out.Byte((byte)'\n');
        _loadRow = session.Wire.Out.Length;
        _loadColumn = 0;
    }

    protected override void DropRow()
    {
        if (_wire == BulkWire.LoadData && _loadAt >= 0)
            session.Wire.Out.Truncate(_loadRow);
        else if (_wire is BulkWire.BulkExecute or BulkWire.MultiRow)
            _filling.DropRow();
    }

    protected override IEnumerable<Step> Run()
    {
        foreach (var step in TakeRows(TakeColumn))                                                  // S: the table's columns
            yield return step;
        if (Error is not null || !Decide())
            yield break;

        if (_wire == BulkWire.LoadData)
        {
            foreach (var step in Load())
                yield return step;
            if (_wire == BulkWire.LoadData)
                yield break;
        }

        foreach (var step in Execute())
            yield return step;
        session.MarkUnproven();
    }

    private bool IsInterrupted => session.Operation.Interruption != Interruption.None;

    // ---------------------------------------------------------------- which wire

    private bool Decide()
    {
        try
        {
            _plan = BulkPlan.Create(options, _table, _forms);
            SourceOrdinals = _plan.SourceOrdinals;
            _wire = Choose();
            BeginStatements();
            return true;
        }
        catch (Exception exception) when (exception is InvalidOperationException or NotSupportedException)
        {
            Fail(exception, isInRow: false);
            return false;
        }
    }

    private BulkWire Choose()
    {
        var loads = options.AllowsLocalInfile && (session.Capabilities & Capabilities.LocalFiles) != 0;
        var executes = session.IsMariaDb && (session.Capabilities & Capabilities.BulkOperations) != 0;
        var wire = options.Wire;
        if (wire == BulkWire.Auto)
        {
            wire = executes ? BulkWire.BulkExecute : loads ? BulkWire.LoadData : BulkWire.MultiRow;
            if (_plan.HasExpressions)
                wire = BulkWire.LoadData;
            else if (wire == BulkWire.LoadData && options.Conflict == BulkConflict.Update)
                wire = BulkWire.MultiRow;
        }

        return wire switch
        {
            BulkWire.LoadData when !loads => throw new NotSupportedException(
                "LOAD DATA LOCAL, which the copy needs for this wire or for an expression in its mappings, is not allowed on this connection: set AllowLoadLocalInfile=true, and local_infile=ON on the server."),
            BulkWire.LoadData when options.Conflict == BulkConflict.Update => throw new NotSupportedException("LOAD DATA cannot update rows that exist: choose another wire."),
            BulkWire.BulkExecute when !executes => throw new NotSupportedException("The server has no COM_STMT_BULK_EXECUTE (MariaDB 10.2 and later have it): choose another wire."),
            not BulkWire.LoadData when _plan.HasExpressions => throw new NotSupportedException("Expressions in column mappings need the wire LOAD DATA."),
            _ => wire,
        };
    }

    // ---------------------------------------------------------------- LOAD DATA LOCAL

    private IEnumerable<Step> Load()
    {
        // A name that nobody else can know: the server may only ask for exactly this.
        var name = ":slipstream:" + RandomNumberGenerator.GetHexString(32, lowercase: true);
        WriteQuery(Wire, Encoding.UTF8.GetBytes(_plan.LoadData(name)));                             // C: LOAD DATA LOCAL INFILE
        yield return Step.Send;
        bool? accepted;
        while ((accepted = TryTakeRequest(name)) is null)                                           // S: LOCAL INFILE Request
            yield return Step.Receive;
        if (accepted == false)
            yield break;

        do
        {
            BeginLoadPacket();
            yield return Step.Produce;
            if (EndLoadPacket())                                                                    // C: lines
                yield return Step.Send;
        }
        while (!IsAtEnd && !HasFailed && !IsInterrupted);

        _loadSequence = Wire.Out.End(Wire.Out.Begin(_loadSequence));                                // C: an empty packet
        yield return Step.Send;
        Wire.Sequence = _loadSequence;
        while (!TryTakeAnswer())                                                                    // S: OK or ERR
            yield return Step.Receive;
        if (Error is null && _answerWarnings > 0)
        {
            foreach (var step in TakeWarnings())
                yield return step;
        }
    }

    // Null while bytes are missing; false when the rows must travel otherwise, or not at all.
    private bool? TryTakeRequest(string name)
    {
        if (!IncomingPackets.TryTakeAnswer(Wire, out var at, out var length))
            return null;
        var reader = new ByteReader(Wire.In.AsSpan(at, length));
        switch (reader.Byte())
        {
            case LocalInfileRequest.Header:
                var asked = LocalInfileRequest.Read(ref reader).FileName;
                if (asked != name)
                    throw new ProtocolException("a request for the rows of this copy (no file was read)", "one for something else of this client");
                _loadSequence = Wire.Sequence;
                return true;
            case Err.Header:
                TakeError(ref reader, length);
                if (options.Wire != BulkWire.Auto || _plan.HasExpressions || Error!.Number is not (NotAllowed or LocalFilesDisabled or LoadInfileDisabled))
                    return false;
                // The server does not want it: nothing has happened yet, and there is another way.
                Error = null;
                _wire = BulkWire.MultiRow;
                BeginStatements();
                return false;
            default:
                throw new ProtocolException("a LOCAL INFILE request or ERR", $"a packet of {length} bytes");
        }
    }

    // ER_NOT_ALLOWED_COMMAND, ER_CLIENT_LOCAL_FILES_DISABLED, MariaDB's ER_LOAD_INFILE_CAPABILITY_DISABLED.
    private const int NotAllowed = 1148;
    private const int LocalFilesDisabled = 3948;
    private const int LoadInfileDisabled = 4166;

    private void BeginLoadPacket()
    {
        _loadAt = Wire.Out.Begin(_loadSequence);
        _loadRow = Wire.Out.Length;
        _loadColumn = 0;
    }

    // False when there is nothing in it: an empty packet would end the rows.
    private bool EndLoadPacket()
    {
        var at = _loadAt;
        _loadAt = -1;
        if (_loadRow == at + Packets.HeaderLength)
        {
            Wire.Out.Truncate(at);
            return false;
        }

        _loadSequence = Wire.Out.End(at);
        return true;
    }

    private void BeginLoadValue()
    {
        if (_loadColumn == _plan.Columns.Length)
            throw new InvalidOperationException($"The row has more values than the {_plan.Columns.Length} columns that are to be filled.");
        if (_loadColumn > 0)
            session.Wire.Out.Byte((byte)',');
    }

    // ---------------------------------------------------------------- queries on the way

    private void AskForRows(Wire wire, MySqlStatement statement)
    {
        var length = WriteQuery(wire, Encoding.UTF8.GetBytes(statement.Sql));
        session.Results.BeginQuery(statement, length, Goal.Rows, null, streams: false);
    }

    private static int WriteQuery(Wire wire, byte[] sql)
    {
        var at = wire.Out.Length;
        Query.Write(wire.Out, sql);
        var length = wire.Out.Length - at;
        IncomingPackets.BeginAnswer(wire, length);
        return length;
    }

    private IEnumerable<Step> TakeRows(Action<Row> take)
    {
        while (true)
        {
            var step = session.Results.Advance(Wire);
            if (step == Step.Over)
                break;
            if (step == Step.Row)
                TakeRow(take, session.Results.Row);
            else if (step != Step.Described)
                yield return step;
        }

        Error = session.Results.Error;
    }

    private static void TakeRow(Action<Row> take, Row row)
    {
        try
        {
            take(row);
        }
        catch (Exception exception) when (OwnAnswer.IsMisread(exception))
        {
            throw OwnAnswer.Misread("the question for the table or its warnings", exception);
        }
    }

    private void TakeColumn(Row row)
    {
        OwnAnswer.CheckCount("SHOW COLUMNS", _table.Count);
        _table.Add(ShownColumns.Column(row.GetString(0), row.IsNull(5) ? "" : row.GetString(5)));
        _forms.Add(ShownColumns.Form(row.GetString(1)));
    }

    private IEnumerable<Step> TakeWarnings()
    {
        if (_warnings.Count >= MostWarnings)
            yield break;
        AskForRows(Wire, ShowWarnings);
        yield return Step.Send;
        foreach (var step in TakeRows(TakeWarning))
            yield return step;
    }

    private static readonly MySqlStatement ShowWarnings = new("SHOW WARNINGS");

    private void TakeWarning(Row row)
    {
        if (_warnings.Count < MostWarnings)
            _warnings.Add((ServerText.OneLine(row.GetString(0)), int.Parse(row.GetString(1), CultureInfo.InvariantCulture), ServerText.Printable(row.GetString(2), Err.LongestMessage)));
    }

    // OK or ERR. False while bytes are missing.
    private bool TryTakeAnswer()
    {
        if (!IncomingPackets.TryTakeAnswer(Wire, out var at, out var length))
            return false;
        var reader = new ByteReader(Wire.In.AsSpan(at, length));
        switch (reader.Byte())
        {
            case Ok.Header:
                var ok = Ok.Read(ref reader);
                if (!reader.Failed)
                    session.Learn(ok, ref reader);
                if (reader.Failed)
                    throw new ProtocolException("an OK packet", $"one of {length} bytes");
                RowsInserted += (long)ok.AffectedRows;
                _answerWarnings = ok.Warnings;
                return true;
            case Err.Header:
                TakeError(ref reader, length);
                return true;
            default:
                throw new ProtocolException("OK or ERR in answer to rows", $"a packet of {length} bytes beginning with 0x{(length > 0 ? Wire.In[at] : 0):X2}");
        }
    }

    private void TakeError(ref ByteReader reader, int length)
    {
        var err = Err.Read(ref reader);
        if (reader.Failed)
            throw new ProtocolException("an ERR packet", $"one of {length} bytes");
        Error = new ServerError(err.Number, err.SqlState, err.Message);
    }
}
