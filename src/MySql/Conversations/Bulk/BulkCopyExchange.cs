using System.Globalization;
using System.Security.Cryptography;
using System.Text;
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

/// <summary>
/// Copies rows into a table. It queries the table's columns and then sends the rows with the best of three methods. This part chooses the method; LOAD DATA
/// LOCAL and the statements of many rows are in parts of their own.
/// </summary>
internal sealed partial class BulkCopyExchange(SessionContext session, CommandExchange answers, BulkOptions options) : BulkExchange
{
    // A statement may warn about every row; a thousand warnings are enough.
    private const int MaxWarnings = 1000;

    private readonly MySqlStatement _show = new("SHOW COLUMNS FROM " + options.Table);
    private readonly List<BulkColumn> _table = [];
    private readonly List<BulkTarget> _targets = [];
    private readonly List<(string Level, int Code, string Message)> _warnings = [];
    private BulkPlan _plan = null!;
    private BulkMethod _wire;
    private int _answerWarnings;
    private bool _speaksUtf8 = true;

    /// <summary>Gets the method that sends the rows. It is known when the first row is requested.</summary>
    public BulkMethod MethodUsed => _wire;

    /// <summary>Gets whether the server refused a row and not the whole copy.</summary>
    public bool IsRowRefused { get; private set; }

    /// <summary>Gets the server's warnings: level, number and text.</summary>
    public IReadOnlyList<(string Level, int Code, string Message)> Warnings => _warnings;

    public override bool IsFull => _wire == BulkMethod.LoadData ? session.Wire.Out.Length >= LoadPacket : AreStatementsFull;

    public override void Encode(Wire wire)
    {
        // The copy leaves state, such as user variables of LOAD DATA, statement IDs, and effects of triggers: the next lease of the session gets a reset.
        session.State.MarkDirty();
        AppendRowsQuery(wire, _show);                                                                    // C: SHOW COLUMNS
    }

    /// <summary>Writes the next value of the row.</summary>
    public void Write<T>(T value)
    {
        if (_wire != BulkMethod.LoadData)
            WriteIntoStatement(value);
        else if (ParameterWriter.IsNull(value))
            WriteNull();
        else
        {
            BeginLoadValue();
            LoadDataText.Write(session.Wire.Out, value, session.State.Codecs, _plan.Targets[_loadColumn++]);
        }
    }

    public void WriteNull()
    {
        if (_wire != BulkMethod.LoadData)
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
        if (_wire != BulkMethod.LoadData)
        {
            _filling.EndRow();
            return;
        }

        if (_loadColumn != _plan.Targets.Length)
            throw new InvalidOperationException($"The row has {_loadColumn} values, but the copy fills {_plan.Targets.Length} columns.");
        session.Wire.Out.Byte((byte)'\n');
        _loadRow = session.Wire.Out.Length;
        _loadColumn = 0;
    }

    protected override void DropRow()
    {
        if (_wire == BulkMethod.LoadData && _loadAt >= 0)
            session.Wire.Out.Truncate(_loadRow);
        else if (_wire is BulkMethod.BulkExecute or BulkMethod.MultiRow)
            _filling.DropRow();
    }

    protected override IEnumerable<Step> Run()
    {
        foreach (var step in TakeRows(TakeColumn))                                                  // S: the table's columns
            yield return step;
        if (Error is null && !session.State.SpeaksUtf8)
        {
            foreach (var step in QueryCharacterSet())
                yield return step;
        }

        if (Error is not null || !Decide())
            yield break;

        if (_wire == BulkMethod.LoadData)
        {
            foreach (var step in Load())
                yield return step;
            if (_wire == BulkMethod.LoadData)
                yield break;
        }

        foreach (var step in Execute())
            yield return step;
        session.State.MarkDirty();
    }

    private bool IsInterrupted => session.Operation.Interruption != Interruption.None;

    // ---------------------------------------------------------------- the choice of the method

