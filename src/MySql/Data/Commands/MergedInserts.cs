using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.Sessions;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>
/// Sends consecutive commands of a batch that are the same INSERT of one row as one request: a text of many rows. If the text was used before, the request is a
/// bulk execution on MariaDB, and the execution of a statement with that many rows on MySQL. Such a request ends its flight, because a server continues after
/// an error. So it is used only if no other request could have been in the same flight.
/// </summary>
internal sealed class MergedInserts(MySqlBatchCommandCollection commands)
{
    // In bytes. Servers insert rows fastest in statements of this size; they slow down with larger ones.
    private const int LongestStatement = 128 * 1024;
    private const int MaxRows = 1000;
    private const ushort Null = (ushort)ColumnType.Null;

    private MySqlSession _session = null!;
    private MySqlDataSource _source = null!;
    private QuotingRules _rules;
    private ParameterBinding? _binding;
    private ParameterBinding? _current;
    private MySqlStatement? _worthPreparing;
    private ScannedSql _row = null!;
    private bool _readsOtherwise;
    private int _end;

    /// <summary>The command that is being written. If writing throws, one of this command's values was refused.</summary>
    public int Writes { get; set; }

    /// <summary>Begins a flight.</summary>
    /// <param name="session">The session that sends it.</param>
    /// <param name="source">The data source with the statements.</param>
    /// <param name="rules">The rules for reading texts.</param>
    /// <param name="first">The flight's first command.</param>
    /// <param name="end">The end of the commands that can be written.</param>
    public void Begin(MySqlSession session, MySqlDataSource source, QuotingRules rules, int first, int end)
    {
        (_session, _source, _rules, Writes, _end) = (session, source, rules, first, end);
        _worthPreparing = null;
        _readsOtherwise = false;
    }

    // ---------------------------------------------------------------- prepared

    /// <summary>
    /// Writes the rest of the batch, or a whole flight, as an execution of a prepared statement. Returns false, without writing anything, if it must be sent as
    /// text.
    /// </summary>
    public bool TryEncode(BatchExchange exchange, ref int next, int longestFlight)
    {
        var first = commands[next];
        var statement = first.StatementIn(_source);
        var scanned = statement.Scan(_rules);
        var form = statement.FormFor(_rules);
        if (form.RowAt == 0 || !_session.AutoPrepare.IsOn || _session.State.MayReadForeign
            || statement.StaysText || statement.IsNotPreparable || statement.Slot < 0
            || first.Parameters.DiffersWhenPrepared(_session.State.SettlesTypes)
            || !ReferenceEquals(first.Scan(statement, _rules), scanned) || !scanned.MayPrepareItself || form.SizesOf(statement.Sql, scanned) is not { } sizes)
            return false;
        var left = _end - next;
        var isBulk = _session.State.IsMariaDb && (_session.State.Capabilities & Capabilities.BulkOperations) != 0 && !statement.RefusesBulk;
        // On MySQL, several statements would take several round trips, and a text takes one.
        if (left < 2 || (!isBulk && left > sizes.MaxRows) || !AreAlike(next, left, statement, scanned))
            return false;

        _row = scanned;
        var merged = isBulk ? statement : sizes.Use(left, _source.Statements);
        if (merged is null)
            return false;
        if (_session.Prepared.Find(merged) is not { } prepared || !prepared.IsFor(merged.Scan(_rules)))
        {
            // The text's own use is counted at its end.
            if (!isBulk)
            {
                merged.CountUse();
                _session.Prepared.CountUse(merged);
            }

            _worthPreparing = merged;
            return false;
        }

        var at = _session.Wire.Out.TotalLength;
        var rows = isBulk ? WriteBulk(prepared, next, left, longestFlight) : WriteExecute(merged, prepared, next, left);
        if (rows == 0)
            return false;
        exchange.Expect(at, merged, prepared, new BatchItem(next, rows, BatchItemEnd.Answer));
        exchange.CanResendAsText = isBulk;
        next += rows;
        return true;
    }

    /// <summary>Prepares a recurring statement after the text, in the same send.</summary>
    public void PrepareForNextTime(BatchExchange exchange)
    {
        if (_worthPreparing is not { StaysText: false, IsNotPreparable: false, Slot: >= 0 } statement || !_session.MayPipeline
            || _session.Prepared.Find(statement) is not null || !_session.AutoPrepare.ShouldPrepare(_session.Prepared, statement))
            return;
        var asksTypes = _session.State.SettlesTypes && statement.Settled is null;
        exchange.ExpectPreparation(
            statement, new Preparation(_session.Context, statement.Scan(_rules), _session.State.Codecs, asksTypes, _row.Parameters.Length));
        _session.Wire.IsAnsweredEarly = true;
    }

    private bool AreAlike(int first, int count, MySqlStatement statement, ScannedSql scanned)
    {
        for (var i = 1; i < count; i++)
        {
            var command = commands[first + i];
            if (!ReferenceEquals(command.StatementIn(_source), statement) || !ReferenceEquals(command.Scan(statement, _rules), scanned))
                return false;
        }

        return true;
    }

