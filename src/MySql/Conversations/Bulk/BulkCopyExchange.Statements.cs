using System.Numerics;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Conversations;

// Sends rows in statements: MariaDB's COM_STMT_BULK_EXECUTE, or prepared INSERTs of many rows.
// While the server executes one statement, the driver formats the rows of the next.
internal sealed partial class BulkCopyExchange
{
    // In bytes. MySQL is fastest with statements of 64 to 128 KB; a 15 MB statement takes 2.5 times as long for the same rows.
    private const int StatementLength = 64 * 1024;

    // In bytes. MariaDB's bulk execute gains little from larger commands.
    private const int BulkLength = 384 * 1024;

    private readonly Dictionary<int, PreparedStatement> _prepared = [];
    private StagedRows _filling = null!;
    private StagedRows _sent = null!;
    private MultiRowInsert _insert = null!;
    private long _sentBefore;
    private int _pieceAt;
    private int _pieceSize;
    private bool _makesTexts;
    private ByteWriter? _characters;
    private bool _isAnswerOutstanding;

    private bool IsBulk => _wire == BulkMethod.BulkExecute;

    private bool AreStatementsFull => _filling.CarriesRow
        || (options.BatchSize > 0 && _filling.Count >= options.BatchSize)
        || (IsBulk
            ? _filling.Length >= BulkLength
            // A power of two is a single statement.
            : _filling.Count >= _insert.FullSize || (_filling.Length >= StatementLength && BitOperations.IsPow2(_filling.Count)));

    private void BeginStatements()
    {
        if (_wire == BulkMethod.LoadData)
            return;
        var columns = _plan.Targets.Length;
        if (columns == 0)
            throw new InvalidOperationException($"{options.Table} has no column that can be written.");
        _filling = new StagedRows(columns, session.State.Codecs, IsBulk);
        _sent = new StagedRows(columns, session.State.Codecs, IsBulk);
        // A prepared statement of MySQL omits the fraction of a date that is converted to text; SQL text keeps it.
        _makesTexts = !session.State.IsMariaDb && Array.Exists(_plan.Targets, static target => target.HoldsText || target.Kind == BulkTargetKind.Time);
        _insert = new MultiRowInsert(_plan.InsertHead(), _plan.InsertRow(), _plan.InsertTail(KnowsRowAlias), columns);
    }

    private void WriteIntoStatement<T>(T value)
    {
        if (_makesTexts && _filling.Column < _plan.Targets.Length && !ParameterWriter.IsNull(value))
        {
            var (type, target) = (ParameterWriter.WireType(value, session.State.Codecs), _plan.Targets[_filling.Column]);
            if (target.HoldsText && (ColumnType)(byte)type is ColumnType.DateTime or ColumnType.Time)
            {
                _filling.Begin((ushort)ColumnType.VarString).LengthEncodedBytes(LoadDataText.Characters(_characters ??= new(), value, session.State.Codecs));
                return;
            }

            // MySQL treats the upper half of the unsigned numbers as negative times.
            if (target.Kind == BulkTargetKind.Time && (type & StatementExecute.UnsignedFlag) != 0 && value is ulong and > long.MaxValue)
                throw LoadDataText.Refused(value, target);
        }

        _filling.Write(value);
    }

    // MySQL 8.0.19 and later.
    private bool KnowsRowAlias => !session.State.IsMariaDb
        && Version.TryParse(session.State.ServerVersion.Split('-')[0], out var version) && version >= new Version(8, 0, 19);

    private IEnumerable<Step> Execute()
    {
        while (true)
        {
            yield return Step.WaitExternal;
            foreach (var step in TakeOutstanding())
                yield return step;
            if (HasFailed || IsInterrupted || _filling.Count == 0)
                break;
            (_filling, _sent) = (_sent, _filling);
            _sent.MoveCarried(_filling);
            foreach (var step in SendRows())
                yield return step;
            if (HasFailed)
                break;
        }

        foreach (var prepared in _prepared.Values)
        {
            StatementClose.Write(Wire.Out, prepared.Id);                                            // C: COM_STMT_CLOSE, with what comes next
            // COM_STMT_CLOSE has no answer. Without pipelining, it has a send of its own.
            if (!session.MayPipeline)
                yield return SendCommand();
        }
    }

    private IEnumerable<Step> SendRows()
    {
        for (var at = 0; at < _sent.Count && !HasFailed && !IsInterrupted; at += _pieceSize)
        {
            foreach (var step in TakeOutstanding())
                yield return step;
            if (HasFailed)
                yield break;
            foreach (var step in Send(at, IsBulk ? _sent.Count - at : _insert.NextSize(_sent.Count - at)))
                yield return step;
        }
    }

    private IEnumerable<Step> Send(int at, int size)
    {
        var form = IsBulk ? 1 : size;
        if (!_prepared.ContainsKey(form))
        {
            foreach (var step in Prepare(form))
                yield return step;
            if (Error is not null)
                yield break;
        }

        WriteRows(_prepared[form], at, size);                                                       // C: COM_STMT_BULK_EXECUTE, COM_STMT_EXECUTE
        yield return SendCommand();
    }