    private bool Decide()
    {
        try
        {
            _plan = BulkPlan.Create(options, _table, _targets);
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

    private bool HasBulkExecute => session.State.IsMariaDb && (session.State.Capabilities & Capabilities.BulkOperations) != 0;

    // A row in a statement must fit into max_allowed_packet. Only LOAD DATA accepts larger rows.
    private bool MayExceedPackets =>
        options.Conflict != BulkConflict.Update
            && Array.Exists(_plan.Targets, static target => target.Type.StartsWith("long", StringComparison.OrdinalIgnoreCase));

    private BulkMethod Choose()
    {
        var loads = options.AllowsLocalInfile && (session.State.Capabilities & Capabilities.LocalFiles) != 0;
        var executes = HasBulkExecute;
        var wire = options.Method;
        if (wire == BulkMethod.Auto)
        {
            wire = executes && !(loads && MayExceedPackets) ? BulkMethod.BulkExecute : loads ? BulkMethod.LoadData : BulkMethod.MultiRow;
            if (_plan.NeedsLoadData || (loads && (!_speaksUtf8 || options.TrustsLoadData)))
                wire = BulkMethod.LoadData;
            else if (wire == BulkMethod.LoadData && options.Conflict == BulkConflict.Update)
                wire = BulkMethod.MultiRow;
        }

        return wire switch
        {
            BulkMethod.LoadData when !loads => throw new NotSupportedException(
                "LOAD DATA LOCAL, which the copy needs for this Method or for an expression in its mappings, is not allowed on this connection: set Allow "
                + "Load Local Infile=true, and local_infile=ON on the server."),
            BulkMethod.LoadData when options.Conflict == BulkConflict.Update => throw new NotSupportedException("LOAD DATA cannot update existing rows: set "
                + "Method to another value."),
            BulkMethod.BulkExecute when !executes => throw new NotSupportedException("The server does not have COM_STMT_BULK_EXECUTE (MariaDB 10.2 and later "
                + "have it): set Method to another value."),
            not BulkMethod.LoadData when _plan.NeedsLoadData => throw new NotSupportedException("Expressions and variables in column mappings need LOAD "
                + "DATA: set Method to Auto or LoadData."),
            not BulkMethod.LoadData when !_speaksUtf8 => throw new NotSupportedException(
                "The session's character_set_client is not utf8mb4, and the server would misread the copy's texts: execute SET NAMES utf8mb4 first, or set "
                + "Allow Load Local Infile=true to use LOAD DATA, which names its character set."),
            _ => wire,
        };
    }

    // ---------------------------------------------------------------- queries during the copy

    private void AppendRowsQuery(Wire wire, MySqlStatement statement)
    {
        var length = WriteQuery(wire, Encoding.UTF8.GetBytes(statement.Sql));
        // A statement that was not scanned might commit the caller's transaction.
        statement.Scan(session.State.Quoting);
        answers.BeginQuery(statement, length, Goal.Rows, null, streams: false);
    }

    private static int WriteQuery(Wire wire, byte[] sql)
    {
        var at = wire.Out.Length;
        Query.Write(wire.Out, sql);
        var length = wire.Out.Length - at;
        IncomingPackets.BeginAnswer(wire, length);
        return length;
    }

    // Sends the next command of the copy. All commands before it have been answered.
    private Step SendCommand()
    {
        session.RefuseLeftovers();
        return Step.Send;
    }

    private IEnumerable<Step> TakeRows(Action<Row> take)
    {
        while (true)
        {
            var step = answers.Advance(Wire);
            if (step == Step.Completed)
                break;
            if (step == Step.Row)
                TakeRow(take, answers.Row);
            else if (step != Step.Metadata)
                yield return step;
        }

        Error = answers.Error;
    }

    private static void TakeRow(Action<Row> take, Row row)
    {
        try
        {
            take(row);
        }
        catch (Exception exception) when (OwnAnswer.IsMisread(exception))
        {
            throw OwnAnswer.Misread("the query for the table or its warnings", exception);
        }
    }

    private IEnumerable<Step> QueryCharacterSet()
    {
        AppendRowsQuery(Wire, CharacterSet);                                                             // C: query of character_set_client
        yield return SendCommand();
        foreach (var step in TakeRows(row => _speaksUtf8 = row.GetString(0) == "utf8mb4"))
            yield return step;
    }

    private static readonly MySqlStatement CharacterSet = new("SELECT @@SESSION.character_set_client");

    private void TakeColumn(Row row)
    {
        OwnAnswer.CheckCount("SHOW COLUMNS", _table.Count);
        _table.Add(ShowColumns.Column(row.GetString(0), row.IsNull(5) ? "" : row.GetString(5)));
        _targets.Add(BulkTarget.Column(row.GetString(0), row.GetString(1)));
    }

    private IEnumerable<Step> TakeWarnings()
    {
        if (_warnings.Count >= MaxWarnings)
            yield break;
        AppendRowsQuery(Wire, ShowWarnings);
        yield return SendCommand();
        foreach (var step in TakeRows(TakeWarning))
            yield return step;
    }

    private static readonly MySqlStatement ShowWarnings = new("SHOW WARNINGS");

    private void TakeWarning(Row row)
    {
        if (_warnings.Count < MaxWarnings)
            _warnings.Add(
                (
                    ServerText.OneLine(row.GetString(0)), int.Parse(row.GetString(1), CultureInfo.InvariantCulture),
                    ServerText.Printable(row.GetString(2), Err.LongestMessage)));
    }

    // Takes OK or ERR. Returns false while bytes are missing.
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
                    session.State.Update(ok, ref reader);
                if (reader.Failed)
                    throw new ProtocolException("a valid OK packet", $"one of {length} bytes that cannot be decoded");
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
            throw new ProtocolException("a valid ERR packet", $"one of {length} bytes that cannot be decoded");
        Error = new ServerError(err.Number, err.SqlState, err.Message);
        Error = session.State.Refused(Error, mayHaveCommitted: !session.State.IsInTransaction, isBeginning: RowsInserted == 0);
    }
}