    // Writes COM_STMT_EXECUTE of a statement with that many rows. Returns 0 if the server would convert a value, or if the statement is too long.
    private int WriteExecute(MySqlStatement merged, PreparedStatement prepared, int first, int rows)
    {
        var writer = _session.Wire.Out;
        var (begin, total) = (writer.Length, writer.TotalLength);
        var columns = _row.Parameters.Length;
        var at = StatementExecute.Begin(writer, prepared.Id);
        var bitmap = StatementExecute.BeginParameters(writer, rows * columns, typesFollow: true);
        var types = writer.Length;
        var each = StatementExecute.TypeLength(writer);
        writer.Zeros(each * rows * columns);
        for (var place = 0; place < rows * columns; place++)
        {
            var column = place % columns;
            if (column == 0 && writer.TotalLength - total > LongestStatement)
            {
                writer.Truncate(begin);
                return 0;
            }

            var parameter = ParameterAt(first + place / columns, column);
            var type = parameter.WireType(_session.State.Codecs);
            if (!(merged.Settled is { } settled ? settled.Takes(type, column) : prepared.Takes(type, column)))
            {
                writer.Truncate(begin);
                return 0;
            }

            BinaryPrimitives.WriteUInt16LittleEndian(writer.Written[(types + each * place)..], type);
            if (type == Null)
                StatementExecute.SetNull(writer, bitmap, place);
            else
                parameter.WriteBinary(writer, _session.State.Codecs);
        }

        writer.End(at);
        return rows;
    }

    // Writes COM_STMT_BULK_EXECUTE of a statement of one row. Returns 0 if the rows' types differ.
    private int WriteBulk(PreparedStatement prepared, int first, int rows, int longestFlight)
    {
        var writer = _session.Wire.Out;
        var (begin, total) = (writer.Length, writer.TotalLength);
        var columns = _row.Parameters.Length;
        var at = StatementBulkExecute.Begin(writer, prepared.Id, columns);
        var types = writer.Length - 2 * columns;
        var row = 0;
        while (row < rows && writer.TotalLength - total < longestFlight)
        {
            for (var column = 0; column < columns; column++)
            {
                var parameter = ParameterAt(first + row, column);
                var type = parameter.WireType(_session.State.Codecs);
                if (type == Null)
                {
                    writer.Byte((byte)BulkIndicator.Null);
                    continue;
                }

                var common = writer.Written.Slice(types + 2 * column, 2);
                if (BinaryPrimitives.ReadUInt16LittleEndian(common) is var known && known == Null)
                    BinaryPrimitives.WriteUInt16LittleEndian(common, type);
                else if (known != type)
                {
                    writer.Truncate(begin);
                    return 0;
                }

                writer.Byte((byte)BulkIndicator.Value);
                parameter.WriteBinary(writer, _session.State.Codecs);
            }

            row++;
        }

        writer.End(at);
        // The next execution of one row must send its types again.
        prepared.ForgetSent();
        return row;
    }

    private MySqlParameter ParameterAt(int command, int place)
    {
        if (place == 0)
        {
            Writes = command;
            _current = commands[command].BindingFor(_row, ref _binding);
        }

        return commands[command].Parameters[_current!.IndexAt(place)];
    }

    // ---------------------------------------------------------------- text

    /// <summary>Appends a command to a text of several commands.</summary>
    public void Append(MySqlBatchCommand command, ScannedSql scanned, int from)
    {
        _readsOtherwise |= scanned.MayChangeReading;
        if (scanned.Parameters.Length == 0)
            _session.Wire.Out.Bytes(BatchForm.WithoutEnd(scanned.Prepared));
        else
            command.BindingFor(scanned, ref _binding).AppendText(
                _session.Wire.Out, scanned, from, command.Parameters,
                _readsOtherwise ? _session.State.Literals | LiteralRules.Unknown : _session.State.Literals, _session.State.Codecs);
    }

    /// <summary>
    /// Appends commands as the rows of one INSERT, and returns their number. Returns 1, without writing anything, if the next command differs.
    /// </summary>
    public int AppendRows(int first, int rowAt)
    {
        var statement = commands[first].StatementIn(_source);
        var scanned = commands[first].Scan(statement, _rules);
        if (!ReferenceEquals(scanned, statement.Scan(_rules)))
            return 1;
        var most = Math.Min(_end - first, MaxRows);
        var (rows, begin) = (1, _session.Wire.Out.Length);
        while (rows < most && _session.Wire.Out.Length - begin < LongestStatement)
        {
            var command = commands[first + rows];
            if (!ReferenceEquals(command.StatementIn(_source), statement) || !ReferenceEquals(command.Scan(statement, _rules), scanned))
                break;
            if (rows == 1)
                Append(commands[first], scanned, 0);
            _session.Wire.Out.Byte((byte)',');
            Writes = first + rows;
            Append(command, scanned, rowAt);
            rows++;
        }

        return rows;
    }
}