    private void WriteRows(PreparedStatement prepared, int at, int size)
    {
        var before = Wire.Out.Length;
        if (IsBulk)
            _sent.WriteBulkExecute(Wire.Out, prepared.Id, at, size);
        else
            _sent.WriteExecute(Wire.Out, prepared.Id, at, size);
        _pieceAt = at;
        _pieceSize = size;
        _isAnswerOutstanding = true;
        _commandLength = Wire.Out.Length - before;
    }

    private int _commandLength;

    private IEnumerable<Step> Prepare(int rows)
    {
        var scanned = SqlScanner.Scan(_insert.Text(rows), session.State.Quoting);
        var preparation = new Preparation(session, scanned, session.State.Codecs, readsParameters: false); // C: COM_STMT_PREPARE
        yield return SendCommand();
        while (preparation.Advance(Wire) is var step && step != Step.Completed)
            yield return step;
        Error = preparation.Error;
        if (Error is null)
            _prepared[rows] = preparation.Take();
    }

    // Takes the answer to the last statement. After it, the statement's rows are no longer needed.
    private IEnumerable<Step> TakeOutstanding()
    {
        if (!_isAnswerOutstanding)
            yield break;
        _isAnswerOutstanding = false;
        IncomingPackets.BeginAnswer(Wire, _commandLength);
        while (!TryTakeAnswer())                                                                    // S: OK or ERR
            yield return Step.Receive;
        if (Error is not null && !IsInterrupted && IsOfOneRow(Error.Number))
        {
            IsRowRefused = true;
            if (_pieceSize == 1)
                FailAt(_pieceAt);
            else
            {
                foreach (var step in Locate(_pieceAt, _pieceSize))
                    yield return step;
            }
        }
        else if (Error is null && _answerWarnings > 0)
        {
            foreach (var step in TakeWarnings())
                yield return step;
            foreach (var step in RefuseChanges(_sentBefore + _pieceAt))
                yield return step;
        }

        if (_pieceAt + _pieceSize == _sent.Count)
        {
            _sentBefore += _sent.Count;
            _sent.Clear();
        }
    }

    /// <summary>
    /// Finds the row that the server refuses. The server has undone the statement, so its rows are sent again in halves until one row is left. None of them
    /// remains, because the copy is rolled back anyway. If a table without transactions has kept rows, nothing is sent again.
    /// </summary>
    private IEnumerable<Step> Locate(int at, int count)
    {
        var original = Error;
        foreach (var step in QueryWhetherUndone())
            yield return step;
        Error = original;
        if (!_isUndone)
            yield break;
        while (true)
        {
            var half = count == 1 ? 1 : 1 << BitOperations.Log2((uint)count - 1);
            Error = null;
            foreach (var step in Send(at, half))
                yield return step;
            if (!_isAnswerOutstanding)
            {
                Error = null;
                break;
            }

            _isAnswerOutstanding = false;
            IncomingPackets.BeginAnswer(Wire, _commandLength);
            while (!TryTakeAnswer())
                yield return Step.Receive;
            if (IsInterrupted)
                break;
            if (Error is null)
            {
                at += half;
                count -= half;
                // All rows were accepted this time, so the refused row is unknown.
                if (count == 0)
                    break;
            }
            else if (half == 1)
            {
                FailAt(at);
                yield break;
            }
            else
                count = half;
        }

        Error ??= original;
    }

    private void FailAt(int at)
    {
        const string InStatement = " at row 1";
        FailedRow = _sentBefore + at + 1;
        if (Error!.Message.EndsWith(InStatement, StringComparison.Ordinal))
            Error = Error with { Message = Error.Message[..^InStatement.Length] };
    }

    // ROLLBACK TO SAVEPOINT warns if the transaction has ever written, itself or by a trigger, to a table without transactions.
    // If the refusal has ended the transaction, the savepoint does not exist.
    private IEnumerable<Step> QueryWhetherUndone()
    {
        Error = null;
        foreach (var sql in Questions)
        {
            WriteQuery(Wire, sql);                                                                  // C: SAVEPOINT, ROLLBACK TO SAVEPOINT
            yield return SendCommand();
            while (!TryTakeAnswer())                                                                // S: OK or ERR
                yield return Step.Receive;
            _isUndone = Error is null && _answerWarnings == 0;
            if (!_isUndone || IsInterrupted)
                break;
        }
    }

    private static readonly byte[][] Questions = ["SAVEPOINT slipstream_bulk_search"u8.ToArray(), "ROLLBACK TO SAVEPOINT slipstream_bulk_search"u8.ToArray()];

    private bool _isUndone;

    // Deadlocks, lock waits, interruptions, and a server that is full or not ready do not concern a row, and may have ended the transaction.
    private static bool IsOfOneRow(int error) => error is not (1205 or 1213 or 1317 or 3024 or 1969 or 1021 or 1114 or 1041 or 1037 or 1047 or 1290 or 1836);
}
